#pragma once

#include <QWidget>

#include "ui/model/actions.h"

class QHBoxLayout;

namespace yard::model {
class NodeTableModel;
class Selection;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Button;
class Chip;
class FilterField;
class Label;
class TableView;
}  // namespace yard::widgets

namespace yard::pages {

class NodeCells;
class NodeInspector;
class SelectionBar;

/// Every node in one table: filter by hostlist expression and chips, mark, act, look closer.
///
/// Object names for journeys: nodesPage, nodesFilter, nodesTable, markShownButton, and those of
/// SelectionBar and NodeInspector.
class NodesPage final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the page.
    NodesPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);

    void focusFilter();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildFilterLine(QHBoxLayout* line);
    void buildTable();
    void connectAll();
    void act(model::ActionKind kind, const QStringList& nodes);
    void showMenu(const QModelIndex& index, const QPoint& at);
    void refreshChips();
    void refreshCounts();
    void fitColumns();
    void marksToView();
    void marksFromView();
    void currentToView();
    void addTerm(const QString& key, const QStringList& values, widgets::Chip* chip);
    QStringList valuesOf(int column) const;

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    model::NodeTableModel* m_model;
    NodeCells* m_cells;
    widgets::FilterField* m_filter;
    QHBoxLayout* m_chips;
    widgets::Button* m_markShown;
    widgets::Button* m_copyHosts;
    SelectionBar* m_bar;
    widgets::TableView* m_table;
    widgets::Label* m_foot;
    NodeInspector* m_inspector;
    bool m_syncing = false;
};

}  // namespace yard::pages
