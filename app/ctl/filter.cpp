#include "app/ctl/filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/base/text.h"
#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"
#include "backend/domain/job.h"
#include "backend/domain/node.h"

namespace yard::ctl {
namespace {

std::set<std::string> wordsOf(const std::string& list)
{
    std::set<std::string> words;
    for (const std::string_view word : text::split(list, ",")) {
        if (!word.empty())
            words.insert(text::lowerCase(word));
    }
    return words;
}

bool matches(const std::set<std::string>& wanted, std::string_view word)
{
    return wanted.count(text::lowerCase(word)) > 0;
}

template <typename Words>
bool matchesAny(const std::set<std::string>& wanted, const Words& words)
{
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return matches(wanted, word); });
}

std::string listed(const std::set<std::string>& words)
{
    return fmt::format("{}", fmt::join(words, ", "));
}

std::set<std::string> unknownOf(const std::set<std::string>& asked,
                                const std::set<std::string>& known)
{
    std::set<std::string> unknown;
    std::set_difference(asked.begin(), asked.end(), known.begin(), known.end(),
                        std::inserter(unknown, unknown.end()));
    return unknown;
}

/// "18_4" and "18_[2-9]" ask for tasks, also for one that still waits among others.
bool takesTask(const std::string& asked, const v1::Job& job)
{
    const auto name = domain::readTasksName(asked);
    if (!name || job.array_job() != name->array)
        return false;
    return domain::shareTasks(
        name->tasks, job.has_array_task() ? std::to_string(job.array_task()) : job.array_pending());
}

/// The names by which a job is asked for.
std::array<std::string, 3> namesOf(const v1::Job& job)
{
    return {job.display_id(), std::to_string(job.id()),
            job.array_job() == 0 ? std::string() : std::to_string(job.array_job())};
}

}  // namespace

std::vector<std::string> splitOutsideBrackets(const std::string& text)
{
    std::vector<std::string> parts(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        if (c == ',' && depth == 0)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    std::erase(parts, "");
    return parts;
}

bool Selector::readHosts(const Filter& filter)
{
    for (const std::string& expression : filter.names) {
        const auto hosts = domain::expandHostlist(expression);
        if (!hosts.ok()) {
            complain(BadInput, std::string(hosts.status().message()));
            return false;
        }
        if (!m_names)
            m_names.emplace();
        m_names->insert(hosts->begin(), hosts->end());
    }
    return true;
}

void Selector::readJobs(const Filter& filter)
{
    for (const std::string& list : filter.names) {
        if (!m_names)
            m_names.emplace();
        for (std::string& id : splitOutsideBrackets(list))
            m_names->insert(std::move(id));
    }
}

void Selector::readWords(const Filter& filter)
{
    m_states = wordsOf(filter.state);
    m_partitions = wordsOf(filter.partition);
    m_users = wordsOf(filter.user);
}

bool Selector::takes(const v1::Node& node) const
{
    if (m_names && m_names->count(node.name()) == 0)
        return false;
    if (!m_partitions.empty() && !matchesAny(m_partitions, node.partitions()))
        return false;
    return m_states.empty() ||
           matches(m_states, domain::name(domain::NodeCategory(node.category()))) ||
           matches(m_states, domain::name(domain::NodeState(node.state()))) ||
           matchesAny(m_states, node.flags());
}

bool Selector::takes(const v1::Job& job) const
{
    if (m_names && !isNamed(job))
        return false;
    const auto isIn = [this](std::string_view partition) {
        return matches(m_partitions, partition);
    };
    // One that waits may name several.
    const auto partitions = text::split(job.partition(), ",");
    if (!m_partitions.empty() && std::none_of(partitions.begin(), partitions.end(), isIn))
        return false;
    if (!m_users.empty() && !matches(m_users, job.user()))
        return false;
    return m_states.empty() || matches(m_states, domain::name(domain::JobState(job.state()))) ||
           matchesAny(m_states, job.state_flags());
}

bool Selector::isNamed(const v1::Job& job) const
{
    const auto names = namesOf(job);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return m_names->count(name) > 0; }) ||
           std::any_of(m_names->begin(), m_names->end(),
                       [&](const std::string& asked) { return takesTask(asked, job); });
}

void Selector::noteFound(const v1::Job& job, std::set<std::string>& found) const
{
    if (!m_names)
        return;
    const auto names = namesOf(job);
    found.insert(names.begin(), names.end());
    for (const std::string& asked : *m_names)
        if (takesTask(asked, job))
            found.insert(asked);
}

ExitCode Selector::checkNodeWords(const v1::Update& update) const
{
    std::set<std::string> states;
    for (int i = 0; i <= int(domain::NodeCategory::Unknown); ++i)
        states.insert(std::string(domain::name(domain::NodeCategory(i))));
    for (int i = 0; i <= int(domain::NodeState::Future); ++i)
        states.insert(text::lowerCase(domain::name(domain::NodeState(i))));
    for (const v1::Node& node : update.nodes())
        for (const std::string& flag : node.flags())
            states.insert(text::lowerCase(flag));
    // Flags that no node may have just now.
    for (const char* flag : {"drain", "not_responding", "reboot_requested", "reboot_issued"})
        states.insert(flag);
    return checkWords(std::move(states), update);
}

ExitCode Selector::checkJobWords(const v1::Update& update) const
{
    std::set<std::string> states;
    for (int i = 0; i <= int(domain::JobState::OutOfMemory); ++i)
        states.insert(text::lowerCase(domain::name(domain::JobState(i))));
    for (const v1::Job& job : update.jobs())
        for (const std::string& flag : job.state_flags())
            states.insert(text::lowerCase(flag));
    for (const char* flag : {"completing", "configuring", "requeued"})
        states.insert(flag);
    return checkWords(std::move(states), update);
}

ExitCode Selector::checkWords(std::set<std::string> states, const v1::Update& update) const
{
    if (update.nodes_size() == 0)
        return Done;  // the scheduler has not been read yet
    if (const auto unknown = unknownOf(m_states, states); !unknown.empty())
        return complain(BadInput, fmt::format("There is no state {}. Known are: {}.",
                                              listed(unknown), listed(states)));
    std::set<std::string> names;
    std::set<std::string> partitions;
    for (const v1::Partition& partition : update.partitions()) {
        names.insert(partition.name());
        partitions.insert(text::lowerCase(partition.name()));
    }
    if (const auto unknown = unknownOf(m_partitions, partitions); !unknown.empty())
        return complain(BadInput, fmt::format("The scheduler has no partition {}. It has: {}.",
                                              listed(unknown), listed(names)));
    return Done;
}

std::vector<std::string> Selector::missing(const std::set<std::string>& found) const
{
    std::vector<std::string> missing;
    if (m_names)
        std::set_difference(m_names->begin(), m_names->end(), found.begin(), found.end(),
                            std::back_inserter(missing));
    return missing;
}

}  // namespace yard::ctl
