#include "backend/control/run_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"

namespace yard::control {
namespace {

// Longer than the longest usual wait in a collective: what broke may be told that much later.
constexpr std::chrono::minutes kKeep{65};
constexpr size_t kMost = 20'000;
const std::vector<RunIndex::JobPtr> kNone;

const std::vector<RunIndex::JobPtr>& at(
    const std::unordered_map<std::string, std::vector<RunIndex::JobPtr>>& map,
    const std::string& node)
{
    const auto found = map.find(node);
    return found == map.end() ? kNone : found->second;
}

}  // namespace

std::string runOf(const domain::Job& job)
{
    const Time start = job.startTime.value_or(job.submitTime.value_or(Time{}));
    return fmt::format(
        "{}/{}", job.id,
        std::chrono::duration_cast<std::chrono::seconds>(start.time_since_epoch()).count());
}

void RunIndex::build()
{
    m_isStale = false;
    m_running.clear();
    for (const auto& [key, entry] : m_snapshot.jobs().entries()) {
        if (!isActive(entry.value.job.state))
            continue;
        const auto job = std::make_shared<const domain::Job>(entry.value.job);
        for (const std::string& node : job->nodes)
            m_running[node].push_back(job);
    }
}

const std::vector<RunIndex::JobPtr>& RunIndex::runningOn(const std::string& node)
{
    if (m_isStale)
        build();
    return at(m_running, node);
}

const std::vector<RunIndex::JobPtr>& RunIndex::endedOn(const std::string& node) const
{
    return at(m_ended, node);
}

void RunIndex::noteEnd(const domain::Job& job, Time at)
{
    const auto ended = std::make_shared<const domain::Job>(job);
    m_order.emplace_back(at, ended);
    for (const std::string& node : job.nodes)
        m_ended[node].push_back(ended);
}

void RunIndex::dropOld(Time now)
{
    while (!m_order.empty() && (now - m_order.front().first > kKeep || m_order.size() > kMost)) {
        const JobPtr oldest = std::move(m_order.front().second);
        m_order.pop_front();
        for (const std::string& node : oldest->nodes) {
            const auto found = m_ended.find(node);
            if (found == m_ended.end())
                continue;
            std::erase(found->second, oldest);
            if (found->second.empty())
                m_ended.erase(found);
        }
    }
}

bool mayHaveHeld(const domain::Job& job, const std::string& node, const std::string& gpu)
{
    const auto held = job.gpuIndices.find(node);
    const auto index = text::number<int>(gpu);
    return held == job.gpuIndices.end() || held->second.empty() || !index ||
           std::find(held->second.begin(), held->second.end(), *index) != held->second.end();
}

}  // namespace yard::control
