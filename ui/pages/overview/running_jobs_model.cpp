#include "ui/pages/overview/running_jobs_model.h"

#include <algorithm>
#include <cmath>

#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/theme/wording.h"

namespace yard::pages {

constexpr int kMostRows = 40;

RunningJobsModel::RunningJobsModel(const model::ClusterState& state, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state)
{
}

namespace {

float medianOf(std::vector<float>& values)
{
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

void RunningJobsModel::readActivity(Row& row, int job) const
{
    std::vector<float> fresh;
    std::vector<float> stale;
    double oldest = -1;
    for (const QString& host : model::expandHostlist(row.nodes).hosts) {
        const int node = m_state.nodeIndex(host);
        if (node < 0 || m_state.freshness(node) == model::Freshness::Missing)
            continue;
        const bool old = m_state.freshness(node) == model::Freshness::Stale;
        const int gpus = m_state.gpuOffset(node + 1) - m_state.gpuOffset(node);
        for (int gpu = 0; gpu < gpus; ++gpu) {
            const float value = m_state.gpuValue(model::GpuMetric::SmActivity, node, gpu);
            if (std::isnan(value) || m_state.jobOnGpu(node, gpu) != job)
                continue;
            (old ? stale : fresh).push_back(value);
            if (old)
                oldest = std::max(oldest, m_state.readingAge(node));
        }
    }
    // Cut off from everything fresh, the last known figure stands, with its age.
    if (!fresh.empty()) {
        row.activity = medianOf(fresh);
    } else if (!stale.empty()) {
        row.activity = medianOf(stale);
        row.staleAge = oldest;
    }
}

void RunningJobsModel::refresh()
{
    QVector<int> running;
    for (int job = 0; job < m_state.jobs().size(); ++job) {
        if (m_state.jobs()[job].isActive())
            running.push_back(job);
    }
    m_running = int(running.size());
    const auto larger = [this](int a, int b) {
        const model::JobInfo& left = m_state.jobs()[a];
        const model::JobInfo& right = m_state.jobs()[b];
        return left.gpus != right.gpus ? left.gpus > right.gpus : left.id < right.id;
    };
    const auto shown = std::min<qsizetype>(running.size(), kMostRows);
    std::partial_sort(running.begin(), running.begin() + shown, running.end(), larger);
    QVector<Row> rows;
    for (qsizetype i = 0; i < shown; ++i) {
        const model::JobInfo& job = m_state.jobs()[running[i]];
        const qint64 seconds = job.startTime.isValid() ? job.startTime.secsTo(m_state.now()) : -1;
        Row row{job.displayId, job.name, job.user, job.nodes, job.gpus, seconds};
        readActivity(row, running[i]);
        rows.push_back(row);
    }
    if (rows.size() == m_rows.size()) {
        m_rows = rows;
        if (!rows.isEmpty())
            Q_EMIT dataChanged(index(0, 0), index(int(rows.size()) - 1, ColumnCount - 1));
        return;
    }
    beginResetModel();
    m_rows = rows;
    endResetModel();
}

QString RunningJobsModel::jobAt(int row) const
{
    return m_rows.value(row).id;
}

int RunningJobsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RunningJobsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString RunningJobsModel::text(const Row& row, int column) const
{
    switch (column) {
        case Job:
            return row.id;
        case Name:
            return row.name;
        case User:
            return row.user;
        case Gpus:
            return theme::number(qint64(row.gpus));
        case Nodes:
            return row.nodes;
        case RunTime:
            return theme::columnDuration(row.seconds);
        case Activity:
            return theme::quantity(model::GpuMetric::SmActivity, row.activity).value;
        default:
            return {};
    }
}

QVariant RunningJobsModel::data(const QModelIndex& index, int role) const
{
    const Row& row = m_rows[index.row()];
    const bool known = !std::isnan(row.activity);
    switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::TextAlignmentRole:
            return int(headerData(index.column(), Qt::Horizontal, role).toInt());
        case model::MonoRole:
            return index.column() != Activity || known;
        case model::HostlistRole:
            return index.column() == Nodes;
        case model::UnitRole:
            if (index.column() != Activity || !known)
                return {};
            return row.staleAge < 0
                       ? QStringLiteral("%")
                       : QStringLiteral("%, ") + theme::wholeDuration(qint64(row.staleAge));
        case model::JobStateRole:
            return index.column() == Job ? QVariant(int(model::JobState::Running)) : QVariant();
        case model::ToneRole:
            if (index.column() == Activity && (!known || row.staleAge >= 0))
                return int(model::Tone::Muted);
            return int(index.column() == User || index.column() == Nodes ? model::Tone::Secondary
                                                                         : model::Tone::Primary);
        default:
            return {};
    }
}

QVariant RunningJobsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static const char* titles[] = {"Job",   "Name",     "User",       "GPUs",
                                   "Nodes", "Run time", "SM activity"};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(titles[section]);
    if (role == Qt::TextAlignmentRole)
        return int((section == Gpus || section >= RunTime ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    return {};
}

}  // namespace yard::pages
