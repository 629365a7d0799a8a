#pragma once

#include "ui/widgets/table/cells_model.h"

namespace yard::model {
class ClusterState;
class JobTableModel;
struct JobInfo;
}  // namespace yard::model

namespace yard::pages {

/// Turns the values of a JobTableModel into what the table's delegate draws.
class JobCells final : public widgets::CellsModel {
    Q_OBJECT

public:
    /// Both must outlive it.
    JobCells(const model::ClusterState& state, model::JobTableModel& jobs,
             QObject* parent = nullptr);

    /// Room of the state column, in characters.
    void setStateColumns(int columns) { m_stateColumns = columns; }

    QVariant data(const QModelIndex& index, int role) const override;

private:
    QVariant text(const QModelIndex& source, const model::JobInfo& job) const;
    int tone(int column, const model::JobInfo& job) const;

    const model::ClusterState& m_state;
    int m_stateColumns = 40;
};

}  // namespace yard::pages
