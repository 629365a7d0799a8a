#pragma once

#include <chrono>
#include <mutex>

namespace yard {

/// A moment in UTC. `Time{}` never means "now" or "never": use std::optional where it may be
/// absent.
using Time = std::chrono::system_clock::time_point;
using Duration = std::chrono::system_clock::duration;

/// Where "now" comes from. Everything that waits or stamps takes one, so that tests and the
/// simulated cluster set the pace.
///
/// Thread: any.
class Clock {
public:
    virtual ~Clock() = default;
    virtual Time now() const = 0;
};

class SystemClock final : public Clock {
public:
    Time now() const override { return std::chrono::system_clock::now(); }
};

/// Stands still until it is moved.
class ManualClock final : public Clock {
public:
    explicit ManualClock(Time start)
        : m_now(start)
    {
    }
    Time now() const override
    {
        const std::lock_guard lock(m_mutex);
        return m_now;
    }
    void advance(Duration by)
    {
        const std::lock_guard lock(m_mutex);
        m_now += by;
    }

private:
    mutable std::mutex m_mutex;
    Time m_now;
};

}  // namespace yard
