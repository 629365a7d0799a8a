#include "ui/model/node_table_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"
#include "ui/model/live_rows.h"
#include "ui/model/selection.h"

namespace yard::model {
namespace {

std::optional<double> known(float value)
{
    return std::isnan(value) ? std::nullopt : std::optional<double>(double(value));
}

std::optional<double> memoryUsed(const ClusterState& state, int node)
{
    if (const auto measured =
            known(state.nodeColumn(NodeMetric::MemoryUsed).value(node, kNoReading)))
        return measured;
    const NodeInfo& info = state.nodes()[node];
    if (info.memoryTotalMib && info.memoryFreeMib)
        return double(*info.memoryTotalMib - *info.memoryFreeMib);
    return std::nullopt;
}

bool isReading(int column)
{
    return column == NodeTableModel::Gpus || column == NodeTableModel::Power ||
           column == NodeTableModel::HottestGpu || column == NodeTableModel::Memory ||
           column == NodeTableModel::Load;
}

bool isNumber(int column)
{
    return column == NodeTableModel::Since || isReading(column);
}

/// 0 is the worst.
int rankOf(NodeCategory category)
{
    switch (category) {
        case NodeCategory::Down:
        case NodeCategory::Fail:
            return 0;
        case NodeCategory::Invalid:
        case NodeCategory::Unknown:
            return 2;
        case NodeCategory::Draining:
            return 3;
        case NodeCategory::Drained:
            return 4;
        case NodeCategory::Rebooting:
            return 5;
        case NodeCategory::Maintenance:
            return 6;
        case NodeCategory::PoweredOff:
        case NodeCategory::Future:
            return 7;
        case NodeCategory::Reserved:
        case NodeCategory::Planned:
            return 8;
        case NodeCategory::Allocated:
        case NodeCategory::Completing:
            return 9;
        case NodeCategory::Mixed:
            return 10;
        case NodeCategory::Idle:
            return 11;
    }
    Q_UNREACHABLE();
}

constexpr int kFaultyGpu = 1;  // worse than what the scheduler alone says, but for a node down

}  // namespace

NodeTableModel::NodeTableModel(const ClusterState& state, Selection& selection, QObject* parent)
    : QAbstractTableModel(parent)
    , m_state(state)
    , m_selection(selection)
{
    connect(&state, &ClusterState::topologyChanged, this, [this] {
        beginResetModel();
        rankNames();
        m_rows = wanted();
        endResetModel();
        Q_EMIT filtered();
    });
    connect(&state, &ClusterState::nodesChanged, this, &NodeTableModel::follow);
    connect(&state, &ClusterState::jobsChanged, this, &NodeTableModel::follow);
    connect(&state, &ClusterState::readingsChanged, this, [this] { announce(Gpus, HottestGpu); });
    connect(&state, &ClusterState::faultsChanged, this, [this] { announce(Gpus, Gpus); });
    connect(&state, &ClusterState::operationsChanged, this, [this] { announce(State, State); });
    connect(&selection, &Selection::nodeFilterChanged, this, &NodeTableModel::rebuild);
    rankNames();
    m_rows = wanted();
}

std::optional<double> NodeTableModel::number(const ClusterState& state, int node, int column)
{
    const NodeInfo& info = state.nodes()[node];
    switch (column) {
        case Gpus:
            return info.gpusAllocated;
        case Load:
            if (const auto load = known(state.nodeColumn(NodeMetric::Load).value(node, kNoReading)))
                return load;
            return info.cpuLoad;
        case Memory:
            return memoryUsed(state, node);
        case Power:
            return known(state.nodeColumn(NodeMetric::Power).value(node, kNoReading));
        case HottestGpu: {
            const int gpu = hottestGpu(state, node);
            return gpu < 0 ? std::nullopt
                           : known(state.gpuValue(GpuMetric::CoreTemperature, node, gpu));
        }
        case Since:
            return info.reasonTime.isValid()
                       ? std::optional<double>(double(info.reasonTime.toMSecsSinceEpoch()))
                       : std::nullopt;
        default:
            return std::nullopt;
    }
}

QString NodeTableModel::text(const ClusterState& state, int node, int column)
{
    const NodeInfo& info = state.nodes()[node];
    switch (column) {
        case Name:
            return info.name;
        case State:
            return info.stateText;
        case Job: {
            const QVector<int> jobs = state.jobsOnNode(node);
            if (jobs.isEmpty())
                return {};
            const QString first = state.jobs()[jobs.first()].displayId;
            return jobs.size() == 1 ? first
                                    : QStringLiteral("%1 +%2").arg(first).arg(jobs.size() - 1);
        }
        case Partition:
            return info.partitions.join(QLatin1Char(','));
        case Switch:
            return info.switchName;
        case Rack:
            return info.rack;
        case Reason:
            return info.reason;
        case SetBy:
            return info.reasonUser;
        default:
            return {};
    }
}

int NodeTableModel::hottestGpu(const ClusterState& state, int node)
{
    int hottest = -1;
    float most = 0;
    for (int gpu = 0; gpu < state.nodes()[node].gpusTotal; ++gpu) {
        const float value = state.gpuValue(GpuMetric::CoreTemperature, node, gpu);
        if (!std::isnan(value) && (hottest < 0 || value > most)) {
            hottest = gpu;
            most = value;
        }
    }
    return hottest;
}

QStringList NodeTableModel::names() const
{
    QStringList names;
    names.reserve(m_rows.size());
    for (const int node : m_rows)
        names.append(m_state.nodes()[node].name);
    return names;
}

int NodeTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int NodeTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant NodeTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int node = m_rows[index.row()];
    if (node >= m_state.nodes().size())
        return {};
    switch (role) {
        case Qt::DisplayRole:
            if (isNumber(index.column())) {
                const auto value = number(m_state, node, index.column());
                return value ? QVariant(*value) : QVariant();
            }
            return text(m_state, node, index.column());
        case NodeRole:
            return node;
        case FreshnessRole:
            return isReading(index.column()) ? QVariant(int(m_state.freshness(node))) : QVariant();
        default:
            return {};
    }
}

void NodeTableModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    rebuild();
}

bool NodeTableModel::less(int a, int b) const
{
    const bool up = m_sortOrder == Qt::AscendingOrder;
    const auto byName = [&] { return m_rank.value(a) < m_rank.value(b); };
    if (m_sortColumn == Name)
        return up ? byName() : m_rank.value(b) < m_rank.value(a);
    if (m_sortColumn == State && m_worse.value(a) != m_worse.value(b))
        return up ? m_worse.value(a) < m_worse.value(b) : m_worse.value(b) < m_worse.value(a);
    if (isNumber(m_sortColumn)) {
        const auto x = number(m_state, a, m_sortColumn);
        const auto y = number(m_state, b, m_sortColumn);
        if (x.has_value() != y.has_value())
            return x.has_value();
        return !x || *x == *y ? byName() : up ? *x < *y : *y < *x;
    }
    const QString x = text(m_state, a, m_sortColumn);
    const QString y = text(m_state, b, m_sortColumn);
    if (x.isEmpty() != y.isEmpty())
        return y.isEmpty();
    return x == y ? byName() : up ? naturalLess(x, y) : naturalLess(y, x);
}

void NodeTableModel::rankNames()
{
    const QVector<NodeInfo>& nodes = m_state.nodes();
    QVector<int> order(nodes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return naturalLess(nodes[a].name, nodes[b].name); });
    m_rank.resize(nodes.size());
    for (int i = 0; i < order.size(); ++i)
        m_rank[order[i]] = i;
}

void NodeTableModel::rankStates()
{
    const QVector<NodeInfo>& nodes = m_state.nodes();
    m_worse.resize(nodes.size());
    for (int node = 0; node < nodes.size(); ++node)
        m_worse[node] = rankOf(nodes[node].category);
    for (const FaultInfo& fault : m_state.faults()) {
        const int node = m_state.nodeIndex(fault.host);
        if (node >= 0 && fault.gpuIndex && m_state.gpuHasFault(node, *fault.gpuIndex))
            m_worse[node] = std::min(m_worse[node], kFaultyGpu);
    }
}

QVector<int> NodeTableModel::wanted()
{
    if (m_sortColumn == State)
        rankStates();
    const NodeMatcher matcher(m_selection.nodeFilter(), m_state);
    m_filterError = matcher.error();
    m_unknown = matcher.unknownNodes();
    QVector<int> rows;
    for (int node = 0; node < m_state.nodes().size(); ++node) {
        if (matcher.matches(node))
            rows.append(node);
    }
    std::sort(rows.begin(), rows.end(), [this](int a, int b) { return less(a, b); });
    return rows;
}

void NodeTableModel::rebuild()
{
    beginResetModel();
    m_rows = wanted();
    endResetModel();
    Q_EMIT filtered();
}

void NodeTableModel::follow()
{
    struct Steps {
        NodeTableModel& model;
        void removeStarts(int first, int last) { model.beginRemoveRows({}, first, last); }
        void removeEnds() { model.endRemoveRows(); }
        void insertStarts(int first, int last) { model.beginInsertRows({}, first, last); }
        void insertEnds() { model.endInsertRows(); }
    };
    if (m_selection.nodeFilter().isEmpty()) {
        announce(Name, kColumnCount - 1);
        return;
    }
    const auto before = m_rows.size();
    const bool stepped = updateLiveRows(
        m_rows, wanted(), [](int node) { return node; },
        [this](int a, int b) { return less(a, b); }, Steps{*this});
    if (!stepped) {
        rebuild();
        return;
    }
    announce(Name, kColumnCount - 1);
    if (before != m_rows.size())
        Q_EMIT filtered();
}

void NodeTableModel::announce(int firstColumn, int lastColumn)
{
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0, firstColumn), index(int(m_rows.size()) - 1, lastColumn));
}

}  // namespace yard::model
