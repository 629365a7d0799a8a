#pragma once

#include <string>

namespace yard {

/// An amount as a person reads it: three significant figures, more where they stand before the
/// point, thousands with a comma: 26,287  134  12.4  0.82. "unknown" for NaN.
std::string figure(double value);

}  // namespace yard
