#include "backend/control/target_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

constexpr size_t kMostNamed = 5;

// Come and go by themselves and matter to no action.
bool isTransient(std::string_view flag)
{
    return flag == "PLANNED" || flag == "COMPLETING" || flag == "CLOUD" || flag == "DYNAMIC_NORM";
}

std::string serviceWords(const domain::Node& node)
{
    std::string words = node.state == domain::NodeState::Down ? "down" : "in service";
    if (node.hasFlag("DRAIN"))
        words = node.state == domain::NodeState::Down ? "down and drained" : "drained";
    for (const std::string& flag : node.flags)
        if (!isTransient(flag) && flag != "DRAIN")
            words += "+" + flag;
    return node.reason.empty() ? words : fmt::format("{} ({})", words, node.reason);
}

TargetState nodeState(const std::string& name, const ClusterSnapshot& snapshot,
                      const JobsByNode& jobs)
{
    TargetState state{.name = name, .words = "unknown", .jobs = {}};
    if (const domain::Node* node = snapshot.node(name))
        state.words = serviceWords(*node);
    if (const auto found = jobs.find(name); found != jobs.end())
        for (const TrackedJob* job : found->second)
            state.jobs.insert(job->job.displayId);
    return state;
}

TargetState jobState(const std::string& id, const JobTracker& jobs)
{
    TargetState state{.name = id, .words = "not known any more", .jobs = {}};
    if (const TrackedJob* tracked = jobs.find(id)) {
        state.words = wordsFor(tracked->job);
        if (tracked->job.restarts > 0)
            state.words += fmt::format(", restarted {} times", tracked->job.restarts);
    }
    return state;
}

std::string jobDifference(const TargetState& before, const TargetState& now)
{
    for (const std::string& job : now.jobs)
        if (!before.jobs.contains(job))
            return fmt::format("job {} has started on {}", job, now.name);
    for (const std::string& job : before.jobs)
        if (!now.jobs.contains(job))
            return fmt::format("job {} has left {}", job, now.name);
    return {};
}

}  // namespace

JobsByNode jobsOn(const ClusterSnapshot& snapshot, const std::vector<std::string>& nodes)
{
    const std::unordered_set<std::string> wanted(nodes.begin(), nodes.end());
    JobsByNode found;
    for (const auto& [key, entry] : snapshot.jobs().entries()) {
        if (!isActive(entry.value.job.state))
            continue;
        for (const std::string& node : entry.value.job.nodes)
            if (wanted.contains(node))
                found[node].push_back(&entry.value);
    }
    return found;
}

std::vector<TargetState> targetStates(const domain::Action& action, const ClusterSnapshot& snapshot,
                                      const JobTracker& jobs)
{
    std::vector<TargetState> states;
    if (isNodeAction(action.kind)) {
        const JobsByNode running = jobsOn(snapshot, action.nodes);
        for (const std::string& node : action.nodes)
            states.push_back(nodeState(node, snapshot, running));
    } else {
        for (const std::string& job : action.jobs)
            states.push_back(jobState(job, jobs));
    }
    return states;
}

std::string difference(const std::vector<TargetState>& before, const std::vector<TargetState>& now)
{
    std::vector<std::string> sentences;
    for (size_t i = 0; i < before.size() && i < now.size(); ++i) {
        if (before[i].words != now[i].words)
            sentences.push_back(fmt::format("{} was {} and is now {}", before[i].name,
                                            before[i].words, now[i].words));
        else if (before[i].jobs != now[i].jobs)
            sentences.push_back(jobDifference(before[i], now[i]));
    }
    if (sentences.empty())
        return {};
    const size_t more = sentences.size() - std::min(sentences.size(), kMostNamed);
    sentences.resize(std::min(sentences.size(), kMostNamed));
    std::string text = fmt::format("{}", fmt::join(sentences, "; "));
    return more == 0 ? text : fmt::format("{}; and {} more", text, more);
}

std::string wordsFor(const domain::Node& node)
{
    const std::string category(name(categoryOf(node)));
    return node.reason.empty() ? category : fmt::format("{} ({})", category, node.reason);
}

std::string wordsFor(const domain::Job& job)
{
    std::string words(name(job.state));
    if (job.held)
        words += ", held";
    if (isActive(job.state) && !job.nodes.empty())
        words += " on " + domain::foldHostlist(job.nodes);
    return words;
}

bool isOut(const domain::Node& node)
{
    return node.state == domain::NodeState::Down || node.hasFlag("DRAIN") || node.hasFlag("FAIL");
}

}  // namespace yard::control
