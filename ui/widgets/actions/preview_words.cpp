#include "ui/widgets/actions/preview_words.h"

#include "ui/model/action_rules.h"
#include "ui/theme/wording.h"

namespace yard::widgets {

using model::ActionKind;

bool isRestart(ActionKind kind)
{
    return kind == ActionKind::Requeue || kind == ActionKind::RequeueHold ||
           kind == ActionKind::Resubmit;
}

bool isFirstDanger(ActionKind kind)
{
    return kind == ActionKind::Drain || kind == ActionKind::Hold || kind == ActionKind::Reboot ||
           isRestart(kind);
}

bool isSecondDanger(const model::ActionRequest& request)
{
    return request.kind == ActionKind::Cancel || request.kind == ActionKind::Down ||
           (request.kind == ActionKind::Reboot && !request.rebootWhenIdle);
}

QString thingsCounted(ActionKind kind, int count)
{
    return model::isNodeAction(kind)
               ? theme::counted(count, QStringLiteral("node"), QStringLiteral("nodes"))
               : theme::counted(count, QStringLiteral("job"), QStringLiteral("jobs"));
}

QString previewTitle(const model::PreviewInfo& preview)
{
    const QString verb = theme::actionVerb(preview.kind);
    if (preview.targetCount == 1 && !model::isNodeAction(preview.kind))
        return verb + QStringLiteral(" job ") + preview.targets;
    return verb + QLatin1Char(' ') +
           (preview.targetCount == 1 ? preview.targets
                                     : thingsCounted(preview.kind, preview.targetCount));
}

QString requestTitle(const model::ActionRequest& request)
{
    if (isRestart(request.kind))
        return QStringLiteral("Restart");
    return theme::actionVerb(request.kind);
}

QString dismissTitle(const model::ActionRequest& request)
{
    if (request.kind != ActionKind::Cancel)
        return QStringLiteral("Back");
    return request.jobs.size() == 1 ? QStringLiteral("Keep job")
                                    : QStringLiteral("Keep %1").arg(
                                          thingsCounted(request.kind, int(request.jobs.size())));
}

QString endsByWords(const QDateTime& at, const QDateTime& now, const QTimeZone& zone)
{
    const QString words = theme::shortTime(at, now, zone);
    // A day beyond this week stands without its hour: the tooltip and the job have it.
    return words.size() > 10 ? words.left(10) : words;
}

static QString killedCaption(const model::PreviewInfo& preview)
{
    if (preview.jobsKilled > 0)
        return isRestart(preview.kind) ? QStringLiteral("ended and started again")
                                       : QStringLiteral("ended at once");
    if (preview.kind == ActionKind::Drain)
        return QStringLiteral("a drain waits for jobs");
    if (preview.kind == ActionKind::Reboot)
        return QStringLiteral("it waits for jobs");
    return QStringLiteral("no job is ended");
}

QVector<PreviewTile> previewTiles(const model::PreviewInfo& preview, const QDateTime& now,
                                  const QTimeZone& zone)
{
    const auto jobs = [](int count) {
        return count == 0 ? QStringLiteral("none")
                          : theme::counted(count, QStringLiteral("job"), QStringLiteral("jobs"));
    };
    const bool nodes = model::isNodeAction(preview.kind);
    const int count = int(preview.jobs.size());
    QVector<PreviewTile> tiles;
    tiles.append(
        {nodes ? QStringLiteral("Running there") : QStringLiteral("Running now"),
         jobs(count),
         {},
         count == 0
             ? QStringLiteral("no GPUs in use")
             : QStringLiteral("%1, %2").arg(
                   theme::counted(preview.users, QStringLiteral("user"), QStringLiteral("users")),
                   theme::counted(preview.gpus, QStringLiteral("GPU"), QStringLiteral("GPUs")))});
    tiles.append(
        {QStringLiteral("Killed by this"), jobs(preview.jobsKilled), {}, killedCaption(preview)});
    double atRisk = preview.jobsKilled > 0 ? preview.gpuHoursAtRisk : 0;
    for (const auto& job : preview.jobs)
        atRisk += preview.jobsKilled > 0 ? 0 : job.gpuHoursAtRisk;
    const bool one = (preview.jobsKilled > 0 ? preview.jobsKilled : count) == 1;
    tiles.append({preview.jobsKilled > 0
                      ? (one ? QStringLiteral("Lost with it") : QStringLiteral("Lost with them"))
                  : one ? QStringLiteral("At risk if it died now")
                        : QStringLiteral("At risk if they died now"),
                  theme::figure(atRisk), QStringLiteral("GPU-h"),
                  one ? QStringLiteral("since its start") : QStringLiteral("since their starts")});
    int limited = 0;
    for (const auto& job : preview.jobs)
        limited += job.endsBy.isValid() ? 1 : 0;
    tiles.append({nodes ? QStringLiteral("All empty by") : QStringLiteral("Ends by"),
                  count == 0                  ? QStringLiteral("now")
                  : preview.emptyBy.isValid() ? endsByWords(preview.emptyBy, now, zone)
                                              : QStringLiteral("no limit"),
                  {},
                  count == 0 ? QStringLiteral("nothing runs")
                             : QStringLiteral("%1 of %2, by time limits").arg(limited).arg(count)});
    tiles.append(
        {QStringLiteral("Free replacements"),
         theme::counted(preview.freeReplacements, QStringLiteral("node"), QStringLiteral("nodes")),
         {},
         QStringLiteral("idle in the same partition")});
    return tiles;
}

QString previewChanges(const model::PreviewInfo& before, const model::PreviewInfo& after)
{
    QStringList parts;
    const auto compare = [&parts](const QString& what, const QString& old, const QString& now) {
        if (old != now)
            parts.append(QStringLiteral("%1 %2 \u2192 %3").arg(what, old, now));
    };
    compare(model::isNodeAction(after.kind) ? QStringLiteral("nodes") : QStringLiteral("jobs"),
            before.targets, after.targets);
    compare(QStringLiteral("running there"), theme::number(qint64(before.jobs.size())),
            theme::number(qint64(after.jobs.size())));
    compare(QStringLiteral("killed"), theme::number(qint64(before.jobsKilled)),
            theme::number(qint64(after.jobsKilled)));
    compare(QStringLiteral("GPUs in use"), theme::number(qint64(before.gpus)),
            theme::number(qint64(after.gpus)));
    compare(QStringLiteral("free replacements"), theme::number(qint64(before.freeReplacements)),
            theme::number(qint64(after.freeReplacements)));
    if (before.refusal != after.refusal && !after.refusal.isEmpty())
        parts.append(after.refusal);
    return parts.join(QStringLiteral("; "));
}

QString restartMeaning(ActionKind kind, int count)
{
    switch (kind) {
        case ActionKind::Requeue:
            return QStringLiteral(
                "Same job id and script. Slurm holds a requeued job for two minutes before it may "
                "start.");
        case ActionKind::RequeueHold:
            return QStringLiteral("Same job id and script. It waits until somebody releases it.");
        case ActionKind::Resubmit:
            return count > 1 ? QStringLiteral(
                                   "A new job for each, with the same script, options and "
                                   "environment. They may start at once; each is linked to the one "
                                   "it replaces.")
                             : QStringLiteral(
                                   "A new job with the same script, options and environment. It "
                                   "may start at once; the two are linked.");
        default:
            return {};
    }
}

}  // namespace yard::widgets
