#include "ui/model/job_table_model.h"

#include <QMap>
#include <algorithm>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/job_filter.h"
#include "ui/model/live_rows.h"
#include "ui/model/selection.h"

namespace yard::model {
namespace {

using Key = QPair<quint64, qint64>;

Key keyOf(const JobInfo& job)
{
    return {job.id, job.submitTime.isValid() ? job.submitTime.toMSecsSinceEpoch() : 0};
}

int tasksOf(const JobInfo& job)
{
    return job.isPending() && job.arrayPendingCount > 0 ? int(job.arrayPendingCount) : 1;
}

QString baseState(const JobInfo& job)
{
    return job.stateText.section(QLatin1Char(' '), 0, 0).section(QLatin1Char('+'), 0, 0);
}

}  // namespace

/// What the tasks of one array have in common.
struct JobTableModel::Array {
    quint64 number = 0;
    QVector<int> tasks;  ///< indices of jobs, in the order of task numbers; at least two
    int taskCount = 0;
};

/// A job, an array (array, not task), or a task below its array.
struct JobTableModel::Row {
    Key key;  ///< of an array: its number and -1
    int job = 0;
    std::shared_ptr<Array> array;
    bool task = false;

    bool isHead() const { return array && !task; }
};

JobTableModel::JobTableModel(const ClusterState& state, Selection& selection, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state)
    , m_selection(selection)
{
    connect(&state, &ClusterState::jobsChanged, this, &JobTableModel::follow);
    connect(&state, &ClusterState::operationsChanged, this, &JobTableModel::announce);
    connect(&selection, &Selection::jobFilterChanged, this, &JobTableModel::rebuild);
    m_rows = wanted();
}

JobTableModel::~JobTableModel() = default;

void JobTableModel::setEveryTask(bool every)
{
    if (m_everyTask == every)
        return;
    m_everyTask = every;
    rebuild();
}

std::optional<double> JobTableModel::number(const ClusterState& state, const JobInfo& job,
                                            int column)
{
    const QDateTime now = state.now();
    switch (column) {
        case Id:
            return double(job.id);
        case Gpus:
            return job.gpus;
        case RunTime: {
            const QDateTime end = job.endTime.isValid() ? job.endTime : now;
            if (!job.startTime.isValid() || !end.isValid())
                return std::nullopt;
            return double(job.startTime.secsTo(end));
        }
        case Waited: {
            const QDateTime end = job.startTime.isValid() ? job.startTime
                                  : job.isPending()       ? now
                                                          : QDateTime();
            if (!job.submitTime.isValid() || !end.isValid())
                return std::nullopt;
            return double(job.submitTime.secsTo(end));
        }
        default:
            return std::nullopt;
    }
}

QString JobTableModel::text(const JobInfo& job, int column)
{
    switch (column) {
        case Id:
            return job.displayId;
        case Name:
            return job.name;
        case User:
            return job.user;
        case Partition:
            return job.partition;
        case State:
            return job.isPending() && !job.reason.isEmpty() && job.reason != QLatin1String("None")
                       ? job.stateText + QStringLiteral(" (") + job.reason + QLatin1Char(')')
                       : job.stateText;
        case Nodes:
            return job.nodes;
        default:
            return {};
    }
}

int JobTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int JobTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

const JobInfo* JobTableModel::jobAt(int row) const
{
    if (row < 0 || row >= m_rows.size() || m_rows[row].job >= m_state.jobs().size())
        return nullptr;
    return &m_state.jobs()[m_rows[row].job];
}

bool JobTableModel::isArray(int row) const
{
    return row >= 0 && row < m_rows.size() && m_rows[row].isHead();
}

QString JobTableModel::displayIdAt(int row) const
{
    const JobInfo* job = jobAt(row);
    if (!job)
        return {};
    return isArray(row) ? QString::number(job->arrayJob) : job->displayId;
}

int JobTableModel::rowOf(const QString& displayId) const
{
    int head = -1;
    for (int row = 0; row < m_rows.size(); ++row) {
        if (!m_rows[row].isHead()) {
            const JobInfo* job = jobAt(row);
            if (job && job->displayId == displayId)
                return row;
            continue;
        }
        if (displayId == QString::number(m_rows[row].array->number))
            return row;
        for (const int task : m_rows[row].array->tasks) {
            if (task < m_state.jobs().size() && m_state.jobs()[task].displayId == displayId)
                head = row;
        }
    }
    return head;
}

/// Minus the number of tasks, and their state; what runs first, then the larger number.
QVector<QPair<int, QString>> JobTableModel::tally(const Array& array) const
{
    QMap<QString, int> counts;
    for (const int task : array.tasks)
        counts[baseState(m_state.jobs()[task])] += tasksOf(m_state.jobs()[task]);
    QVector<QPair<int, QString>> parts;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        parts.append({-it.value(), it.key()});
    std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        const bool x = a.second == QLatin1String("RUNNING");
        const bool y = b.second == QLatin1String("RUNNING");
        return x != y ? x : a < b;
    });
    return parts;
}

QString JobTableModel::counts(const Array& array) const
{
    QStringList words;
    for (const auto& part : tally(array))
        words.append(QStringLiteral("%1 %2").arg(-part.first).arg(part.second));
    return words.join(QStringLiteral(", "));
}

int JobTableModel::lead(const Array& array) const
{
    const QString first = tally(array).constFirst().second;
    for (const int task : array.tasks) {
        if (baseState(m_state.jobs()[task]) == first)
            return task;
    }
    return array.tasks.constFirst();
}

QVariant JobTableModel::data(const QModelIndex& index, int role) const
{
    const JobInfo* job = index.isValid() ? jobAt(index.row()) : nullptr;
    if (!job)
        return {};
    const Row& row = m_rows[index.row()];
    switch (role) {
        case Qt::DisplayRole: {
            if (index.column() == Id)
                return displayIdAt(index.row());
            const QString words = text(*job, index.column());
            if (!words.isEmpty() || index.column() == Nodes)
                return words;
            const auto value = numberOf(row, index.column());
            return value ? QVariant(*value) : QVariant();
        }
        case JobRole:
            return row.job;
        case TasksRole:
            return row.isHead() ? row.array->taskCount : 0;
        case CountsRole:
            return row.isHead() ? QVariant(counts(*row.array)) : QVariant();
        case LeadRole:
            return row.isHead() ? lead(*row.array) : row.job;
        case OpenRole:
            return row.isHead() ? QVariant(m_open.contains(row.array->number)) : QVariant();
        case TaskRole:
            return row.task;
        default:
            return {};
    }
}

// -- order and membership --

void JobTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    rebuild();
}

std::optional<double> JobTableModel::numberOf(const Row& row, int column) const
{
    if (!row.isHead() || column == Id)
        return number(m_state, m_state.jobs()[row.job], column);
    std::optional<double> all;
    for (const int task : row.array->tasks) {
        const JobInfo& job = m_state.jobs()[task];
        const auto value = number(m_state, job, column);
        if (!value)
            continue;
        if (column == Gpus)  // those that hold GPUs now; the rest only ask
            all = all.value_or(0) + (job.isActive() ? *value : 0);
        else
            all = std::max(all.value_or(*value), *value);
    }
    return all;
}

bool JobTableModel::headLess(const Row& a, const Row& b) const
{
    const bool up = m_sortOrder == Qt::AscendingOrder;
    const JobInfo& x = m_state.jobs()[a.job];
    const JobInfo& y = m_state.jobs()[b.job];
    const auto newestFirst = [&] { return b.key < a.key; };
    if (m_sortColumn == Id)
        return up ? a.key < b.key : newestFirst();
    const QString p = text(x, m_sortColumn);
    const QString q = text(y, m_sortColumn);
    if (p.isEmpty() && q.isEmpty()) {
        const auto v = numberOf(a, m_sortColumn);
        const auto w = numberOf(b, m_sortColumn);
        if (v.has_value() != w.has_value())
            return v.has_value();
        return !v || *v == *w ? newestFirst() : up ? *v < *w : *w < *v;
    }
    if (p.isEmpty() != q.isEmpty())
        return q.isEmpty();
    return p == q ? newestFirst() : up ? naturalLess(p, q) : naturalLess(q, p);
}

bool JobTableModel::less(const Row& a, const Row& b) const
{
    const auto head = [](const Row& row) {
        return row.task ? Row{{row.array->number, -1}, row.array->tasks.first(), row.array, false}
                        : row;
    };
    if (!a.array || !b.array || a.array->number != b.array->number)
        return headLess(head(a), head(b));
    if (a.task != b.task)
        return b.task;  // the array stands above its tasks
    return a.task && naturalLess(m_state.jobs()[a.job].displayId, m_state.jobs()[b.job].displayId);
}

/// Arrays of at least two records; everything else goes to `singles`.
QVector<std::shared_ptr<JobTableModel::Array>> JobTableModel::group(QVector<Row>& singles)
{
    const JobMatcher matcher(m_selection.jobFilter(), m_state.now());
    const QVector<JobInfo>& jobs = m_state.jobs();
    QHash<quint64, std::shared_ptr<Array>> arrays;
    m_counts = {};
    m_shown = 0;
    for (int i = 0; i < jobs.size(); ++i) {
        const JobInfo& job = jobs[i];
        const int tasks = tasksOf(job);
        (job.isActive()    ? m_counts.running
         : job.isPending() ? m_counts.waiting
                           : m_counts.ended) += tasks;
        if (!matcher.matches(job))
            continue;
        m_shown += tasks;
        if (job.arrayJob == 0 || m_everyTask) {
            singles.append({keyOf(job), i, nullptr, false});
            continue;
        }
        auto& array = arrays[job.arrayJob];
        if (!array)
            array = std::make_shared<Array>(Array{job.arrayJob, {}, 0});
        array->tasks.append(i);
        array->taskCount += tasks;
    }
    QVector<std::shared_ptr<Array>> folded;
    for (const auto& array : qAsConst(arrays)) {
        if (array->tasks.size() > 1)
            folded.append(array);
        else
            singles.append(
                {keyOf(jobs[array->tasks.first()]), array->tasks.first(), nullptr, false});
    }
    return folded;
}

QVector<JobTableModel::Row> JobTableModel::wanted()
{
    QVector<Row> rows;
    const auto arrays = group(rows);
    const QVector<JobInfo>& jobs = m_state.jobs();
    for (const auto& array : arrays) {
        std::sort(array->tasks.begin(), array->tasks.end(),
                  [&](int a, int b) { return naturalLess(jobs[a].displayId, jobs[b].displayId); });
        rows.append({{array->number, -1}, array->tasks.first(), array, false});
    }
    std::sort(rows.begin(), rows.end(),
              [this](const Row& a, const Row& b) { return headLess(a, b); });
    QVector<Row> opened;
    opened.reserve(rows.size());
    for (const Row& row : qAsConst(rows)) {
        opened.append(row);
        if (!row.isHead() || !m_open.contains(row.array->number))
            continue;
        for (const int task : row.array->tasks)
            opened.append({keyOf(jobs[task]), task, row.array, true});
    }
    return opened;
}

void JobTableModel::rebuild()
{
    beginResetModel();
    m_rows = wanted();
    endResetModel();
    Q_EMIT filtered();
}

void JobTableModel::setOpen(int row, bool open)
{
    if (!isArray(row) || m_open.contains(m_rows[row].array->number) == open)
        return;
    if (open)
        m_open.insert(m_rows[row].array->number);
    else
        m_open.remove(m_rows[row].array->number);
    follow();
}

void JobTableModel::follow()
{
    struct Steps {
        JobTableModel& model;
        void removeStarts(int first, int last) { model.beginRemoveRows({}, first, last); }
        void removeEnds() { model.endRemoveRows(); }
        void insertStarts(int first, int last) { model.beginInsertRows({}, first, last); }
        void insertEnds() { model.endInsertRows(); }
    };
    const QVector<Row> next = wanted();
    // Whether a record is a row of its own or a task below an array makes it another row.
    const auto key = [](const Row& row) { return QPair<Key, bool>(row.key, row.task); };
    const bool stepped = updateLiveRows(
        m_rows, next, key, [this](const Row& a, const Row& b) { return less(a, b); }, Steps{*this});
    if (stepped) {
        announce();
    } else {
        beginResetModel();
        m_rows = next;
        endResetModel();
    }
    Q_EMIT filtered();
}

void JobTableModel::announce()
{
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, kColumnCount - 1));
}

}  // namespace yard::model
