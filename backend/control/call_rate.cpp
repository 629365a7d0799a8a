#include "backend/control/call_rate.h"

namespace yard::control {

using Minutes = std::chrono::duration<float, std::ratio<60>>;

constexpr std::chrono::seconds kShortest{10};

void CallRate::add(Time at, uint64_t callsSoFar)
{
    m_seen.emplace_back(at, callsSoFar);
    while (m_seen.size() > 2 && at - m_seen[1].first > std::chrono::minutes(1))
        m_seen.pop_front();
}

float CallRate::perMinute() const
{
    if (m_seen.empty() || m_seen.back().first - m_seen.front().first < kShortest)
        return 0;
    const auto calls = float(m_seen.back().second - m_seen.front().second);
    return calls / Minutes(m_seen.back().first - m_seen.front().first).count();
}

}  // namespace yard::control
