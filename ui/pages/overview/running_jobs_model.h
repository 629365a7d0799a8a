#pragma once

#include <QAbstractTableModel>

#include "ui/model/cluster.h"

namespace yard::model {
class ClusterState;
}

namespace yard::pages {

/// The largest running jobs: who holds the GPUs, and how well they are used.
class RunningJobsModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Job, Name, User, Gpus, Nodes, RunTime, Activity, ColumnCount };

    explicit RunningJobsModel(const model::ClusterState& state, QObject* parent = nullptr);
    void refresh();
    QString jobAt(int row) const;
    int runningCount() const { return m_running; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString id, name, user, nodes;
        int gpus = 0;
        qint64 seconds = -1;
        float activity = model::kNoReading;
        double staleAge = -1;  ///< of the activity, when nothing fresher is known
        bool operator==(const Row&) const = default;
    };
    QString text(const Row& row, int column) const;
    void readActivity(Row& row, int job) const;

    const model::ClusterState& m_state;
    QVector<Row> m_rows;
    int m_running = 0;
};

}  // namespace yard::pages
