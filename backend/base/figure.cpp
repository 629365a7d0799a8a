#include "backend/base/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace yard {
namespace {

std::string grouped(std::string digits, bool isNegative)
{
    auto at = int(std::min(digits.find('.'), digits.size())) - 3;
    for (; at > 0; at -= 3)
        digits.insert(size_t(at), ",");
    return isNegative ? "-" + digits : digits;
}

}  // namespace

std::string figure(double value)
{
    if (std::isnan(value))
        return "unknown";
    const double size = std::abs(value);
    const int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
    return grouped(fmt::format("{:.{}f}", size, decimals), value < 0);
}

std::string exactFigure(double value)
{
    constexpr int kSignificant = 6;
    constexpr int kMostDecimals = 15;
    if (std::isnan(value))
        return "unknown";
    const double size = std::abs(value);
    if (std::isinf(value))
        return value < 0 ? "-infinite" : "infinite";
    const int before = size > 0 ? int(std::floor(std::log10(size))) + 1 : 1;
    const int decimals = std::clamp(kSignificant - before, 0, kMostDecimals);
    std::string digits = fmt::format("{:.{}f}", size, decimals);
    if (decimals > 0) {
        digits.erase(digits.find_last_not_of('0') + 1);
        if (digits.back() == '.')
            digits.pop_back();
    }
    return grouped(std::move(digits), value < 0);
}

}  // namespace yard
