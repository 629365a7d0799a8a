#include "ui/pages/nodes/node_facts.h"

#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/requested_note.h"

namespace yard::pages {

using model::ClusterState;
using model::GpuMetric;
using theme::Color;
using widgets::Fact;

namespace {

constexpr int kOperationsShown = 6;

QString orDash(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("-") : text;
}

void addState(const ClusterState& state, const model::NodeInfo& node, QVector<Fact>& facts)
{
    facts << Fact::pair(QStringLiteral("State"), orDash(node.stateText), true);
    const QString requested = widgets::requestedNote(state, node.name);
    if (!requested.isEmpty())
        facts << Fact::pair(QStringLiteral("Asked for"), requested, false, Color::AccentText);
    if (!node.reason.isEmpty())
        facts << Fact::pair(QStringLiteral("Reason"), node.reason);
    if (!node.reasonUser.isEmpty() || node.reasonTime.isValid()) {
        facts << Fact::pair(
            QStringLiteral("Set by"),
            QStringLiteral("%1, %2").arg(orDash(node.reasonUser),
                                         node.reasonTime.isValid()
                                             ? theme::fullTime(node.reasonTime, state.timeZone())
                                             : QStringLiteral("time not known")),
            true);
    }
    if (node.ownedByOperation != 0)
        facts << Fact::pair(QStringLiteral("Drained by"),
                            QStringLiteral("operation %1 of ours").arg(node.ownedByOperation));
    if (!node.reservation.isEmpty())
        facts << Fact::pair(QStringLiteral("Reservation"), node.reservation, true);
    if (!node.comment.isEmpty())
        facts << Fact::pair(QStringLiteral("Comment"), node.comment);
}

void addPlace(const ClusterState& state, const model::NodeInfo& node, QVector<Fact>& facts)
{
    QStringList place;
    if (!node.switchName.isEmpty())
        place << QStringLiteral("switch ") + node.switchName;
    if (!node.rack.isEmpty())
        place << QStringLiteral("rack ") + node.rack;
    facts << Fact::pair(QStringLiteral("Partition"),
                        orDash(node.partitions.join(QStringLiteral(", "))));
    facts << Fact::pair(QStringLiteral("Place"), place.isEmpty()
                                                     ? QStringLiteral("not configured")
                                                     : place.join(QStringLiteral(", ")));
    if (node.cpusTotal)
        facts << Fact::pair(
            QStringLiteral("CPUs"),
            QStringLiteral("%1 of %2 allocated, load %3")
                .arg(node.cpusAllocated ? theme::number(qint64(*node.cpusAllocated))
                                        : QStringLiteral("?"),
                     theme::number(qint64(*node.cpusTotal)),
                     node.cpuLoad ? theme::number(*node.cpuLoad, 1) : QStringLiteral("not known")));
    if (node.memoryTotalMib)
        facts << Fact::pair(
            QStringLiteral("Memory"),
            QStringLiteral("%1, free: %2")
                .arg(theme::memory(double(*node.memoryTotalMib)).text(),
                     node.memoryFreeMib ? theme::memory(double(*node.memoryFreeMib)).text()
                                        : QStringLiteral("not known")));
    if (node.bootTime.isValid())
        facts << Fact::pair(QStringLiteral("Booted"),
                            theme::fullTime(node.bootTime, state.timeZone()), true);
    if (!node.version.isEmpty())
        facts << Fact::pair(QStringLiteral("slurmd"), node.version, true);
}

QString reading(const ClusterState& state, GpuMetric metric, int node, int gpu)
{
    const float value = state.gpuValue(metric, node, gpu);
    if (std::isnan(value) || state.freshness(node) == model::Freshness::Missing)
        return QStringLiteral("-");
    return theme::quantity(metric, value).text();
}

void addGpus(const ClusterState& state, int position, const model::NodeInfo& node,
             QVector<Fact>& facts)
{
    const double age = state.readingAge(position);
    Fact heading =
        Fact::heading(QStringLiteral("GPUs"),
                      QStringLiteral("%1 of %2 in use, %3")
                          .arg(node.gpusAllocated)
                          .arg(node.gpusTotal)
                          .arg(age < 0 ? QStringLiteral("never read")
                                       : QStringLiteral("read %1 ago").arg(theme::age(age))));
    if (state.freshness(position) == model::Freshness::Ageing)
        heading.tone = Color::WarnText;
    facts << heading;
    if (node.gpusTotal == 0)
        return;
    const QVector<int> widths{22, 0, -64, -76, -60, -58};
    facts << Fact::headRow(
        {QString(), QStringLiteral("Job"), QStringLiteral("SM"), QStringLiteral("Memory"),
         QStringLiteral("Power"), QStringLiteral("Core")},
        widths);
    for (int gpu = 0; gpu < node.gpusTotal; ++gpu) {
        const int job = state.jobOnGpu(position, gpu);
        Fact row =
            Fact::row({QString::number(gpu),
                       job >= 0 ? state.jobs()[job].displayId
                                : (node.gpuIndicesInUse.contains(gpu) ? QStringLiteral("in use")
                                                                      : QStringLiteral("-")),
                       reading(state, GpuMetric::SmActivity, position, gpu),
                       reading(state, GpuMetric::MemoryUsed, position, gpu),
                       reading(state, GpuMetric::Power, position, gpu),
                       reading(state, GpuMetric::CoreTemperature, position, gpu)},
                      widths);
        if (state.gpuHasFault(position, gpu))
            row.tone = Color::FaultText;
        else if (state.freshness(position) == model::Freshness::Stale)
            row.tone = Color::TextMuted;
        facts << row;
    }
    for (const model::FaultInfo& fault : state.faults()) {
        if (fault.host == node.name) {
            facts << Fact::sentence(
                QStringLiteral("%1%2, %3: %4")
                    .arg(theme::faultName(fault),
                         fault.gpuIndex ? QStringLiteral(" on GPU %1").arg(*fault.gpuIndex)
                                        : QString(),
                         theme::shortTime(fault.at, state.now(), state.timeZone()),
                         theme::faultMeaning(fault).isEmpty() ? fault.text
                                                              : theme::faultMeaning(fault)),
                Color::FaultText);
        }
    }
    if (!node.gpuModel.isEmpty())
        facts << Fact::sentence(node.gpuModel);
}

void addJobs(const ClusterState& state, int position, QVector<Fact>& facts)
{
    const QVector<int> jobs = state.jobsOnNode(position);
    facts << Fact::heading(QStringLiteral("Jobs here"), jobs.isEmpty()
                                                            ? QStringLiteral("none")
                                                            : theme::number(qint64(jobs.size())));
    const QVector<int> widths{96, 0, 80, -84};
    for (const int index : jobs) {
        const model::JobInfo& job = state.jobs()[index];
        const QDateTime now = state.now();
        facts << Fact::row(
            {job.displayId, job.name, job.user,
             job.startTime.isValid() ? theme::columnDuration(job.startTime.secsTo(now))
                                     : QStringLiteral("-")},
            widths, QStringLiteral("job:") + job.displayId);
    }
}

void addSources(const ClusterState& state, const model::NodeInfo& node, QVector<Fact>& facts)
{
    QVector<Fact> sources;
    for (const model::TargetInfo& target : state.targets()) {
        // A source without a host, such as a Prometheus server, is about every node.
        if (target.host != node.name && !target.host.isEmpty())
            continue;
        const QString age = target.lastSuccess.isValid()
                                ? theme::age(double(target.lastSuccess.msecsTo(state.now())) / 1000)
                                : QStringLiteral("never");
        Fact row = Fact::row(
            {target.target, target.kind,
             target.up ? age + QStringLiteral(" ago") : QStringLiteral("down, last ") + age},
            {0, 76, -140});
        if (!target.up)
            row.tone = Color::WarnText;
        sources << row;
        if (!target.error.isEmpty())
            sources << Fact::sentence(target.error, Color::WarnText);
        if (target.badLines > 0)
            sources << Fact::sentence(
                QStringLiteral("%1 skipped. First: %2")
                    .arg(theme::counted(qint64(target.badLines), QStringLiteral("line"),
                                        QStringLiteral("lines")),
                         target.firstBadLine));
    }
    facts << Fact::heading(QStringLiteral("Sources"), !sources.isEmpty() ? QString()
                                                      : state.targets().isEmpty()
                                                          ? QStringLiteral("none configured")
                                                          : QStringLiteral("none for this node"));
    facts += sources;
}

void addOperations(const ClusterState& state, const model::NodeInfo& node, QVector<Fact>& facts)
{
    QVector<Fact> rows;
    for (const model::OperationInfo& operation : state.operations()) {
        const bool here = std::any_of(operation.targets.begin(), operation.targets.end(),
                                      [&](const auto& target) { return target.name == node.name; });
        if (!here)
            continue;
        rows << Fact::row({theme::actionVerb(operation.kind), widgets::operationOutcome(operation),
                           operation.user,
                           theme::shortTime(operation.requestedAt, state.now(), state.timeZone())},
                          {72, 0, 72, -84});
        if (rows.size() == kOperationsShown)
            break;
    }
    facts << Fact::heading(QStringLiteral("Operations"),
                           rows.isEmpty() ? QStringLiteral("none in the last day") : QString());
    facts += rows;
}

}  // namespace

QVector<Fact> nodeFacts(const ClusterState& state, int position)
{
    const model::NodeInfo& node = state.nodes()[position];
    QVector<Fact> facts;
    addState(state, node, facts);
    addPlace(state, node, facts);
    addGpus(state, position, node, facts);
    addJobs(state, position, facts);
    addSources(state, node, facts);
    addOperations(state, node, facts);
    return facts;
}

}  // namespace yard::pages
