#pragma once

#include <string>

namespace yard {

/// An amount as a person reads it: three significant figures, more where they stand before the
/// point, thousands with a comma: 26,287  134  12.4  0.82. "unknown" for NaN.
std::string figure(double value);

/// An amount to compare with others, to six significant figures or to the last one before the
/// point, never with an exponent: 1,234,567  26,287.1  0.00012. "unknown" for NaN.
std::string exactFigure(double value);

}  // namespace yard
