#pragma once

#include <QWidget>

#include "ui/model/actions.h"

class QHBoxLayout;

namespace yard::model {
class JobTableModel;
class Selection;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Card;
class Chip;
class FilterField;
class Label;
class SegmentedSwitch;
class TableView;
}  // namespace yard::widgets

namespace yard::pages {

class JobCells;
class JobDetail;

/// Every job that the scheduler lists: filter by words and chips, arrays folded, one job in detail.
///
/// Object names for journeys: jobsPage, jobsFilter, jobsTable, everyTaskSwitch, and those of
/// JobDetail.
class JobsPage final : public QWidget {
    Q_OBJECT

public:
    /// Both must outlive the page.
    JobsPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);

    void focusFilter();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void buildFilterLine(QHBoxLayout* line);
    void buildTable();
    void connectAll();
    void act(model::ActionKind kind, const QStringList& jobs);
    void showMenu(const QModelIndex& index, const QPoint& at);
    void toggle(const QModelIndex& index);
    void refreshChips();
    void refreshCounts();
    void arrange();
    void currentToView();
    void chooseTerm(const QString& key, int column, widgets::Chip* chip);
    void chooseEnded(widgets::Chip* chip);
    QStringList selectedJobs() const;

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    model::JobTableModel* m_model;
    JobCells* m_cells;
    widgets::FilterField* m_filter;
    QHBoxLayout* m_chips;
    widgets::Label* m_counts;
    widgets::SegmentedSwitch* m_every;
    widgets::Card* m_card;
    widgets::TableView* m_table;
    widgets::Label* m_foot;
    JobDetail* m_detail;
    bool m_syncing = false;
};

}  // namespace yard::pages
