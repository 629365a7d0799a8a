#include "ui/widgets/actions/action_desk.h"

#include <QClipboard>
#include <QCursor>
#include <QGuiApplication>
#include <QToolTip>
#include <QWidget>

#include "ui/model/action_rules.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/wording.h"
#include "ui/widgets/actions/outcome_words.h"
#include "ui/widgets/actions/preview_dialog.h"
#include "ui/widgets/popup.h"
#include "ui/widgets/toast.h"

namespace yard::widgets {

ActionDesk::ActionDesk(const model::ClusterState& state, model::Actions& actions, QObject* parent)
    : QObject(parent)
    , m_state(state)
    , m_actions(actions)
    , m_outcomes(state)
{
    connect(&m_outcomes, &model::Outcomes::settled, this, &ActionDesk::tell);
}

void ActionDesk::tellIn(ToastHost* toasts, std::function<QWidget*()> page)
{
    m_toasts = toasts;
    m_page = std::move(page);
}

void ActionDesk::tell(const model::OperationInfo& operation)
{
    if (!m_toasts)
        return;
    ToastText toast = outcomeToast(m_state, operation);
    if (operation.undoable) {
        toast.undoLabel = QStringLiteral("Undo\u2026");
        toast.undo = [this, id = operation.id] {
            if (QWidget* page = m_page ? m_page() : nullptr)
                openUndo(page, id);
        };
    }
    m_toasts->show(toast);
}

QString ActionDesk::refusal(model::ActionKind kind, const QStringList& targets) const
{
    return model::refusalFor(m_state, kind, targets);
}

void ActionDesk::open(QWidget* page, const model::ActionRequest& request)
{
    show(page, request, 0);
}

void ActionDesk::openUndo(QWidget* page, quint64 operationId)
{
    show(page, {}, operationId);
}

void ActionDesk::show(QWidget* page, const model::ActionRequest& request, quint64 undoes)
{
    if (m_open && m_open->isVisible())
        return;
    // One left open on another page asked of a state that has gone by.
    if (m_open)
        m_open->closeOverlay();
    auto* dialog = new PreviewDialog(*this, request, undoes);
    auto* overlay =
        new Overlay(page, dialog,
                    undoes == 0 && model::isNodeAction(request.kind) ? Overlay::Place::Right
                                                                     : Overlay::Place::Center);
    overlay->setObjectName(QStringLiteral("previewOverlay"));
    connect(dialog, &PreviewDialog::finished, overlay, &Overlay::closeOverlay);
    m_open = overlay;
    connect(overlay, &Overlay::closed, this, [this, focus = QPointer<QWidget>(page)] {
        m_open.clear();
        if (focus)
            focus->setFocus();
    });
    dialog->focusSafely();
}

void ActionDesk::copyCommand(QWidget* page, const model::ActionRequest& request)
{
    model::ActionRequest asked = request;
    // Slurm refuses it without one: whoever pastes the command sees what is to be filled in.
    if (asked.reason.isEmpty() &&
        (asked.kind == model::ActionKind::Drain || asked.kind == model::ActionKind::Down))
        asked.reason = QStringLiteral("<reason>");
    m_actions.preview(
        asked, [page = QPointer<QWidget>(page)](const model::Reply<model::PreviewInfo>& reply) {
            QString told = reply.error;
            if (reply.value) {
                const QStringList& commands = reply.value->commands;
                QGuiApplication::clipboard()->setText(commands.join(QLatin1Char('\n')));
                told = QStringLiteral("Copied %1.")
                           .arg(theme::counted(commands.size(), QStringLiteral("command"),
                                               QStringLiteral("commands")));
            }
            if (page)
                QToolTip::showText(QCursor::pos(), told, page);
        });
}

}  // namespace yard::widgets
