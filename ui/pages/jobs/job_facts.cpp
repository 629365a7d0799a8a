#include "ui/pages/jobs/job_facts.h"

#include <algorithm>

#include "ui/theme/wording.h"
#include "ui/widgets/actions/requested_note.h"

namespace yard::pages {

using model::ClusterState;
using model::JobInfo;
using theme::Color;
using widgets::Fact;

namespace {

constexpr int kOperationsShown = 8;

QString orDash(const QString& text)
{
    return text.isEmpty() ? QStringLiteral("-") : text;
}

QString exitWords(const JobInfo& job)
{
    QStringList words;
    if (job.exitCode)
        words << QStringLiteral("exit %1").arg(*job.exitCode);
    if (job.exitSignal && *job.exitSignal != 0)
        words << QStringLiteral("signal %1").arg(*job.exitSignal);
    return words.join(QStringLiteral(", "));
}

void addState(const ClusterState& state, const JobInfo& job, QVector<Fact>& facts)
{
    facts << Fact::pair(QStringLiteral("State"), orDash(job.stateText), true);
    const QString requested = widgets::requestedNote(state, job.displayId);
    if (!requested.isEmpty())
        facts << Fact::pair(QStringLiteral("Asked for"), requested, false, Color::AccentText);
    if (!job.reason.isEmpty() && job.reason != QLatin1String("None"))
        facts << Fact::pair(QStringLiteral("Reason"), job.reason, true);
    const bool ended = !job.isActive() && !job.isPending();
    if (ended && !exitWords(job).isEmpty())
        facts << Fact::pair(QStringLiteral("Ended with"), exitWords(job), true);
    if (job.held)
        facts << Fact::pair(QStringLiteral("Held"), QStringLiteral("yes, until it is released"));
    if (!job.dependency.isEmpty())
        facts << Fact::pair(QStringLiteral("Waits for"), job.dependency, true);
    facts << Fact::pair(
        QStringLiteral("User"),
        job.account.isEmpty() ? job.user : job.user + QStringLiteral(" \u00b7 ") + job.account,
        true);
    facts << Fact::pair(
        QStringLiteral("Queue"),
        job.partition + (job.qos.isEmpty() ? QString() : QStringLiteral(", QOS ") + job.qos) +
            QStringLiteral(", priority %1").arg(theme::number(qint64(job.priority))));
    if (!job.comment.isEmpty())
        facts << Fact::pair(QStringLiteral("Comment"), job.comment);
}

void addTimes(const ClusterState& state, const JobInfo& job, QVector<Fact>& facts)
{
    const QDateTime now = state.now();
    facts << Fact::heading(
        QStringLiteral("Times"),
        job.timeUnlimited ? QStringLiteral("no time limit")
        : job.timeLimitSeconds
            ? QStringLiteral("limit %1").arg(theme::columnDuration(*job.timeLimitSeconds))
            : QStringLiteral("limit not known"));
    const auto at = [&](const QString& label, const QDateTime& time, const QString& note) {
        if (time.isValid())
            facts << Fact::pair(label, theme::fullTime(time, state.timeZone()) + note, true);
    };
    at(QStringLiteral("Submitted"), job.submitTime, {});
    if (job.startTime.isValid() && job.submitTime.isValid()) {
        at(QStringLiteral("Started"), job.startTime,
           QStringLiteral(", after %1")
               .arg(theme::wholeDuration(job.submitTime.secsTo(job.startTime))));
    } else if (job.estimatedStart.isValid()) {
        at(QStringLiteral("May start"), job.estimatedStart, QStringLiteral(", says Slurm"));
    }
    if (job.endTime.isValid() && job.startTime.isValid()) {
        at(QStringLiteral("Ended"), job.endTime,
           QStringLiteral(", after %1")
               .arg(theme::wholeDuration(job.startTime.secsTo(job.endTime))));
    } else if (job.isActive() && job.startTime.isValid()) {
        facts << Fact::pair(QStringLiteral("Runs for"),
                            theme::wholeDuration(job.startTime.secsTo(now)), true);
        if (job.timeLimitSeconds)
            at(QStringLiteral("Ends by"), job.startTime.addSecs(*job.timeLimitSeconds), {});
    }
}

void addPlace(const JobInfo& job, QVector<Fact>& facts)
{
    facts << Fact::heading(
        QStringLiteral("Place"),
        QStringLiteral("%1 on %2")
            .arg(theme::counted(job.gpus, QStringLiteral("GPU"), QStringLiteral("GPUs")),
                 theme::counted(job.nodeCount, QStringLiteral("node"), QStringLiteral("nodes"))));
    if (!job.nodes.isEmpty())
        facts << Fact::linkTo(QStringLiteral("Nodes"), job.nodes,
                              QStringLiteral("nodes:") + job.nodes);
    if (!job.excludedNodes.isEmpty())
        facts << Fact::pair(QStringLiteral("Not on"), job.excludedNodes, true);
    if (job.cpus > 0)
        facts << Fact::pair(QStringLiteral("CPUs"), theme::number(qint64(job.cpus)), true);
    if (!job.workDirectory.isEmpty())
        facts << Fact::pair(QStringLiteral("Directory"), job.workDirectory, true);
    if (!job.standardOutput.isEmpty())
        facts << Fact::pair(QStringLiteral("Output"), job.standardOutput, true);
}

void addAttempts(const ClusterState& state, const JobInfo& job,
                 const QVector<model::JobAttemptInfo>& attempts, const QString& error,
                 QVector<Fact>& facts)
{
    facts << Fact::heading(QStringLiteral("Attempts"),
                           job.restarts > 0
                               ? QStringLiteral("requeued %1")
                                     .arg(theme::counted(job.restarts, QStringLiteral("time"),
                                                         QStringLiteral("times")))
                               : QString());
    if (!job.previousJob.isEmpty())
        facts << Fact::linkTo(QStringLiteral("Restarts"), QStringLiteral("job ") + job.previousJob,
                              QStringLiteral("job:") + job.previousJob);
    if (!job.nextJob.isEmpty())
        facts << Fact::linkTo(QStringLiteral("Restarted as"), QStringLiteral("job ") + job.nextJob,
                              QStringLiteral("job:") + job.nextJob);
    if (!error.isEmpty())
        facts << Fact::sentence(error, Color::WarnText);
    const QVector<int> widths{84, 0, -110, -84};
    if (attempts.size() > 1)
        facts << Fact::headRow({QStringLiteral("Job"), QStringLiteral("State"),
                                QStringLiteral("Started"), QStringLiteral("Ran")},
                               widths);
    for (const model::JobAttemptInfo& attempt : attempts) {
        const JobInfo& one = attempt.job;
        if (attempts.size() == 1 && one.displayId == job.displayId)
            break;
        const QDateTime end = one.endTime.isValid() ? one.endTime : state.now();
        facts << Fact::row(
            {one.displayId,
             one.stateText + (attempt.operationId != 0
                                  ? QStringLiteral(", by operation %1").arg(attempt.operationId)
                                  : QString()),
             theme::shortTime(one.startTime, state.now(), state.timeZone()),
             one.startTime.isValid() ? theme::columnDuration(one.startTime.secsTo(end))
                                     : QStringLiteral("-")},
            widths,
            one.displayId == job.displayId ? QString() : QStringLiteral("job:") + one.displayId);
    }
    if (attempts.size() <= 1 && error.isEmpty() && job.previousJob.isEmpty() &&
        job.nextJob.isEmpty())
        facts << Fact::sentence(QStringLiteral("This is the only one known."));
}

void addOperations(const ClusterState& state, const JobInfo& job, QVector<Fact>& facts)
{
    QVector<Fact> rows;
    for (const model::OperationInfo& operation : state.operations()) {
        const bool here = operation.newJob.split(QStringLiteral(", ")).contains(job.displayId) ||
                          std::any_of(operation.targets.begin(), operation.targets.end(),
                                      [&](const auto& t) { return t.name == job.displayId; });
        if (!here || rows.size() == kOperationsShown)
            continue;
        rows << Fact::row({theme::actionVerb(operation.kind), widgets::operationOutcome(operation),
                           operation.user,
                           theme::shortTime(operation.requestedAt, state.now(), state.timeZone())},
                          {112, 0, 72, -84});
    }
    facts << Fact::heading(QStringLiteral("Operations"),
                           rows.isEmpty() ? QStringLiteral("none in the last day") : QString());
    facts += rows;
}

}  // namespace

QVector<Fact> jobFacts(const ClusterState& state, const JobInfo& job,
                       const QVector<model::JobAttemptInfo>& attempts, const QString& attemptsError)
{
    QVector<Fact> facts;
    addState(state, job, facts);
    addTimes(state, job, facts);
    addPlace(job, facts);
    addAttempts(state, job, attempts, attemptsError, facts);
    addOperations(state, job, facts);
    return facts;
}

}  // namespace yard::pages
