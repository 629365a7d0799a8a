#include "ui/pages/overview/attention.h"

#include <QMap>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"

namespace yard::pages {
namespace {

using model::ClusterState;
using model::NodeCategory;
using widgets::Severity;
using Target = AttentionItem::Target;

constexpr double kOldDrainSeconds = 24 * 3600;
constexpr double kRefusalSeconds = 3600;
constexpr double kOldFaultSeconds = 24 * 3600;
const QString kDot = QStringLiteral(" · ");

double since(const ClusterState& state, const QDateTime& at)
{
    return at.isValid() ? double(at.msecsTo(state.now())) / 1000 : -1;
}

QString names(const QStringList& hosts)
{
    if (hosts.size() == 2)
        return hosts[0] + QStringLiteral(" and ") + hosts[1];
    return theme::folded(hosts, 40);
}

QString verb(qsizetype count, const char* one, const char* many)
{
    return QString::fromLatin1(count == 1 ? one : many);
}

QString lowered(const QString& text)
{
    return text.isEmpty() ? text : text.at(0).toLower() + text.mid(1);
}

void addOperations(const ClusterState& state, QVector<AttentionItem>& items)
{
    for (const model::OperationInfo& operation : state.operations()) {
        const QString what = lowered(theme::actionVerb(operation.kind));
        if (operation.state == model::OperationState::InDoubt) {
            items.push_back({Severity::Critical,
                             QStringLiteral("Operation %1 is in doubt: %2 %3")
                                 .arg(operation.id)
                                 .arg(what, operation.targetsFolded),
                             operation.message,
                             since(state, operation.requestedAt),
                             Target::Audit,
                             {}});
        }
        const double age = since(state, operation.finishedAt);
        if (operation.state == model::OperationState::Refused && age >= 0 &&
            age < kRefusalSeconds) {
            items.push_back(
                {Severity::Warning,
                 QStringLiteral("The scheduler refused to %1 %2")
                     .arg(what, operation.targetsFolded),
                 operation.message + kDot + QStringLiteral("asked by ") + operation.user,
                 age,
                 Target::Audit,
                 {}});
        }
    }
}

void addDaemon(const ClusterState& state, QVector<AttentionItem>& items)
{
    for (const QString& trouble : state.daemonTroubles())
        items.push_back({Severity::Warning,
                         QStringLiteral("The daemon does not keep everything"),
                         trouble,
                         -1,
                         Target::None,
                         {}});
}

void addFaults(const ClusterState& state, QVector<AttentionItem>& items)
{
    for (const model::FaultInfo& fault : state.faults()) {
        const double age = since(state, fault.at);
        if (age > kOldFaultSeconds)
            continue;
        const int node = state.nodeIndex(fault.host);
        QString where = fault.host;
        QStringList facts{theme::faultName(fault)};
        if (fault.count > 1)
            facts << QStringLiteral("%1 times").arg(theme::number(qint64(fault.count)));
        if (fault.gpuIndex) {
            where += QStringLiteral(", GPU %1").arg(*fault.gpuIndex);
            const int job = node < 0 ? -1 : state.jobOnGpu(node, *fault.gpuIndex);
            if (job >= 0) {
                const model::JobInfo& info = state.jobs()[job];
                facts << QStringLiteral("job %1 %2 has %3 there")
                             .arg(info.displayId, info.name,
                                  theme::counted(info.gpus, QStringLiteral("GPU"),
                                                 QStringLiteral("GPUs")));
            }
        }
        if (node >= 0)
            facts << QStringLiteral("node %1").arg(
                theme::categoryName(state.nodes()[node].category));
        items.push_back(
            {Severity::Fault, QStringLiteral("%1 on %2").arg(theme::faultMeaning(fault), where),
             facts.join(kDot), age, node < 0 ? Target::None : Target::Nodes, fault.host});
    }
}

void addNodes(const ClusterState& state, QVector<AttentionItem>& items)
{
    QStringList down;
    QStringList details;
    double oldestDown = -1;
    QStringList forgotten;
    double oldestDrain = -1;
    for (const model::NodeInfo& node : state.nodes()) {
        const double age = since(state, node.reasonTime);
        if (node.category == NodeCategory::Down || node.category == NodeCategory::Fail) {
            down << node.name;
            oldestDown = std::max(oldestDown, age);
            if (details.size() < 3 && node.reasonTime.isValid())
                details << QStringLiteral("%1 since %2")
                               .arg(node.name, theme::shortTime(node.reasonTime, state.now(),
                                                                state.timeZone()));
        }
        if (node.category == NodeCategory::Drained && node.ownedByOperation != 0 &&
            age > kOldDrainSeconds) {
            forgotten << node.name;
            oldestDrain = std::max(oldestDrain, age);
        }
    }
    if (!down.isEmpty()) {
        if (details.isEmpty())
            details << QStringLiteral("the scheduler gives no reason");
        items.push_back(
            {Severity::Fault,
             QStringLiteral("%1 %2 down").arg(names(down), verb(down.size(), "is", "are")),
             details.join(kDot), oldestDown, Target::Nodes, model::foldHostlist(down)});
    }
    if (!forgotten.isEmpty()) {
        items.push_back({Severity::Warning,
                         QStringLiteral("Our drain of %1 is over a day old").arg(names(forgotten)),
                         QStringLiteral("Drained and empty · return or extend"), oldestDrain,
                         Target::Nodes, model::foldHostlist(forgotten)});
    }
}

void addScheduler(const ClusterState& state, QVector<AttentionItem>& items)
{
    const model::SchedulerInfo& scheduler = state.scheduler();
    if (scheduler.kind.isEmpty())
        return;
    const bool known = theme::isSchedulerKnown(state);
    // Just started: it is being asked for the first time.
    if (!known && scheduler.error.isEmpty())
        return;
    if (!scheduler.up) {
        items.push_back({Severity::Fault,
                         known ? QStringLiteral("The scheduler does not answer")
                               : QStringLiteral("The scheduler has not been read yet"),
                         scheduler.error.isEmpty()
                             ? QStringLiteral("Nodes and jobs are as of the last reply")
                             : scheduler.error,
                         since(state, scheduler.lastSuccess),
                         Target::None,
                         {}});
    } else if (scheduler.backedOff) {
        items.push_back({Severity::Warning,
                         QStringLiteral("The scheduler answers slowly"),
                         QStringLiteral("Replies take %1 · asked every %2 only")
                             .arg(theme::duration(double(scheduler.replySeconds)),
                                  theme::duration(double(scheduler.pollSeconds))),
                         -1,
                         Target::None,
                         {}});
    }
    if (scheduler.badRecords > 0) {
        items.push_back(
            {Severity::Note,
             theme::counted(qint64(scheduler.badRecords), QStringLiteral("scheduler record"),
                            QStringLiteral("scheduler records")) +
                 QStringLiteral(" could not be read"),
             scheduler.firstBadRecord,
             -1,
             Target::None,
             {}});
    }
    QStringList refused;
    for (const model::RightInfo& right : state.rights()) {
        if (!right.allowed)
            refused << right.action;
    }
    if (!refused.isEmpty()) {
        items.push_back({Severity::Note,
                         QStringLiteral("Some actions are not allowed in the scheduler"),
                         refused.join(QStringLiteral(", ")),
                         -1,
                         Target::None,
                         {}});
    }
}

void addTargets(const ClusterState& state, QVector<AttentionItem>& items)
{
    QMap<QString, QStringList> byError;
    QHash<QString, double> ages;
    quint64 badLines = 0;
    QString firstBad;
    if (const QString why = theme::whyNoTelemetry(state);
        !why.isEmpty() && !state.nodes().isEmpty())
        items.push_back(
            {Severity::Note, QStringLiteral("GPUs are not measured"), why, -1, Target::None, {}});
    for (const model::TargetInfo& target : state.targets()) {
        badLines += target.badLines;
        if (firstBad.isEmpty())
            firstBad = target.firstBadLine;
        if (target.up)
            continue;
        const int node = state.nodeIndex(target.host);
        const NodeCategory category =
            node < 0 ? NodeCategory::Unknown : state.nodes()[node].category;
        // A node that is down or off needs no second line for its exporter.
        if (category == NodeCategory::Down || category == NodeCategory::Fail ||
            category == NodeCategory::PoweredOff)
            continue;
        const QString error = target.error.isEmpty() ? QStringLiteral("no answer") : target.error;
        byError[error] << (target.host.isEmpty() ? target.target : target.host);
        ages[error] = std::max(ages.value(error, -1), since(state, target.lastSuccess));
    }
    for (auto each = byError.begin(); each != byError.end(); ++each) {
        each->removeDuplicates();
        items.push_back({Severity::Warning,
                         QStringLiteral("%1 %2 no telemetry")
                             .arg(names(*each), verb(each->size(), "gives", "give")),
                         QStringLiteral("Exporter: ") + each.key(), ages.value(each.key()),
                         Target::Nodes, model::foldHostlist(*each)});
    }
    if (badLines > 0) {
        items.push_back(
            {Severity::Note,
             theme::counted(qint64(badLines), QStringLiteral("line"), QStringLiteral("lines")) +
                 QStringLiteral(" of telemetry could not be read"),
             firstBad,
             -1,
             Target::None,
             {}});
    }
}

void addStale(const ClusterState& state, QVector<AttentionItem>& items)
{
    QStringList stale;
    double oldest = -1;
    for (int node = 0; node < state.nodes().size(); ++node) {
        if (state.freshness(node) != model::Freshness::Stale)
            continue;
        stale << state.nodes()[node].name;
        oldest = std::max(oldest, state.readingAge(node));
    }
    // Cut off from the daemon everything is stale, and the banner says so.
    if (stale.isEmpty() || state.connection() != model::Connection::Connected)
        return;
    items.push_back(
        {Severity::Note,
         QStringLiteral("%1 %2 stale").arg(names(stale), verb(stale.size(), "is", "are")),
         QStringLiteral("Last reading %1 ago · interval %2")
             .arg(theme::duration(oldest), theme::duration(state.readingInterval())),
         oldest, Target::Nodes, model::foldHostlist(stale)});
}

}  // namespace

QVector<AttentionItem> attention(const ClusterState& state)
{
    QVector<AttentionItem> items;
    addDaemon(state, items);
    addOperations(state, items);
    addFaults(state, items);
    addNodes(state, items);
    addScheduler(state, items);
    addTargets(state, items);
    addStale(state, items);
    std::stable_sort(items.begin(), items.end(),
                     [](const AttentionItem& a, const AttentionItem& b) {
                         if (a.severity != b.severity)
                             return a.severity < b.severity;
                         const auto newest = [](double age) { return age < 0 ? 1e12 : age; };
                         return newest(a.ageSeconds) < newest(b.ageSeconds);
                     });
    return items;
}

}  // namespace yard::pages
