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

/// A row: one job, or an array with its tasks.
struct JobTableModel::Entry {
    Key key;  ///< of an array: its number and -1
    int job = 0;
    int row = 0;
    QVector<QPair<Key, int>> tasks;  ///< empty: not an array; else at least two
    int taskCount = 0;
};

JobTableModel::JobTableModel(const ClusterState& state, Selection& selection, QObject* parent)
    : QAbstractItemModel(parent)
    , m_state(state)
    , m_selection(selection)
{
    connect(&state, &ClusterState::jobsChanged, this, &JobTableModel::follow);
    connect(&state, &ClusterState::operationsChanged, this, &JobTableModel::announce);
    connect(&selection, &Selection::jobFilterChanged, this, &JobTableModel::rebuild);
    m_rows = wanted();
    renumber();
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

// -- the tree --

QModelIndex JobTableModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? m_rows[parent.row()].get() : nullptr);
}

QModelIndex JobTableModel::parent(const QModelIndex& index) const
{
    const auto* array = static_cast<const Entry*>(index.internalPointer());
    return index.isValid() && array ? createIndex(array->row, 0, nullptr) : QModelIndex();
}

int JobTableModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return int(m_rows.size());
    if (parent.internalPointer() || parent.column() != 0 || parent.row() >= m_rows.size())
        return 0;
    return int(m_rows[parent.row()]->tasks.size());
}

int JobTableModel::columnCount(const QModelIndex&) const
{
    return kColumnCount;
}

const JobTableModel::Entry* JobTableModel::entryAt(const QModelIndex& index) const
{
    return index.internalPointer() ? nullptr : m_rows.value(index.row()).get();
}

const JobInfo* JobTableModel::jobAt(const QModelIndex& index) const
{
    int job = -1;
    if (const auto* array = static_cast<const Entry*>(index.internalPointer()))
        job = array->tasks.value(index.row(), {{}, -1}).second;
    else if (const Entry* entry = entryAt(index))
        job = entry->job;
    return job >= 0 && job < m_state.jobs().size() ? &m_state.jobs()[job] : nullptr;
}

QModelIndex JobTableModel::indexOf(const QString& displayId) const
{
    const auto is = [&](int job) {
        return job < m_state.jobs().size() && m_state.jobs()[job].displayId == displayId;
    };
    for (int row = 0; row < m_rows.size(); ++row) {
        const Entry& entry = *m_rows[row];
        if (entry.tasks.isEmpty() && is(entry.job))
            return index(row, 0);
        for (int task = 0; task < entry.tasks.size(); ++task) {
            if (is(entry.tasks[task].second))
                return index(task, 0, index(row, 0));
        }
    }
    return {};
}

QVariant JobTableModel::data(const QModelIndex& index, int role) const
{
    const JobInfo* job = index.isValid() ? jobAt(index) : nullptr;
    if (!job)
        return {};
    const Entry* entry = entryAt(index);
    const bool array = entry && !entry->tasks.isEmpty();
    switch (role) {
        case Qt::DisplayRole: {
            if (array && index.column() == Id)
                return QString::number(job->arrayJob);
            const QString words = text(*job, index.column());
            if (!words.isEmpty() || index.column() == Nodes)
                return words;
            const auto value =
                array ? groupNumber(*entry, index.column()) : number(m_state, *job, index.column());
            return value ? QVariant(*value) : QVariant();
        }
        case JobRole:
            return int(job - m_state.jobs().constData());
        case ArrayRole:
            return array ? entry->taskCount : 0;
        case CountsRole: {
            if (!array)
                return {};
            QMap<QString, int> counts;
            for (const auto& task : entry->tasks)
                counts[baseState(m_state.jobs()[task.second])] +=
                    tasksOf(m_state.jobs()[task.second]);
            QVector<QPair<int, QString>> parts;
            for (auto it = counts.cbegin(); it != counts.cend(); ++it)
                parts.append({-it.value(), it.key()});
            // What runs first, then the larger number.
            std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
                const bool x = a.second == QLatin1String("RUNNING");
                const bool y = b.second == QLatin1String("RUNNING");
                return x != y ? x : a < b;
            });
            QStringList words;
            for (const auto& part : parts)
                words.append(QStringLiteral("%1 %2").arg(-part.first).arg(part.second));
            return words.join(QStringLiteral(", "));
        }
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

std::optional<double> JobTableModel::groupNumber(const Entry& entry, int column) const
{
    if (entry.tasks.isEmpty() || column == Id)
        return number(m_state, m_state.jobs()[entry.job], column);
    std::optional<double> all;
    for (const auto& task : entry.tasks) {
        const JobInfo& job = m_state.jobs()[task.second];
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

bool JobTableModel::jobLess(int a, int b) const
{
    const JobInfo& x = m_state.jobs()[a];
    const JobInfo& y = m_state.jobs()[b];
    return x.displayId == y.displayId ? keyOf(x) < keyOf(y) : naturalLess(x.displayId, y.displayId);
}

bool JobTableModel::less(const Entry& a, const Entry& b) const
{
    const bool up = m_sortOrder == Qt::AscendingOrder;
    const JobInfo& x = m_state.jobs()[a.job];
    const JobInfo& y = m_state.jobs()[b.job];
    const auto newestFirst = [&] { return keyOf(y) < keyOf(x); };
    const QString p = m_sortColumn == Id ? QString() : text(x, m_sortColumn);
    const QString q = m_sortColumn == Id ? QString() : text(y, m_sortColumn);
    if (p.isEmpty() && q.isEmpty()) {
        const auto v = groupNumber(a, m_sortColumn);
        const auto w = groupNumber(b, m_sortColumn);
        if (v.has_value() != w.has_value())
            return v.has_value();
        return !v || *v == *w ? newestFirst() : up ? *v < *w : *w < *v;
    }
    if (p.isEmpty() != q.isEmpty())
        return q.isEmpty();
    return p == q ? newestFirst() : up ? naturalLess(p, q) : naturalLess(q, p);
}

JobTableModel::Entries JobTableModel::wanted()
{
    const JobMatcher matcher(m_selection.jobFilter(), m_state.now());
    const QVector<JobInfo>& jobs = m_state.jobs();
    Entries entries;
    QHash<quint64, std::shared_ptr<Entry>> arrays;
    m_counts = {};
    m_shown = 0;
    for (int i = 0; i < jobs.size(); ++i) {
        const JobInfo& job = jobs[i];
        (job.isActive()    ? m_counts.running
         : job.isPending() ? m_counts.waiting
                           : m_counts.ended) += tasksOf(job);
        if (!matcher.matches(job))
            continue;
        m_shown += tasksOf(job);
        std::shared_ptr<Entry>* array =
            job.arrayJob != 0 && !m_everyTask ? &arrays[job.arrayJob] : nullptr;
        if (!array || !*array) {
            auto entry = std::make_shared<Entry>();
            entry->key = keyOf(job);
            entry->job = i;
            entries.append(entry);
            if (array)
                *array = entry;
        }
        if (array)
            (*array)->tasks.append({keyOf(job), i});
    }
    for (const auto& entry : qAsConst(entries)) {
        if (entry->tasks.size() < 2) {
            entry->tasks.clear();
            continue;
        }
        std::sort(entry->tasks.begin(), entry->tasks.end(),
                  [this](const auto& a, const auto& b) { return jobLess(a.second, b.second); });
        entry->key = {jobs[entry->job].arrayJob, -1};
        entry->job = entry->tasks.first().second;
        for (const auto& task : entry->tasks)
            entry->taskCount += tasksOf(jobs[task.second]);
    }
    std::sort(entries.begin(), entries.end(),
              [this](const auto& a, const auto& b) { return less(*a, *b); });
    return entries;
}

void JobTableModel::rebuild()
{
    beginResetModel();
    m_rows = wanted();
    renumber();
    endResetModel();
    Q_EMIT filtered();
}

void JobTableModel::renumber()
{
    for (int row = 0; row < m_rows.size(); ++row)
        m_rows[row]->row = row;
}

void JobTableModel::follow()
{
    Entries next = wanted();
    // Tasks that came or went inside an array change its children: the array is a new row then, and
    // the view is told which one was open.
    QHash<Key, std::shared_ptr<Entry>> before;
    for (const auto& entry : qAsConst(m_rows))
        before.insert(entry->key, entry);
    QSet<Key> reshaped;
    for (auto& entry : next) {
        const auto known = before.value(entry->key);
        if (!known)
            continue;
        const bool same = std::equal(
            known->tasks.begin(), known->tasks.end(), entry->tasks.begin(), entry->tasks.end(),
            [](const auto& a, const auto& b) { return a.first == b.first; });
        if (!same) {
            reshaped.insert(entry->key);
            continue;
        }
        // Indexes of children point at the entry: it stays, its contents move.
        entry->row = known->row;
        *known = *entry;
        entry = known;
    }
    struct Steps {
        JobTableModel& model;
        void removeStarts(int first, int last) { model.beginRemoveRows({}, first, last); }
        void removeEnds()
        {
            model.renumber();
            model.endRemoveRows();
        }
        void insertStarts(int first, int last) { model.beginInsertRows({}, first, last); }
        void insertEnds()
        {
            model.renumber();
            model.endInsertRows();
        }
    };
    // A reshaped array counts as another row than before.
    const auto key = [&](const std::shared_ptr<Entry>& entry) {
        const bool old = before.value(entry->key) == entry;
        return QPair<Key, bool>(entry->key, old && reshaped.contains(entry->key));
    };
    const bool stepped = updateLiveRows(
        m_rows, next, key, [this](const auto& a, const auto& b) { return less(*a, *b); },
        Steps{*this});
    if (!stepped) {
        beginResetModel();
        m_rows = next;
        renumber();
        endResetModel();
    } else {
        renumber();
        announce();
    }
    Q_EMIT filtered();
}

void JobTableModel::announce()
{
    if (m_rows.isEmpty())
        return;
    Q_EMIT dataChanged(index(0, 0), index(int(m_rows.size()) - 1, kColumnCount - 1));
    for (const auto& entry : qAsConst(m_rows)) {
        if (entry->tasks.isEmpty())
            continue;
        const QModelIndex array = index(entry->row, 0);
        Q_EMIT dataChanged(index(0, 0, array),
                           index(int(entry->tasks.size()) - 1, kColumnCount - 1, array));
    }
}

}  // namespace yard::model
