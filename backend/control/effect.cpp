#include "backend/control/effect.h"

#include <algorithm>

#include "backend/control/preview_builder.h"
#include "backend/control/target_state.h"

namespace yard::control {
namespace {

using domain::ActionKind;

int64_t microseconds(const std::optional<Time>& time)
{
    return time ? std::chrono::duration_cast<std::chrono::microseconds>(time->time_since_epoch())
                      .count()
                : 0;
}

bool isRebooting(const domain::Node& node)
{
    return node.hasFlag("REBOOT_REQUESTED") || node.hasFlag("REBOOT_ISSUED") ||
           categoryOf(node) == domain::NodeCategory::Rebooting;
}

Effect onNode(const store::OperationRecord& record, const store::Evidence& evidence,
              const domain::Node& node)
{
    Effect effect{.missed = {}, .words = wordsFor(node), .newJob = {}};
    const bool isOurs = markedOperation(node.reason) == record.operation.id;
    switch (record.operation.action.kind) {
        case ActionKind::Drain:
            effect.done = node.hasFlag("DRAIN") && isOurs;
            effect.undoable = effect.done && !evidence.wasOut;
            break;
        case ActionKind::Down:
            effect.done = node.state == domain::NodeState::Down && isOurs;
            effect.undoable = effect.done && !evidence.wasOut;
            break;
        case ActionKind::Resume:
            effect.done = !isOut(node);
            effect.undoable = effect.done && !evidence.reason.empty();
            break;
        case ActionKind::Reboot:
            effect.sawReboot = evidence.sawReboot || isRebooting(node);
            effect.done = effect.sawReboot || microseconds(node.bootTime) > evidence.bootTimeUs;
            break;
        default:
            break;
    }
    return effect;
}

std::string startedBefore(const domain::Job& job)
{
    return isFinished(job.state) ? "had ended before it could be held: " + endWords(job)
                                 : "had started before it could be held: " + wordsFor(job);
}

// What nobody reports any more has ended as well.
bool wasCancelled(const domain::Job& job)
{
    return job.state == domain::JobState::Cancelled || job.state == domain::JobState::Unknown;
}

Effect onJob(const store::OperationRecord& record, const store::Evidence& evidence,
             const domain::Job& job)
{
    Effect effect{.missed = {}, .words = wordsFor(job), .newJob = {}};
    const bool runsAgain = job.restarts > evidence.restarts;
    // A task that is split off from its array gets a number of its own.
    const bool isOther = !job.array && job.id != evidence.jobId;
    effect.gone =
        isOther || !isSameSubmission({job.id, evidence.submitTimeUs}, evidence.restarts, job);
    const bool waits = job.state == domain::JobState::Pending;
    switch (record.operation.action.kind) {
        case ActionKind::Hold:
            effect.done = job.held;
            effect.missed = waits ? "" : startedBefore(job);
            effect.undoable = effect.done && waits;
            break;
        case ActionKind::Release:
            effect.done = !job.held;
            effect.undoable = effect.done && waits;
            break;
        case ActionKind::Requeue:
            effect.done = runsAgain;
            break;
        case ActionKind::RequeueHold:
            effect.done = runsAgain && (job.held || !waits);
            break;
        case ActionKind::Cancel:
            effect.done = wasCancelled(job);
            effect.missed = isFinished(job.state) && !effect.done
                                ? "had already ended by itself: " + endWords(job)
                                : "";
            break;
        default:
            break;
    }
    effect.done = effect.done && !effect.gone;
    if (effect.gone)
        effect.missed.clear();
    return effect;
}

// Tasks of an array that waited as one record may have started, ended or been split off since.
// Those that no longer wait are beyond a hold; what still waits decides.
Effect onTasks(const store::OperationRecord& record, const std::vector<const TrackedJob*>& parts)
{
    Effect effect{.missed = {}, .words = wordsFor(parts), .newJob = {}};
    const auto all = [&](auto&& test) {
        return std::all_of(parts.begin(), parts.end(),
                           [&](const TrackedJob* part) { return test(part->job); });
    };
    const auto waits = [](const domain::Job& job) {
        return job.state == domain::JobState::Pending;
    };
    const bool noneWaits = all([&](const domain::Job& job) { return !waits(job); });
    switch (record.operation.action.kind) {
        case ActionKind::Hold:
            effect.done =
                !noneWaits && all([&](const domain::Job& job) { return !waits(job) || job.held; });
            effect.undoable = effect.done;
            effect.missed = noneWaits ? "none of its tasks waits any more: " + effect.words : "";
            break;
        case ActionKind::Release:
            effect.done = all([&](const domain::Job& job) { return !job.held; });
            effect.undoable = effect.done && !noneWaits;
            break;
        case ActionKind::Cancel:
            effect.done = all([](const domain::Job& job) {
                return isFinished(job.state) || job.state == domain::JobState::Unknown;
            });
            break;
        default:
            break;
    }
    return effect;
}

// Submit and Resubmit are known by the mark that the new job carries.
Effect onNewJob(const store::OperationRecord& record, size_t target, const JobTracker& jobs)
{
    Effect effect;
    const domain::Operation& operation = record.operation;
    const TrackedJob* created = jobs.findMarked("yard:" + markFor(operation, target));
    if (!created)
        return effect;
    effect.newJob = created->job.displayId;
    effect.words = "new job " + effect.newJob + ": " + wordsFor(created->job);
    if (operation.action.kind == ActionKind::Submit) {
        effect.done = true;
        effect.undoable = !isFinished(created->job.state);
        return effect;
    }
    const TrackedJob* original = jobs.find(operation.targets[target].name);
    effect.onlyCancelLeft =
        operation.action.cancelOriginal && original && isActive(original->job.state);
    effect.done = !effect.onlyCancelLeft;
    return effect;
}

}  // namespace

store::Evidence evidenceFor(const domain::Action& action, const std::string& target,
                            const ClusterSnapshot& snapshot, const JobTracker& jobs)
{
    store::Evidence evidence{.target = target, .reason = {}};
    if (isNodeAction(action.kind)) {
        if (const domain::Node* node = snapshot.node(target)) {
            evidence.bootTimeUs = microseconds(node->bootTime);
            evidence.wasOut = isOut(*node);
            evidence.reason = node->reason;
        }
    } else if (const auto parts = jobs.named(target); !parts.empty()) {
        const domain::Job& job = parts.front()->job;
        evidence.jobId = job.id;
        evidence.submitTimeUs = keyOf(job).submitTimeUs;
        evidence.startTimeUs = microseconds(job.startTime);
        evidence.restarts = job.restarts;
    }
    return evidence;
}

Effect effectOn(const store::OperationRecord& record, size_t target,
                const ClusterSnapshot& snapshot, const JobTracker& jobs)
{
    const domain::Action& action = record.operation.action;
    const std::string& name = record.operation.targets[target].name;
    if (action.kind == ActionKind::Submit || action.kind == ActionKind::Resubmit)
        return onNewJob(record, target, jobs);
    if (isNodeAction(action.kind)) {
        const domain::Node* node = snapshot.node(name);
        if (node)
            return onNode(record, record.evidence[target], *node);
        return {.gone = true,
                .missed = {},
                .words = "not a node of the scheduler any more",
                .newJob = {}};
    }
    const std::vector<const TrackedJob*> parts = jobs.named(name);
    if (isRestOfArray(name) || parts.size() > 1) {
        if (!parts.empty())
            return onTasks(record, parts);
    } else if (!parts.empty()) {
        return onJob(record, record.evidence[target], parts.front()->job);
    }
    return {.done = action.kind == ActionKind::Cancel,
            .gone = true,
            .missed = {},
            .words = "not reported any more",
            .newJob = {}};
}

std::string markFor(uint64_t operationId, const domain::Action& action, size_t target)
{
    const bool several = action.kind == ActionKind::Resubmit && action.jobs.size() > 1;
    return std::to_string(operationId) + (several ? "." + std::to_string(target + 1) : "");
}

std::string markFor(const domain::Operation& operation, size_t target)
{
    return markFor(operation.id, operation.action, target);
}

}  // namespace yard::control
