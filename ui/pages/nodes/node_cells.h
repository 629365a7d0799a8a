#pragma once

#include <QIdentityProxyModel>
#include <QTimer>

namespace yard::model {
class ClusterState;
class NodeTableModel;
}  // namespace yard::model

namespace yard::pages {

/// Turns the values of a NodeTableModel into what the table's delegate draws: words, units, tones,
/// glyphs, GPU strips.
class NodeCells final : public QIdentityProxyModel {
    Q_OBJECT

public:
    /// Both must outlive it.
    NodeCells(const model::ClusterState& state, model::NodeTableModel& nodes,
              QObject* parent = nullptr);

    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant text(int node, int column) const;
    QVariant reading(int node, int column) const;
    QString unit(int node, int column) const;
    int tone(int node, int column) const;
    QVector<int> gpuCells(int node) const;

    const model::ClusterState& m_state;
    QTimer m_second;  ///< for "drain requested, 3 s"
};

}  // namespace yard::pages
