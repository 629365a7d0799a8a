#include "ui/widgets/actions/outcome_words.h"

#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/preview_words.h"

namespace yard::widgets {

ToastText outcomeToast(const model::ClusterState& state, const model::OperationInfo& operation)
{
    const int count = int(operation.targets.size());
    const QString what =
        count == 1 ? operation.targets.first().name : thingsCounted(operation.kind, count);
    ToastText toast;
    // What goes on after it was observed has its end now.
    const bool goesOn =
        operation.kind == model::ActionKind::Drain || operation.kind == model::ActionKind::Reboot;
    const bool endsNow = goesOn && operation.state == model::OperationState::Observed &&
                         operation.progress.isEmpty();
    const QDateTime at =
        operation.finishedAt.isValid()
            ? (endsNow ? std::max(operation.finishedAt, state.now()) : operation.finishedAt)
            : state.now();
    const double seconds = double(operation.requestedAt.msecsTo(at)) / 1000;
    const QString when =
        QStringLiteral("%1 %2, %3 after the request")
            .arg(theme::shortTime(at, state.now(), state.timeZone()),
                 theme::zoneOffset(at, state.timeZone()), theme::duration(seconds));
    switch (operation.state) {
        case model::OperationState::Observed:
            if (!operation.progress.isEmpty()) {
                toast.title = operation.kind == model::ActionKind::Reboot
                                  ? QStringLiteral("Reboot of %1 accepted").arg(what)
                                  : QStringLiteral("%1: no new jobs start").arg(what);
                toast.detail = QStringLiteral("%1 %2").arg(operation.progress, when);
                break;
            }
            toast.title = QStringLiteral("%1 %2, as the scheduler reports")
                              .arg(what, theme::actionDone(operation.kind));
            toast.detail =
                operation.newJob.isEmpty()
                    ? when
                    : QStringLiteral("New %1 %2. %3")
                          .arg(operation.newJob.contains(QLatin1Char(',')) ? QStringLiteral("jobs")
                                                                           : QStringLiteral("job"),
                               operation.newJob, when);
            break;
        case model::OperationState::Refused: {
            int changed = 0;
            for (const auto& target : operation.targets)
                changed += target.state == model::TargetState::Observed ? 1 : 0;
            toast.error = true;
            toast.title = QStringLiteral("Could not %1 %2")
                              .arg(theme::actionVerb(operation.kind).toLower(), what);
            toast.verbatim = operation.message;
            toast.detail = changed == 0
                               ? QStringLiteral("Nothing was changed.")
                               : QStringLiteral("%1 of %2 were changed.").arg(changed).arg(count);
            break;
        }
        default:
            toast.title = QStringLiteral("%1 %2: %3")
                              .arg(theme::actionVerb(operation.kind), what,
                                   theme::operationStateName(operation.state));
            toast.detail = QStringLiteral("A later operation took its place.");
            break;
    }
    return toast;
}

}  // namespace yard::widgets
