#pragma once

#include <QMap>
#include <QWidget>

#include "ui/model/actions.h"

namespace yard::model {
class Selection;
}
namespace yard::widgets {
class ActionDesk;
class Button;
class Label;
}  // namespace yard::widgets

namespace yard::pages {

/// What is marked, and what can be done with it. Hidden while nothing is marked.
class SelectionBar final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive it.
    SelectionBar(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);

Q_SIGNALS:
    void actionRequested(yard::model::ActionKind kind);
    void copyRequested(yard::model::ActionKind kind);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void addAction(model::ActionKind kind, const QString& text, const QString& name, bool danger2);
    void askForCommand();

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    widgets::Label* m_count;
    widgets::Label* m_folded;
    widgets::Label* m_facts;
    widgets::Button* m_copy;
    widgets::Button* m_clear;
    QMap<model::ActionKind, widgets::Button*> m_actions;
};

}  // namespace yard::pages
