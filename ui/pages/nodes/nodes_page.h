#pragma once

#include "ui/model/actions.h"
#include "ui/widgets/table/table_page.h"

namespace yard::model {
class NodeTableModel;
class Selection;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Button;
}  // namespace yard::widgets

namespace yard::pages {

class NodeCells;
class NodeInspector;
class SelectionBar;

/// Every node in one table: filter by hostlist expression and chips, mark, act, look closer.
///
/// Object names for journeys: nodesPage, nodesFilter, nodesTable, markShownButton, and those of
/// SelectionBar and NodeInspector.
class NodesPage final : public widgets::TablePage {
    Q_OBJECT

public:
    /// Both must outlive the page.
    NodesPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildTable();
    void connectAll();
    void act(model::ActionKind kind, const QStringList& nodes);
    void showMenu(const QModelIndex& index, const QPoint& at);
    void refreshChips();
    void refreshCounts();
    void fitColumns();
    int longestState() const;
    void marksToView();
    void marksFromView();
    void currentToView();
    QStringList valuesOf(int column) const;

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    model::NodeTableModel* m_model;
    NodeCells* m_cells;
    widgets::Button* m_markShown;
    widgets::Button* m_copyHosts;
    SelectionBar* m_bar;
    NodeInspector* m_inspector;
    bool m_syncing = false;
};

}  // namespace yard::pages
