#pragma once

#include "ui/model/actions.h"
#include "ui/widgets/table/table_page.h"

namespace yard::model {
class JobTableModel;
class Selection;
}  // namespace yard::model
namespace yard::widgets {
class ActionDesk;
class Label;
class SegmentedSwitch;
}  // namespace yard::widgets

namespace yard::pages {

class JobCells;
class JobDetail;

/// Every job that the scheduler lists: filter by words and chips, arrays folded, one job in detail.
///
/// Object names for journeys: jobsPage, jobsFilter, jobsTable, everyTaskSwitch, and those of
/// JobDetail.
class JobsPage final : public widgets::TablePage {
    Q_OBJECT

public:
    /// Both must outlive the page.
    JobsPage(widgets::ActionDesk& desk, model::Selection& selection, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void connectAll();
    void act(model::ActionKind kind, const QStringList& jobs);
    void showMenu(const QModelIndex& index, const QPoint& at);
    void toggle(const QModelIndex& index);
    void refreshChips();
    void refreshCounts();
    void arrange();
    void currentToView();
    void rowToView();
    void followJob();
    QString nextOf(const QString& id) const;
    QStringList valuesOf(int column) const;
    void setEndedWithin(int seconds);
    QStringList selectedJobs() const;

    widgets::ActionDesk& m_desk;
    model::Selection& m_selection;
    model::JobTableModel* m_model;
    JobCells* m_cells;
    widgets::Label* m_counts;
    widgets::SegmentedSwitch* m_every;
    JobDetail* m_detail;
    bool m_syncing = false;
    QString m_knownNext;  ///< what the current job was restarted as, when it was chosen
};

}  // namespace yard::pages
