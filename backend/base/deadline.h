#pragma once

#include <algorithm>
#include <chrono>

namespace yard {

/// A point on the steady clock after which a call gives up with DEADLINE_EXCEEDED.
class Deadline {
public:
    static Deadline in(std::chrono::milliseconds time)
    {
        return Deadline(std::chrono::steady_clock::now() + time);
    }
    bool passed() const { return std::chrono::steady_clock::now() >= m_at; }
    /// Never negative.
    std::chrono::milliseconds left() const
    {
        return std::max(std::chrono::milliseconds(0),
                        std::chrono::duration_cast<std::chrono::milliseconds>(
                            m_at - std::chrono::steady_clock::now()));
    }
    std::chrono::steady_clock::time_point at() const { return m_at; }

private:
    explicit Deadline(std::chrono::steady_clock::time_point at)
        : m_at(at)
    {
    }
    std::chrono::steady_clock::time_point m_at;
};

}  // namespace yard
