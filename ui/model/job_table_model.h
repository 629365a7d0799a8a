#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <optional>
#include <vector>

#include "ui/model/cluster.h"

namespace yard::model {

class ClusterState;
class JobMatcher;
class Selection;

/// Numbers of jobs by what they do.
struct JobCounts {
    int running = 0;
    int waiting = 0;  ///< pending tasks that wait as one record count each
    int ended = 0;
};

/// The jobs as a tree of two levels: an array is one row with its tasks below, or, with every task
/// shown, each record a row. Filtered by the selection's filter, sorted by one column. Updates keep
/// the order of rows that stay.
///
/// Thread: GUI thread only.
class JobTableModel final : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column { Id, Name, User, Partition, State, Gpus, Nodes, RunTime, Waited, kColumnCount };
    enum Role {
        JobRole =
            Qt::UserRole + 1,  ///< index into ClusterState::jobs(); of an array: its first task
        ArrayRole,             ///< number of tasks if the row is a folded array, else 0
        CountsRole,            ///< folded arrays: "32 RUNNING, 19 PENDING"
    };

    /// Both must outlive the model.
    JobTableModel(const ClusterState& state, Selection& selection, QObject* parent = nullptr);
    ~JobTableModel() override;

    bool everyTask() const { return m_everyTask; }
    void setEveryTask(bool every);
    /// Of all jobs and of those that the filter lets through.
    JobCounts counts() const { return m_counts; }
    int shownCount() const { return m_shown; }
    QModelIndex indexOf(const QString& displayId) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    void sort(int column, Qt::SortOrder order) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    // For delegates and sorting.
    static std::optional<double> number(const ClusterState& state, const JobInfo& job, int column);
    static QString text(const JobInfo& job, int column);

Q_SIGNALS:
    void filtered();

private:
    struct Entry;
    using Entries = QVector<std::shared_ptr<Entry>>;

    Entries wanted();
    void rebuild();
    void follow();
    void renumber();
    void announce();
    const Entry* entryAt(const QModelIndex& index) const;
    const JobInfo* jobAt(const QModelIndex& index) const;
    bool less(const Entry& a, const Entry& b) const;
    bool jobLess(int a, int b) const;
    std::optional<double> groupNumber(const Entry& entry, int column) const;

    const ClusterState& m_state;
    Selection& m_selection;
    Entries m_rows;
    JobCounts m_counts;
    int m_shown = 0;
    bool m_everyTask = false;
    int m_sortColumn = Id;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

}  // namespace yard::model
