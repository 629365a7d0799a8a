#include "backend/control/preview_builder.h"

#include <absl/strings/str_split.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "backend/base/text.h"
#include "backend/control/effect.h"
#include "backend/control/preview_warnings.h"
#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::Action;
using domain::ActionKind;

constexpr double kSecondsPerHour = 3600;
constexpr size_t kMostTargets = 200'000;

void keepFirstOfEach(std::vector<std::string>& names)
{
    std::unordered_set<std::string> seen;
    std::erase_if(names, [&](const std::string& name) { return !seen.insert(name).second; });
}

// Names that the request spells out by themselves, outside any range.
std::unordered_set<std::string> namedSingly(const PreviewRequest& request)
{
    std::unordered_set<std::string> names;
    if (request.nodesExpression.empty()) {
        if (request.action.nodes.size() == 1)
            names.insert(request.action.nodes.front());
        return names;
    }
    std::string name;
    bool isRange = false;
    int depth = 0;
    for (const char c : request.nodesExpression + ',') {
        depth += c == '[' ? 1 : c == ']' ? -1 : 0;
        isRange = isRange || c == '[';
        if (depth == 0 && (c == ',' || c == '!' || c == '&')) {
            if (!isRange)
                names.insert(name);
            name.clear();
            isRange = false;
        } else if (c != ' ') {
            name += c;
        }
    }
    return names;
}

bool killsRunning(const Action& action)
{
    switch (action.kind) {
        case ActionKind::Down:
        case ActionKind::Requeue:
        case ActionKind::RequeueHold:
        case ActionKind::Cancel:
            return true;
        case ActionKind::Reboot:
            return !action.rebootWhenIdle;
        case ActionKind::Resubmit:
            return action.cancelOriginal;
        default:
            return false;
    }
}

// Slurm refuses a job whose nodes are both asked for and kept out.
std::string exclusionRefusal(const domain::Job& job, const std::vector<std::string>& excluded)
{
    const auto required = domain::expandHostlist(job.requiredNodes);
    if (job.requiredNodes.empty() || !required.ok())
        return {};
    std::vector<std::string> both;
    for (const std::string& node : *required)
        if (std::find(excluded.begin(), excluded.end(), node) != excluded.end())
            both.push_back(node);
    if (both.empty())
        return {};
    return fmt::format(
        "Job {} asks for {} by name (--nodelist), so it cannot be kept off {}. Leave {} out of "
        "the exclusion, or cancel the job and submit it without --nodelist.",
        job.displayId, domain::foldHostlist(*required), domain::foldHostlist(both),
        both.size() == 1 ? "it" : "them");
}

bool isFor(ActionKind kind, const domain::Job& job)
{
    switch (kind) {
        case ActionKind::Hold:
            // An administrator's hold takes the place of the user's own.
            return job.state == domain::JobState::Pending &&
                   (!job.held || job.reason == "JobHeldUser");
        case ActionKind::Release:
            return job.state == domain::JobState::Pending && job.held;
        case ActionKind::Requeue:
        case ActionKind::RequeueHold:
            return job.state != domain::JobState::Pending && job.state != domain::JobState::Unknown;
        case ActionKind::Cancel:
            return !isFinished(job.state);
        default:
            return true;
    }
}

// Several tasks of an array in one name, some of which may start before the scheduler hears of it.
bool takesTasks(ActionKind kind)
{
    return kind == ActionKind::Hold || kind == ActionKind::Release || kind == ActionKind::Cancel;
}

std::optional<Time> endsBy(const domain::Job& job)
{
    if (!job.startTime || job.timeLimit.unlimited || !job.timeLimit.seconds)
        return std::nullopt;
    return *job.startTime + std::chrono::seconds(*job.timeLimit.seconds);
}

// Without indices, GPUs are taken as spread evenly over a job's nodes.
int gpusOn(const domain::Job& job, const std::vector<std::string>& nodes)
{
    if (!job.gpuIndices.empty()) {
        int count = 0;
        for (const std::string& node : nodes)
            if (const auto found = job.gpuIndices.find(node); found != job.gpuIndices.end())
                count += int(found->second.size());
        return count;
    }
    return job.nodes.empty() ? 0 : int(size_t(job.gpus) * nodes.size() / job.nodes.size());
}

AffectedJob affected(const domain::Job& job, const std::vector<std::string>& here, bool killed,
                     Time now)
{
    AffectedJob result{.displayId = job.displayId,
                       .name = job.name,
                       .user = job.user,
                       .nodes = job.nodes,
                       .gpusHere = gpusOn(job, here),
                       .gpusAll = job.gpus,
                       .endsBy = endsBy(job),
                       .gpuHoursAtRisk = 0,
                       .killed = killed};
    if (job.startTime && now > *job.startTime)
        result.gpuHoursAtRisk = std::chrono::duration<double>(now - *job.startTime).count() /
                                kSecondsPerHour * job.gpus;
    return result;
}

}  // namespace

StatusOr<Preview> PreviewBuilder::build(PreviewRequest request, uint64_t operationId,
                                        Time now) const
{
    Preview preview;
    const bool onNodes = isNodeAction(request.action.kind);
    preview.action = request.action;
    if (onNodes)
        YARD_RETURN_IF_ERROR(resolveNodes(request));
    else if (request.action.kind != ActionKind::Submit)
        YARD_RETURN_IF_ERROR(resolveJobs(preview));
    else if (!request.action.submission || request.action.submission->script.empty())
        return absl::InvalidArgumentError("There is no script to submit.");
    if (!request.excludedExpression.empty()) {
        auto excluded = domain::expandHostlist(request.excludedExpression);
        if (!excluded.ok())
            return excluded.status();
        request.action.excludedNodes = std::move(*excluded);
    }
    // Found out only after the requeue, it would leave the job dead and on hold.
    for (const std::string& node : request.action.excludedNodes)
        if (!m_snapshot.node(node))
            return absl::InvalidArgumentError(
                fmt::format("The scheduler has no node {} to keep out. Nothing was done.", node));
    preview.made = now;
    request.action.jobs = preview.action.jobs;
    preview.action = request.action;
    if (onNodes) {
        chooseNodes(request, preview);
        preview.targets = domain::foldHostlist(preview.action.nodes);
        preview.targetCount = preview.action.nodes.size();
        addNodeJobs(preview, now);
    } else {
        const bool isNew = preview.action.kind == ActionKind::Submit;
        preview.targets =
            isNew ? "new job" : fmt::format("{}", fmt::join(preview.action.jobs, ","));
        preview.targetCount = isNew ? 1 : preview.action.jobs.size();
        addTargetJobs(preview, now);
    }
    addTotals(preview);
    addWarnings(preview);
    const ActionKind kind = preview.action.kind;
    preview.reasonRequired = kind == ActionKind::Drain || kind == ActionKind::Down;
    preview.reasonPossible = preview.reasonRequired || kind == ActionKind::Reboot;
    if (preview.targetCount > kTypedCountAbove)
        preview.typedCountRequired = uint32_t(preview.targetCount);
    if (preview.refusal.empty())
        preview.commands = commandsOf(preview.action, operationId, m_scheduler);
    return preview;
}

Status PreviewBuilder::resolveNodes(PreviewRequest& request) const
{
    std::vector<std::string>& nodes = request.action.nodes;
    if (!request.nodesExpression.empty()) {
        auto expanded = domain::expandHostlist(request.nodesExpression);
        if (!expanded.ok())
            return expanded.status();
        nodes = std::move(*expanded);
    }
    keepFirstOfEach(nodes);
    if (nodes.empty())
        return absl::InvalidArgumentError("No node is named. Name at least one.");
    std::vector<std::string> unknown;
    for (const std::string& node : nodes)
        if (!m_snapshot.node(node))
            unknown.push_back(node);
    if (!unknown.empty())
        return absl::InvalidArgumentError(fmt::format(
            "The scheduler has no node {}. Nothing was done.", domain::foldHostlist(unknown)));
    return absl::OkStatus();
}

Status PreviewBuilder::resolveJobs(Preview& preview) const
{
    Action& action = preview.action;
    std::vector<std::string> jobs;
    std::vector<const domain::Job*> left;
    std::vector<const domain::Job*> old;
    for (const std::string& id : action.jobs) {
        const std::vector<const TrackedJob*> records = m_jobs.named(id);
        if (records.empty())
            return absl::InvalidArgumentError(
                fmt::format("The scheduler has no job {}. Nothing was done.", id));
        // A list of tasks, and one that still waits among others, is passed on as it was named.
        const bool isTasks = domain::readTasksName(id).has_value();
        const bool asNamed = isTasks && takesTasks(action.kind);
        bool taken = false;
        for (const TrackedJob* record : records) {
            const domain::Job& job = record->job;
            const bool isMember = job.array && job.displayId != id;
            const bool isOldTask =
                isMember && !isTasks &&
                (isFinished(job.state) || job.state == domain::JobState::Unknown);
            if (isOldTask)
                old.push_back(&job);  // among others, that it has ended is no news
            else if (!isFor(action.kind, job)) {
                left.push_back(&job);
            } else if (!asNamed) {
                jobs.push_back(job.displayId);
            } else if (!taken) {
                jobs.push_back(id);
                taken = true;
            }
        }
    }
    keepFirstOfEach(jobs);
    if (jobs.size() > kMostTargets)
        return absl::InvalidArgumentError(
            fmt::format("That is more than {} jobs. Name fewer.", kMostTargets));
    if (action.jobs.empty())
        return absl::InvalidArgumentError("No job is named. Name at least one.");
    addLeftJobs(jobs.empty() && left.empty() ? old : left, jobs.empty(), preview);
    action.jobs = std::move(jobs);
    return absl::OkStatus();
}

void PreviewBuilder::chooseNodes(const PreviewRequest& request, Preview& preview) const
{
    if (preview.action.kind != ActionKind::Resume && preview.action.kind != ActionKind::Drain)
        return;
    const auto named = namedSingly(request);
    std::vector<std::string> chosen;
    ForeignDrains foreign;
    OwnDrains own;
    for (const std::string& name : preview.action.nodes) {
        const domain::Node& node = *m_snapshot.node(name);
        const bool isForeign = isOut(node) && markedOperation(node.reason) == 0;
        if (preview.action.kind == ActionKind::Resume && !isOut(node))
            foreign.inService.push_back(name);
        else if (isForeign && (preview.action.kind == ActionKind::Resume || node.hasFlag("DRAIN")))
            (named.contains(name) ? foreign.taken : foreign.left).push_back(&node);
        else if (preview.action.kind == ActionKind::Drain && node.hasFlag("DRAIN"))
            (!preview.action.reason.empty() && withoutMark(node.reason) == preview.action.reason
                 ? own.same
                 : own.renamed)
                .push_back(name);
        if ((foreign.inService.empty() || foreign.inService.back() != name) &&
            (own.same.empty() || own.same.back() != name) &&
            (foreign.left.empty() || foreign.left.back() != &node))
            chosen.push_back(name);
    }
    addForeignWarnings(foreign, preview);
    addOwnWarnings(own, preview);
    preview.action.nodes = std::move(chosen);
    if (preview.action.nodes.empty())
        preview.refusal =
            preview.warnings.empty() ? "Nothing is left to do." : preview.warnings.front();
}

void PreviewBuilder::addNodeJobs(Preview& preview, Time now) const
{
    std::map<std::string, std::pair<const TrackedJob*, std::vector<std::string>>> hit;
    for (const auto& [node, jobs] : jobsOn(m_snapshot, preview.action.nodes))
        for (const TrackedJob* job : jobs) {
            auto& place = hit[job->job.displayId];
            place.first = job;
            place.second.push_back(node);
        }
    const bool killed = killsRunning(preview.action);
    for (const auto& [id, place] : hit)
        preview.jobs.push_back(affected(place.first->job, place.second, killed, now));
    std::unordered_set<std::string> partitions;
    for (const std::string& name : preview.action.nodes)
        for (const std::string& partition : m_snapshot.node(name)->partitions)
            partitions.insert(partition);
    preview.freeReplacements = freeNodes(partitions, preview.action.nodes);
}

void PreviewBuilder::addTargetJobs(Preview& preview, Time now) const
{
    std::unordered_set<std::string> partitions;
    for (const std::string& id : preview.action.jobs) {
        for (const TrackedJob* named : m_jobs.named(id)) {
            const domain::Job& job = named->job;
            if (isActive(job.state) && isFor(preview.action.kind, job))
                preview.jobs.push_back(affected(job, job.nodes, killsRunning(preview.action), now));
            for (const auto part : absl::StrSplit(job.partition, ','))
                partitions.emplace(part.data(), part.size());
        }
    }
    preview.freeReplacements = freeNodes(partitions, preview.action.excludedNodes);
}

void PreviewBuilder::addTotals(Preview& preview) const
{
    std::unordered_set<std::string> users;
    bool allEnd = !preview.jobs.empty();
    for (const AffectedJob& job : preview.jobs) {
        users.insert(job.user);
        preview.gpus += job.gpusHere;
        preview.jobsKilled += job.killed ? 1 : 0;
        preview.gpuHoursAtRisk += job.killed ? job.gpuHoursAtRisk : 0;
        allEnd = allEnd && job.endsBy;
        if (job.endsBy)
            preview.emptyBy = std::max(preview.emptyBy.value_or(*job.endsBy), *job.endsBy);
    }
    if (!allEnd)
        preview.emptyBy.reset();
    preview.users = int(users.size());
}

void PreviewBuilder::addWarnings(Preview& preview) const
{
    addJournalWarning(preview);
    addRightsWarning(preview);
    if (!preview.action.excludedNodes.empty())
        addExclusionWarnings(preview);
    addDamageWarnings(preview);
    if (!isNodeAction(preview.action.kind))
        addJobWarnings(preview);
    addUndoWarning(preview, hasUndo(preview.action.kind));
}

void PreviewBuilder::addJobWarnings(Preview& preview) const
{
    const ActionKind kind = preview.action.kind;
    if (kind == ActionKind::Requeue || kind == ActionKind::RequeueHold)
        preview.warnings.push_back(fmt::format(
            "The scheduler keeps a requeued job waiting for {} seconds before it may start. "
            "Resubmit instead to let it start at once, as a new job.",
            m_scheduler.requeueDelaySeconds()));
    for (const std::string& id : preview.action.jobs)
        for (const TrackedJob* named : m_jobs.named(id))
            addStateWarning(named->job, preview);
}

void PreviewBuilder::addJournalWarning(Preview& preview) const
{
    const DaemonHealth& daemon = m_snapshot.daemon();
    if (!daemon.journalOk)
        preview.warnings.insert(
            preview.warnings.begin(),
            fmt::format("The journal cannot be written now, and until it can every action is "
                        "refused: {}",
                        daemon.journalError));
    if (!daemon.auditError.empty())
        preview.warnings.push_back(
            fmt::format("{} Tell whoever keeps the audit.", daemon.auditError));
}

void PreviewBuilder::addRightsWarning(Preview& preview) const
{
    for (const domain::Right& right : m_snapshot.rights())
        if (right.action == name(preview.action.kind) && !right.allowed)
            preview.warnings.insert(
                preview.warnings.begin(),
                fmt::format("The daemon's account lacks the right to {} in the scheduler, which "
                            "will refuse: {}",
                            right.action, right.detail));
}

// Seen only after the requeue, it would leave the job dead and on hold.
void PreviewBuilder::addExclusionWarnings(Preview& preview) const
{
    const auto& excluded = preview.action.excludedNodes;
    for (const std::string& id : preview.action.jobs)
        for (const TrackedJob* named : m_jobs.named(id)) {
            const domain::Job& job = named->job;
            if (!isFor(preview.action.kind, job))
                continue;
            std::string refusal = exclusionRefusal(job, excluded);
            const size_t left = refusal.empty() ? nodesLeft(job, excluded) : 0;
            if (refusal.empty() && left == 0)
                refusal = fmt::format(
                    "No node of the partition {} is left for job {} outside {}: it could never "
                    "start again. Keep fewer nodes out.",
                    job.partition, job.displayId, domain::foldHostlist(excluded));
            if (preview.refusal.empty())
                preview.refusal = refusal;
            if (!refusal.empty())
                preview.warnings.push_back(std::move(refusal));
            else if (left < size_t(job.nodeCount))
                preview.warnings.push_back(fmt::format(
                    "Job {} had {} nodes, and {} are left in the partition {} outside {}: it may "
                    "never start again.",
                    job.displayId, job.nodeCount, left, job.partition,
                    domain::foldHostlist(excluded)));
        }
}

size_t PreviewBuilder::nodesLeft(const domain::Job& job,
                                 const std::vector<std::string>& excluded) const
{
    const std::unordered_set<std::string> without(excluded.begin(), excluded.end());
    const std::vector<std::string_view> partitions = text::split(job.partition, ",");
    const auto& nodes = m_snapshot.nodes();
    return size_t(std::count_if(nodes.begin(), nodes.end(), [&](const domain::Node& node) {
        return !without.contains(node.name) &&
               std::any_of(node.partitions.begin(), node.partitions.end(),
                           [&](const std::string& name) {
                               return std::find(partitions.begin(), partitions.end(), name) !=
                                      partitions.end();
                           });
    }));
}

int PreviewBuilder::freeNodes(const std::unordered_set<std::string>& partitions,
                              const std::vector<std::string>& without) const
{
    const std::unordered_set<std::string> targets(without.begin(), without.end());
    int count = 0;
    for (const domain::Node& node : m_snapshot.nodes())
        if (node.state == domain::NodeState::Idle && isUsable(node) &&
            !targets.contains(node.name) &&
            std::any_of(node.partitions.begin(), node.partitions.end(),
                        [&](const std::string& name) { return partitions.contains(name); }))
            ++count;
    return count;
}

std::string quoteCommand(const std::vector<std::string>& arguments)
{
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    std::vector<std::string> quoted;
    for (const std::string& argument : arguments) {
        if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
            quoted.push_back(argument);
            continue;
        }
        std::string text = "'";
        for (const char c : argument)
            text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        quoted.push_back(text + "'");
    }
    return fmt::format("{}", fmt::join(quoted, " "));
}

std::vector<std::string> commandsOf(const Action& action, uint64_t operationId,
                                    const scheduler::Scheduler& scheduler)
{
    std::vector<Action> parts;
    if (action.kind == ActionKind::Resubmit && action.jobs.size() > 1)
        for (const std::string& job : action.jobs) {
            parts.push_back(action);
            parts.back().jobs = {job};
        }
    else
        parts.push_back(action);
    std::vector<std::string> quoted;
    for (size_t i = 0; i < parts.size(); ++i)
        for (const auto& command : scheduler.commands(parts[i], markFor(operationId, action, i)))
            quoted.push_back(quoteCommand(command));
    return quoted;
}

bool hasUndo(ActionKind kind)
{
    switch (kind) {
        case ActionKind::Drain:
        case ActionKind::Resume:
        case ActionKind::Down:
        case ActionKind::Hold:
        case ActionKind::Release:
        case ActionKind::Submit:
            return true;
        default:
            return false;
    }
}

}  // namespace yard::control
