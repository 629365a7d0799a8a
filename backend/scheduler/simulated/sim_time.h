#pragma once

#include <cstdint>

#include "backend/base/clock.h"

namespace yard::scheduler {

/// Milliseconds of simulated time; 0 is when the cluster was created, the warm start is before it.
using SimTime = int64_t;

constexpr SimTime kSecond = 1000;
constexpr SimTime kMinute = 60 * kSecond;
constexpr SimTime kHour = 60 * kMinute;
constexpr SimTime kDay = 24 * kHour;
/// How long the cluster runs before its start, so that it is full of everything by then.
constexpr SimTime kWarmUp = 3 * kHour;

/// Between simulated time and the clock's. The past before the start is not compressed.
class TimeScale {
public:
    TimeScale(Time start, double speed)
        : m_start(start)
        , m_speed(speed)
    {
    }
    Time wall(SimTime time) const
    {
        const double ms = time < 0 ? double(time) : double(time) / m_speed;
        return m_start + std::chrono::microseconds(int64_t(ms * 1000));
    }
    SimTime sim(Time time) const
    {
        const auto us =
            std::chrono::duration_cast<std::chrono::microseconds>(time - m_start).count();
        return SimTime(double(us) / 1000 * m_speed);
    }
    /// Seconds of the clock since the start.
    double wallSeconds(SimTime time) const
    {
        return double(time) / (time < 0 ? 1000.0 : 1000.0 * m_speed);
    }

private:
    Time m_start;
    double m_speed;
};

}  // namespace yard::scheduler
