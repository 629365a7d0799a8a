#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <memory>
#include <optional>

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

/// The jobs as a table: an array is one row that opens to its tasks, or, with every task shown,
/// each record is a row. Filtered by the selection's filter, sorted by one column. Updates keep the
/// order of the rows that stay, and what is open.
///
/// Thread: GUI thread only.
class JobTableModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Id, Name, User, Partition, State, Gpus, Nodes, RunTime, Waited, kColumnCount };
    enum Role {
        JobRole =
            Qt::UserRole + 1,  ///< index into ClusterState::jobs(); of an array: its first task
        TasksRole,             ///< number of tasks if the row is a folded array, else 0
        CountsRole,            ///< folded arrays: "32 RUNNING, 19 PENDING"
        LeadRole,              ///< index of a task in the state that CountsRole names first
        OpenRole,              ///< folded arrays: bool, its tasks are shown below
        TaskRole,              ///< bool: a task below its array
    };

    /// Both must outlive the model.
    JobTableModel(const ClusterState& state, Selection& selection, QObject* parent = nullptr);
    ~JobTableModel() override;

    bool everyTask() const { return m_everyTask; }
    void setEveryTask(bool every);
    /// Of all jobs and of those that the filter lets through.
    JobCounts counts() const { return m_counts; }
    int shownCount() const { return m_shown; }
    /// Of a task in a closed array: the array's row; -1 if it is not shown.
    int rowOf(const QString& displayId) const;
    bool isArray(int row) const;
    void setOpen(int row, bool open);
    /// Display ids that an action on that row means: the job, or the whole array.
    QString displayIdAt(int row) const;

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
    struct Array;
    struct Row;

    QVector<Row> wanted();
    QVector<std::shared_ptr<Array>> group(QVector<Row>& singles);
    void rebuild();
    void follow();
    void announce();
    const JobInfo* jobAt(int row) const;
    QVector<QPair<int, QString>> tally(const Array& array) const;
    QString counts(const Array& array) const;
    int lead(const Array& array) const;
    std::optional<double> numberOf(const Row& row, int column) const;
    bool less(const Row& a, const Row& b) const;
    bool headLess(const Row& a, const Row& b) const;

    const ClusterState& m_state;
    Selection& m_selection;
    QVector<Row> m_rows;
    QSet<quint64> m_open;  ///< arrays, by number
    JobCounts m_counts;
    int m_shown = 0;
    bool m_everyTask = false;
    int m_sortColumn = Id;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

}  // namespace yard::model
