#pragma once

#include <QTimer>
#include <QWidget>

namespace yard::model {
class ClusterState;
class Selection;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Button;
class FactSheet;
class Glyph;
class Label;
class SeriesPanel;
}  // namespace yard::widgets

namespace yard::pages {

/// The current node of the selection, whole, at the right of the Nodes page.
class NodeInspector final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive it.
    NodeInspector(widgets::ActionDesk& desk, model::Selection& selection,
                  QWidget* parent = nullptr);

    void refresh();

Q_SIGNALS:
    void drainRequested();
    void resumeRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    widgets::Glyph* m_glyph;
    widgets::Label* m_name;
    widgets::Button* m_drain;
    widgets::Button* m_resume;
    widgets::FactSheet* m_sheet;
    widgets::SeriesPanel* m_series;
    QTimer m_second;
};

}  // namespace yard::pages
