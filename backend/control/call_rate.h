#pragma once

#include <chrono>
#include <cstdint>
#include <deque>

namespace yard::control {

/// Calls a minute, over the last minute or over what has passed of it. Fed with a counter that only
/// grows.
///
/// Thread: one.
class CallRate {
public:
    using Time = std::chrono::steady_clock::time_point;

    void add(Time at, uint64_t callsSoFar);
    /// 0 until ten seconds have been seen: less makes no rate.
    float perMinute() const;

private:
    std::deque<std::pair<Time, uint64_t>> m_seen;
};

}  // namespace yard::control
