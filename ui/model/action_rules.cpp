#include "ui/model/action_rules.h"

#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/past_guard.h"

namespace yard::model {
namespace {

template <typename Is>
bool anyNode(const ClusterState& state, const QStringList& targets, Is is)
{
    return std::any_of(targets.begin(), targets.end(), [&](const QString& name) {
        const int node = state.nodeIndex(name);
        return node >= 0 && is(state.nodes()[node]);
    });
}

/// An array's number stands for all of its tasks.
template <typename Is>
bool anyJob(const ClusterState& state, const QStringList& targets, Is is)
{
    return std::any_of(targets.begin(), targets.end(), [&](const QString& id) {
        const JobInfo* job = state.job(id);
        if (job && is(*job))
            return true;
        return std::any_of(state.jobs().begin(), state.jobs().end(), [&](const JobInfo& task) {
            return task.arrayJob != 0 && QString::number(task.arrayJob) == id && is(task);
        });
    });
}

bool isOut(const NodeInfo& node)
{
    switch (node.category) {
        case NodeCategory::Draining:
        case NodeCategory::Drained:
        case NodeCategory::Down:
        case NodeCategory::Fail:
        case NodeCategory::Rebooting:
            return true;
        default:
            return node.flags.contains(QLatin1String("DRAIN"));
    }
}

QString wrongState(const ClusterState& state, ActionKind kind, const QStringList& targets)
{
    const auto isDraining = [](const NodeInfo& node) {
        return node.category == NodeCategory::Draining || node.category == NodeCategory::Drained ||
               node.flags.contains(QLatin1String("DRAIN"));
    };
    const auto isDown = [](const NodeInfo& node) { return node.state == NodeState::Down; };
    switch (kind) {
        case ActionKind::Drain:
            if (!anyNode(state, targets, [&](const NodeInfo& node) { return !isDraining(node); }))
                return QStringLiteral("Draining or drained already.");
            break;
        case ActionKind::Resume:
            if (!anyNode(state, targets, isOut))
                return QStringLiteral("Not drained, draining or down: nothing to resume.");
            break;
        case ActionKind::Down:
            if (!anyNode(state, targets, [&](const NodeInfo& node) { return !isDown(node); }))
                return QStringLiteral("Down already.");
            break;
        case ActionKind::Hold:
            if (!anyJob(state, targets,
                        [](const JobInfo& job) { return job.isPending() && !job.held; }))
                return QStringLiteral("Only a waiting job that is not held can be held.");
            break;
        case ActionKind::Release:
            if (!anyJob(state, targets, [](const JobInfo& job) { return job.held; }))
                return QStringLiteral("Not held: nothing to release.");
            break;
        case ActionKind::Requeue:
        case ActionKind::RequeueHold:
        case ActionKind::Resubmit:
            if (!anyJob(state, targets, [](const JobInfo& job) { return !job.isPending(); }))
                return QStringLiteral("It waits for its first start: there is nothing to restart.");
            break;
        case ActionKind::Cancel:
            if (!anyJob(state, targets,
                        [](const JobInfo& job) { return job.isActive() || job.isPending(); }))
                return QStringLiteral("It has ended already.");
            break;
        case ActionKind::Reboot:
        case ActionKind::Submit:
            break;
    }
    return {};
}

}  // namespace

QString actionName(ActionKind kind)
{
    switch (kind) {
        case ActionKind::Drain:
            return QStringLiteral("drain");
        case ActionKind::Resume:
            return QStringLiteral("resume");
        case ActionKind::Down:
            return QStringLiteral("down");
        case ActionKind::Reboot:
            return QStringLiteral("reboot");
        case ActionKind::Hold:
            return QStringLiteral("hold");
        case ActionKind::Release:
            return QStringLiteral("release");
        case ActionKind::Requeue:
            return QStringLiteral("requeue");
        case ActionKind::RequeueHold:
            return QStringLiteral("requeue-hold");
        case ActionKind::Resubmit:
            return QStringLiteral("resubmit");
        case ActionKind::Cancel:
            return QStringLiteral("cancel");
        case ActionKind::Submit:
            return QStringLiteral("submit");
    }
    Q_UNREACHABLE();
}

bool isNodeAction(ActionKind kind)
{
    return kind == ActionKind::Drain || kind == ActionKind::Resume || kind == ActionKind::Down ||
           kind == ActionKind::Reboot;
}

QString refusalFor(const ClusterState& state, ActionKind kind, const QStringList& targets)
{
    if (targets.isEmpty())
        return isNodeAction(kind) ? QStringLiteral("Mark a node first.")
                                  : QStringLiteral("Choose a job first.");
    if (state.isPast())
        return refusalInThePast();
    if (state.connection() != Connection::Connected)
        return QStringLiteral("Not connected to the daemon: nothing can be asked for now.");
    if (state.role() != Role::Operator && state.role() != Role::Admin)
        return QStringLiteral("Your role does not allow it. Ask for the operator role.");
    for (const RightInfo& right : state.rights()) {
        if (right.action == actionName(kind) && !right.allowed)
            return QStringLiteral("The daemon's account lacks this right in Slurm: %1")
                .arg(right.detail);
    }
    return wrongState(state, kind, targets);
}

}  // namespace yard::model
