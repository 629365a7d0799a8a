#include "tests/support/local_actions.h"

#include <QCryptographicHash>
#include <QSet>
#include <QTimer>
#include <cmath>

#include "ui/model/action_rules.h"
#include "ui/model/hostlist.h"

namespace yard::test {

using namespace model;

namespace {

template <typename T>
void later(QObject* context, const Actions::Callback<T>& done, Reply<T> reply)
{
    QTimer::singleShot(0, context, [done, reply = std::move(reply)] { done(reply); });
}

QString commandFor(const ActionRequest& request, const QString& targets)
{
    switch (request.kind) {
        case ActionKind::Drain:
            return QStringLiteral("scontrol update NodeName=%1 State=DRAIN Reason='yard:ID %2'")
                .arg(targets, request.reason);
        case ActionKind::Cancel:
            return QStringLiteral("scancel ") + targets;
        case ActionKind::Requeue:
            return QStringLiteral("scontrol requeue ") + targets;
        default:
            return QStringLiteral("scontrol %1 %2").arg(actionName(request.kind), targets);
    }
}

}  // namespace

LocalActions::LocalActions(ClusterState& state)
    : m_state(state)
{
}

PreviewInfo LocalActions::makePreview(const ActionRequest& request) const
{
    PreviewInfo preview;
    preview.kind = request.kind;
    preview.made = m_state.now();
    preview.expires = preview.made.addSecs(m_previewSeconds);
    const bool nodes = isNodeAction(request.kind);
    const QStringList names = nodes ? request.nodes : request.jobs;
    preview.targets = nodes ? foldHostlist(names) : names.join(QLatin1Char(','));
    preview.targetCount = int(names.size());
    preview.commands = {commandFor(request, preview.targets)};
    QSet<int> jobs;
    QSet<QString> users;
    for (const QString& name : names) {
        if (nodes) {
            for (const int job : m_state.jobsOnNode(m_state.nodeIndex(name)))
                jobs.insert(job);
        } else if (const JobInfo* job = m_state.job(name); job && job->isActive()) {
            jobs.insert(int(job - m_state.jobs().constData()));
        }
    }
    const bool kills = request.kind == ActionKind::Cancel || request.kind == ActionKind::Down ||
                       request.kind == ActionKind::Requeue;
    for (const int index : jobs) {
        const JobInfo& job = m_state.jobs()[index];
        users.insert(job.user);
        const double hours =
            job.startTime.isValid() ? double(job.startTime.secsTo(preview.made)) / 3600 : 0;
        preview.jobs.append({job.displayId, job.name, job.user, std::min(job.gpus, 8), job.gpus,
                             job.timeLimitSeconds && job.startTime.isValid()
                                 ? job.startTime.addSecs(*job.timeLimitSeconds)
                                 : QDateTime(),
                             hours * job.gpus, kills});
        preview.emptyBy = std::max(preview.emptyBy, preview.jobs.constLast().endsBy);
        preview.gpus += std::min(job.gpus, 8);
        preview.gpuHoursAtRisk += hours * job.gpus;
        preview.jobsKilled += kills ? 1 : 0;
        if (!job.timeLimitSeconds)
            preview.warnings.append(
                QStringLiteral("%1 has no time limit: its nodes stay draining until it ends.")
                    .arg(job.name));
    }
    preview.users = int(users.size());
    preview.freeReplacements = 21;
    if (request.kind == ActionKind::Drain)
        preview.warnings.append(
            QStringLiteral("Undo is offered while the nodes are still as this left them."));
    preview.reasonRequired = request.kind == ActionKind::Drain || request.kind == ActionKind::Down;
    preview.reasonPossible = true;
    preview.typedCountRequired = preview.targetCount > 8 ? preview.targetCount : 0;
    return preview;
}

void LocalActions::preview(const ActionRequest& request, Callback<PreviewInfo> done)
{
    m_lastRequest = request;
    Reply<PreviewInfo> reply;
    if (!m_denied.isEmpty()) {
        reply.error = m_denied;
        reply.code = ReplyCode::Denied;
    } else {
        PreviewInfo preview = makePreview(request);
        preview.token = QStringLiteral("token-%1").arg(m_nextToken++);
        m_tickets.insert(preview.token, {request, preview, m_state.revision()});
        reply.value = preview;
    }
    later(this, done, std::move(reply));
}

void LocalActions::previewUndo(quint64 operationId, Callback<PreviewInfo> done)
{
    for (const OperationInfo& operation : qAsConst(m_operations)) {
        if (operation.id != operationId)
            continue;
        ActionRequest request;
        request.kind = operation.kind == ActionKind::Drain ? ActionKind::Resume : ActionKind::Drain;
        for (const OperationTarget& target : operation.targets)
            request.nodes.append(target.name);
        preview(request, std::move(done));
        return;
    }
    later(
        this, done,
        Reply<PreviewInfo>{{}, QStringLiteral("There is no such operation."), ReplyCode::Refused});
}

void LocalActions::execute(const QString& token, const QString& requestId, const QString& reason,
                           int typedCount, Callback<OperationInfo> done)
{
    ++m_executeCalls;
    const auto answer = [&](Reply<OperationInfo> reply) {
        if (reply.value && m_toLose > 0) {
            --m_toLose;
            reply = {{}, QStringLiteral("The daemon did not answer in time."), ReplyCode::NoAnswer};
        }
        later(this, done, std::move(reply));
    };
    for (const OperationInfo& operation : qAsConst(m_operations)) {
        if (operation.requestId == requestId)
            return answer({operation, {}, ReplyCode::Ok});
    }
    const auto ticket = m_tickets.constFind(token);
    if (ticket == m_tickets.cend() || ticket->revision != m_state.revision())
        return answer(
            {{}, QStringLiteral("The state has changed since the preview."), ReplyCode::Changed});
    if (ticket->preview.reasonRequired && reason.isEmpty())
        return answer({{}, QStringLiteral("A reason is required."), ReplyCode::Refused});
    if (ticket->preview.typedCountRequired != typedCount && ticket->preview.typedCountRequired > 0)
        return answer({{}, QStringLiteral("The typed count is wrong."), ReplyCode::Refused});

    OperationInfo operation;
    operation.id = ++m_nextOperation;
    operation.requestId = requestId;
    operation.kind = ticket->request.kind;
    operation.reason = reason;
    operation.user = m_state.user();
    operation.requestedAt = m_state.now();
    operation.targetsFolded = ticket->preview.targets;
    operation.commands = ticket->preview.commands;
    for (const QString& name : ticket->request.nodes + ticket->request.jobs)
        operation.targets.append({name, TargetState::Requested, {}, {}});
    m_operations.append(operation);
    m_tickets.remove(token);
    write(QStringLiteral("requested"), operation, {});
    report(operation);
    answer({operation, {}, ReplyCode::Ok});
}

void LocalActions::report(const OperationInfo& operation)
{
    if (m_held)
        return;
    ClusterUpdate update;
    update.baseRevision = m_state.revision();
    update.revision = update.baseRevision + 1;
    update.at = m_state.now();
    update.operations = {operation};
    m_state.apply(update);
}

void LocalActions::observe(quint64 operationId)
{
    for (OperationInfo& operation : m_operations) {
        if (operation.id != operationId)
            continue;
        operation.state = OperationState::Observed;
        operation.finishedAt = m_state.now();
        operation.undoable = operation.kind == ActionKind::Drain;
        for (OperationTarget& target : operation.targets)
            target.state = TargetState::Observed;
        write(QStringLiteral("observed"), operation,
              QStringLiteral("ALLOCATED \u2192 ALLOCATED+DRAIN"));
        report(operation);
        return;
    }
}

void LocalActions::refuse(quint64 operationId, const QString& words)
{
    for (OperationInfo& operation : m_operations) {
        if (operation.id != operationId)
            continue;
        operation.state = OperationState::Refused;
        operation.finishedAt = m_state.now();
        operation.message = words;
        for (OperationTarget& target : operation.targets)
            target.state = TargetState::Refused;
        write(QStringLiteral("refused"), operation, words);
        report(operation);
        return;
    }
}

void LocalActions::write(const QString& event, const OperationInfo& operation,
                         const QString& detail)
{
    AuditInfo record;
    record.sequence = quint64(m_chain.size()) + 1;
    record.at = m_state.now();
    record.user = operation.user;
    record.role = QStringLiteral("operator");
    record.from = QStringLiteral("unix pid 4711");
    record.event = event;
    record.operationId = operation.id;
    record.action = actionName(operation.kind);
    record.targets = operation.targetsFolded;
    record.reason = operation.reason;
    record.command = operation.commands.join(QLatin1Char('\n'));
    record.detail = detail;
    record.previousHash =
        m_chain.isEmpty() ? QString(64, QLatin1Char('0')) : m_chain.constLast().hash;
    const QString all = record.previousHash + event + record.targets + record.detail;
    record.hash = QString::fromLatin1(
        QCryptographicHash::hash(all.toUtf8(), QCryptographicHash::Sha256).toHex());
    m_chain.append(record);
}

void LocalActions::breakChainAt(quint64 sequence)
{
    m_chain[int(sequence) - 1].detail += QStringLiteral(" (altered)");
    m_chainError = QStringLiteral("Record %1 was changed after it was written.").arg(sequence);
}

void LocalActions::audit(quint64 afterSequence, int limit, Callback<AuditPage> done)
{
    AuditPage page;
    for (const AuditInfo& record : qAsConst(m_chain)) {
        if (record.sequence > afterSequence && page.records.size() < limit)
            page.records.append(record);
    }
    page.chainError = m_chainError;
    page.chainOk = m_chainError.isEmpty();
    later(this, done, Reply<AuditPage>{page, {}, ReplyCode::Ok});
}

void LocalActions::attempts(const QString& displayId, Callback<QVector<JobAttemptInfo>> done)
{
    Reply<QVector<JobAttemptInfo>> reply;
    const JobInfo* job = m_state.job(displayId);
    if (job)
        reply.value = QVector<JobAttemptInfo>{{*job, 0}};
    else
        reply.error = QStringLiteral("There is no job %1.").arg(displayId);
    later(this, done, std::move(reply));
}

void LocalActions::series(const SeriesRequest& request, Callback<SeriesInfo> done)
{
    m_seriesAsked.append(request);
    if (m_withoutSeries.contains(request.subject.node))
        return later(
            this, done,
            Reply<SeriesInfo>{
                {},
                QStringLiteral("No readings of %1 were ever kept.").arg(request.subject.node),
                ReplyCode::Changed});
    constexpr qint64 kStepMs = 15'000;
    constexpr qint64 kHourMs = 3'600'000;
    const qint64 from = request.from.toMSecsSinceEpoch();
    const qint64 to = request.to.toMSecsSinceEpoch();
    const qint64 most = request.maxPoints > 0 ? request.maxPoints : 2000;
    SeriesInfo info;
    info.stepMs = ((to - from) / kStepMs / most + 1) * kStepMs;
    const double shift = double(qHash(request.subject.node) % 7) + request.subject.gpu;
    for (const int metric : request.metrics) {
        QVector<SeriesPoint> points;
        for (qint64 at = from - from % info.stepMs; at < to; at += info.stepMs) {
            const qint64 inHour = at % kHourMs;
            if (inHour > kHourMs * 2 / 5 && inHour < kHourMs * 3 / 5)
                continue;
            const auto value = float(50 + 30 * std::sin(double(at) / 2e6 + shift + metric) + shift);
            points.append({at, value - 6, value, value + 4});
        }
        info.metrics.append(points);
    }
    later(this, done, Reply<SeriesInfo>{info, {}, ReplyCode::Ok});
}

void LocalActions::characterize(const CharacterizeRequest& request, Callback<Characterization> done)
{
    m_characterizationsAsked.append(request);
    Reply<Characterization> reply;
    reply.value = m_characterization;
    if (!reply.value) {
        reply.error = QStringLiteral("This daemon has no journal to read jobs from.");
        reply.code = ReplyCode::Changed;
    }
    later(this, done, std::move(reply));
}

}  // namespace yard::test
