#include "backend/base/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace yard {

std::string figure(double value)
{
    if (std::isnan(value))
        return "unknown";
    const double size = std::abs(value);
    const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
    std::string digits = fmt::format("{:.{}f}", size, decimals);
    auto at = int(std::min(digits.find('.'), digits.size())) - 3;
    for (; at > 0; at -= 3)
        digits.insert(size_t(at), ",");
    return value < 0 ? "-" + digits : digits;
}

}  // namespace yard
