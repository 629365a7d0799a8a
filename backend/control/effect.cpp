#include "backend/control/effect.h"

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
    Effect effect{.words = wordsFor(node), .newJob = {}};
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

Effect onJob(const store::OperationRecord& record, const store::Evidence& evidence,
             const domain::Job& job)
{
    Effect effect{.words = wordsFor(job), .newJob = {}};
    const JobKey key = keyOf(job);
    const bool runsAgain =
        job.restarts > evidence.restarts && key.submitTimeUs >= evidence.submitTimeUs;
    effect.gone =
        job.id != evidence.jobId || (key.submitTimeUs != evidence.submitTimeUs && !runsAgain);
    const bool waits = job.state == domain::JobState::Pending;
    switch (record.operation.action.kind) {
        case ActionKind::Hold:
            effect.done = job.held;
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
            effect.done = isFinished(job.state) || job.state == domain::JobState::Unknown;
            break;
        default:
            break;
    }
    effect.done = effect.done && !effect.gone;
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
    } else if (const TrackedJob* tracked = jobs.find(target)) {
        evidence.jobId = tracked->job.id;
        evidence.submitTimeUs = keyOf(tracked->job).submitTimeUs;
        evidence.startTimeUs = microseconds(tracked->job.startTime);
        evidence.restarts = tracked->job.restarts;
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
        return {.gone = true, .words = "not a node of the scheduler any more", .newJob = {}};
    }
    const TrackedJob* tracked = jobs.find(name);
    if (tracked)
        return onJob(record, record.evidence[target], tracked->job);
    return {.done = action.kind == ActionKind::Cancel,
            .gone = true,
            .words = "not reported any more",
            .newJob = {}};
}

std::string markFor(const domain::Operation& operation, size_t target)
{
    const bool several =
        operation.action.kind == ActionKind::Resubmit && operation.targets.size() > 1;
    return std::to_string(operation.id) + (several ? "." + std::to_string(target + 1) : "");
}

}  // namespace yard::control
