#pragma once

#include <array>
#include <chrono>
#include <cstdint>

namespace yard::store {

/// How finely the past is kept. Fresh blocks hold a few minutes and become whole ones when their
/// hour or day is over.
enum class SeriesLevel : uint8_t { FreshRaw, Raw, FreshFive, Five, Hour };

struct LevelShape {
    std::chrono::seconds step;
    std::chrono::seconds span;  ///< of one block; blocks start at whole multiples of it
    bool hasExtremes;           ///< three rows a lane: min, mean, max
};

constexpr std::chrono::seconds kRawStep{15};

/// FreshRaw's blocks start anywhere within their hour.
constexpr LevelShape shapeOf(SeriesLevel level)
{
    using std::chrono::hours;
    using std::chrono::minutes;
    switch (level) {
        case SeriesLevel::FreshRaw:
        case SeriesLevel::Raw:
            return {kRawStep, hours(1), false};
        case SeriesLevel::FreshFive:
            return {minutes(5), hours(1), true};
        case SeriesLevel::Five:
            return {minutes(5), hours(24), true};
        case SeriesLevel::Hour:
            break;
    }
    return {hours(1), hours(24), true};
}

/// How long each is kept.
struct SeriesRetention {
    std::chrono::hours raw{24 * 14};
    std::chrono::hours five{24 * 180};
    std::chrono::hours hour{24 * 365 * 5};
};

/// The begin of the span of `level` that holds a moment, in seconds since 1970.
constexpr int64_t spanStart(SeriesLevel level, int64_t seconds)
{
    const int64_t span = shapeOf(level).span.count();
    const int64_t down = seconds >= 0 ? seconds / span : -((span - 1 - seconds) / span);
    return down * span;
}

}  // namespace yard::store
