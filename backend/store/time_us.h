#pragma once

#include <chrono>
#include <cstdint>

#include "backend/base/clock.h"

namespace yard::store {

/// Times are kept as microseconds since 1970, UTC.
inline int64_t toMicroseconds(Time time)
{
    return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

inline Time fromMicroseconds(int64_t microseconds)
{
    return Time(std::chrono::microseconds(microseconds));
}

/// Whole seconds since 1970, as blocks of readings count: down, also before 1970.
inline int64_t toSeconds(Time time)
{
    return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

}  // namespace yard::store
