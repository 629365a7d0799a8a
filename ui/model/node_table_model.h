#pragma once

#include <QAbstractTableModel>
#include <optional>

#include "ui/model/node_filter.h"

namespace yard::model {

class ClusterState;
class Selection;

/// The nodes as a table: filtered by the selection's filter, sorted by one column. Values only; how
/// they read is the delegate's business. Updates keep the order of the rows; a new sort or filter
/// makes a new one. What is not known sorts last, whichever way.
///
/// Thread: GUI thread only.
class NodeTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column {
        Name,
        State,
        Gpus,
        Job,
        Partition,
        Switch,
        Rack,
        Load,
        Memory,
        Power,
        HottestGpu,
        Reason,
        SetBy,
        Since,
        kColumnCount
    };
    enum Role {
        NodeRole = Qt::UserRole + 1,  ///< position in ClusterState::nodes()
        FreshnessRole,                ///< Freshness as int, for the columns of readings
    };

    /// Both must outlive the model.
    NodeTableModel(const ClusterState& state, Selection& selection, QObject* parent = nullptr);

    int nodeAt(int row) const { return m_rows.value(row, -1); }
    int rowOf(int node) const { return int(m_rows.indexOf(node)); }
    /// What is wrong with the filter's expression.
    QString filterError() const { return m_filterError; }
    QStringList unknownNodes() const { return m_unknown; }
    QStringList names() const;  ///< of all rows, in order

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// By state: what is broken first, and nodes with a faulty GPU among it.
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    // For delegates and sorting: NaN and empty where not known.
    static std::optional<double> number(const ClusterState& state, int node, int column);
    static QString text(const ClusterState& state, int node, int column);
    /// The GPU with the highest core temperature, or -1.
    static int hottestGpu(const ClusterState& state, int node);

Q_SIGNALS:
    void filtered();

private:
    void rankNames();
    void rankStates();
    QVector<int> wanted();
    void rebuild();
    void follow();
    void announce(int firstColumn, int lastColumn);
    bool less(int a, int b) const;

    const ClusterState& m_state;
    Selection& m_selection;
    QVector<int> m_rows;
    QVector<int> m_rank;   ///< of each node by the natural order of names
    QVector<int> m_worse;  ///< of each node, 0 the worst; while sorted by state
    QString m_filterError;
    QStringList m_unknown;
    int m_sortColumn = Name;
    Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

}  // namespace yard::model
