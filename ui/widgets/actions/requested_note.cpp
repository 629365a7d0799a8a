#include "ui/widgets/actions/requested_note.h"

#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"

namespace yard::widgets {

QString requestedNote(const model::ClusterState& state, const QString& target)
{
    const model::OperationInfo* operation = state.openOperationOn(target);
    if (!operation)
        return {};
    const double seconds = double(operation->requestedAt.msecsTo(state.now())) / 1000;
    const QString word = operation->state == model::OperationState::InDoubt
                             ? QStringLiteral("in doubt, checking")
                             : QStringLiteral("requested");
    // Whole seconds: a ticking tenth would be noise.
    const QString age = theme::wholeDuration(qint64(seconds));
    return QStringLiteral("%1 %2, %3").arg(theme::actionVerb(operation->kind).toLower(), word, age);
}

QString operationOutcome(const model::OperationInfo& operation)
{
    switch (operation.state) {
        case model::OperationState::Observed: {
            if (!operation.progress.isEmpty())
                return QStringLiteral("in effect: ") + operation.progress;
            QString words = theme::actionDone(operation.kind);
            if (operation.finishedAt.isValid()) {
                words +=
                    QStringLiteral(", %1 after the request")
                        .arg(theme::duration(
                            double(operation.requestedAt.msecsTo(operation.finishedAt)) / 1000));
            }
            return words;
        }
        case model::OperationState::Refused:
            return operation.message.isEmpty() ? QStringLiteral("refused")
                                               : QStringLiteral("refused: ") + operation.message;
        default:
            return theme::operationStateName(operation.state);
    }
}

}  // namespace yard::widgets
