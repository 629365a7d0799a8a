#pragma once

#include <QObject>
#include <QPointer>
#include <functional>

#include "ui/model/actions.h"
#include "ui/model/outcomes.h"

class QWidget;

namespace yard::model {
class ClusterState;
}

namespace yard::widgets {

class Overlay;
class ToastHost;

/// Where pages ask for actions: opens the preview dialog over the page, and tells what became of
/// what was confirmed. One for the window.
///
/// Thread: GUI thread only.
class ActionDesk final : public QObject {
    Q_OBJECT

public:
    /// Both must outlive the desk.
    ActionDesk(const model::ClusterState& state, model::Actions& actions,
               QObject* parent = nullptr);

    const model::ClusterState& state() const { return m_state; }
    model::Actions& actions() { return m_actions; }
    model::Outcomes& outcomes() { return m_outcomes; }

    /// Why it cannot be asked for; empty if it can.
    QString refusal(model::ActionKind kind, const QStringList& targets) const;
    /// The preview of `request`, over `page`. One dialog at a time.
    void open(QWidget* page, const model::ActionRequest& request);
    void openUndo(QWidget* page, quint64 operationId);
    /// Outcomes are told here from now on; their Undo opens over `page()`.
    void tellIn(ToastHost* toasts, std::function<QWidget*()> page);
    /// Previews and puts the exact commands on the clipboard; the page is told in a tooltip.
    void copyCommand(QWidget* page, const model::ActionRequest& request);

private:
    void show(QWidget* page, const model::ActionRequest& request, quint64 undoes);
    void tell(const model::OperationInfo& operation);

    const model::ClusterState& m_state;
    model::Actions& m_actions;
    model::Outcomes m_outcomes;
    QPointer<Overlay> m_open;
    QPointer<ToastHost> m_toasts;
    std::function<QWidget*()> m_page;
};

}  // namespace yard::widgets
