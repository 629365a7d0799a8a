#include "backend/control/target_state.h"

#include <fmt/chrono.h>
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

TargetState jobState(const std::string& id, domain::ActionKind kind, const JobTracker& jobs)
{
    TargetState state{.name = id, .words = "not known any more", .jobs = {}};
    std::vector<const TrackedJob*> parts = jobs.named(id);
    // A task that starts meanwhile is beyond a hold or a release, and changes nothing for the rest.
    if (kind == domain::ActionKind::Hold || kind == domain::ActionKind::Release)
        std::erase_if(parts, [&](const TrackedJob* part) {
            return parts.size() > 1 && part->job.state != domain::JobState::Pending;
        });
    if (parts.empty())
        return state;
    const domain::Job& job = parts.front()->job;
    if (parts.size() > 1 || isRestOfArray(id))
        state.words = wordsFor(parts);
    else
        state.words = wordsFor(job);
    if (parts.size() == 1 && job.restarts > 0)
        state.words += fmt::format(", restarted {} times", job.restarts);
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
            states.push_back(jobState(job, action.kind, jobs));
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

std::string endWords(const domain::Job& job)
{
    const std::string state(name(job.state));
    if (!job.endTime)
        return state;
    const time_t seconds =
        std::chrono::duration_cast<std::chrono::seconds>(job.endTime->time_since_epoch()).count();
    return fmt::format("{} at {:%Y-%m-%d %H:%M:%S} UTC", state, fmt::gmtime(seconds));
}

std::string wordsFor(const std::vector<const TrackedJob*>& parts)
{
    std::vector<std::pair<std::string, uint64_t>> counts;
    for (const TrackedJob* part : parts) {
        const domain::Job& job = part->job;
        std::string words(name(job.state));
        if (job.held)
            words += ", held";
        const uint64_t tasks =
            job.array && !job.array->task ? std::max(1u, job.array->pendingCount) : 1;
        const auto known = std::find_if(counts.begin(), counts.end(),
                                        [&](const auto& count) { return count.first == words; });
        if (known == counts.end())
            counts.emplace_back(std::move(words), tasks);
        else
            known->second += tasks;
    }
    std::string text;
    for (const auto& [words, tasks] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", tasks, words);
    return text;
}

bool isRestOfArray(std::string_view name)
{
    return name.find("_[") != std::string_view::npos;
}

bool isOut(const domain::Node& node)
{
    return node.state == domain::NodeState::Down || node.hasFlag("DRAIN") || node.hasFlag("FAIL");
}

}  // namespace yard::control
