#pragma once

#include <QTimer>

#include "ui/widgets/table/cells_model.h"

namespace yard::model {
class ClusterState;
class NodeTableModel;
}  // namespace yard::model

namespace yard::pages {

/// Turns the values of a NodeTableModel into what the table's delegate draws: words, units, tones,
/// glyphs, GPU strips.
class NodeCells final : public widgets::CellsModel {
    Q_OBJECT

public:
    /// Both must outlive it.
    NodeCells(const model::ClusterState& state, model::NodeTableModel& nodes,
              QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;

private:
    QVariant text(int node, int column) const;
    QVariant reading(int node, int column) const;
    QString unit(int node, int column) const;
    int tone(int node, int column) const;
    QVector<int> gpuCells(int node) const;

    const model::ClusterState& m_state;
    QTimer m_second;  ///< for "drain requested, 3 s" and ages of readings
};

}  // namespace yard::pages
