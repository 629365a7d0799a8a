#include "ui/theme/unknown.h"

#include "ui/model/cluster_state.h"

namespace yard::theme {

QString unknownFigure()
{
    return QStringLiteral("\u2013");
}

bool isSchedulerKnown(const model::ClusterState& state)
{
    if (state.isPast())
        return state.isPastKnown();
    const model::SchedulerInfo& scheduler = state.scheduler();
    return scheduler.kind.isEmpty() || scheduler.up || scheduler.lastSuccess.isValid();
}

QString whyUnknown(const model::ClusterState& state)
{
    if (!state.hasSnapshot())
        return QStringLiteral("The daemon has not sent a first picture of the cluster.");
    if (isSchedulerKnown(state))
        return {};
    if (state.isPast())
        return QStringLiteral("The daemon did not look at the scheduler then.");
    const QString cause = state.scheduler().error;
    return cause.isEmpty() ? QStringLiteral("The scheduler has not been read yet.")
                           : QStringLiteral("The scheduler has not been read yet: ") + cause;
}

QString whyNoTelemetry(const model::ClusterState& state)
{
    // How the sources were doing is not kept.
    if (!state.hasSnapshot() || state.isPast() || !state.targets().isEmpty())
        return {};
    return QStringLiteral(
        "No source of telemetry is configured: [[telemetry.source]] in yardmasterd.toml.");
}

}  // namespace yard::theme
