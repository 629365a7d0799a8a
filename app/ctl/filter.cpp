#include "app/ctl/filter.h"

#include <algorithm>

#include "backend/base/text.h"
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
    // An array is named by its number too.
    if (m_names && m_names->count(job.display_id()) == 0 &&
        m_names->count(std::to_string(job.id())) == 0 &&
        (job.array_job() == 0 || m_names->count(std::to_string(job.array_job())) == 0))
        return false;
    if (!m_partitions.empty() && !matches(m_partitions, job.partition()))
        return false;
    if (!m_users.empty() && !matches(m_users, job.user()))
        return false;
    return m_states.empty() || matches(m_states, domain::name(domain::JobState(job.state()))) ||
           matchesAny(m_states, job.state_flags());
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
