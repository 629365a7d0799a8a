#include "ui/model/gpu_map.h"

#include <QHash>
#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"

namespace yard::model {
namespace {

const QString kFree = QStringLiteral("free");
const QString kShared = QStringLiteral("several jobs");
const QString kNoGroup = QStringLiteral("all nodes");

float medianOf(std::vector<float>& values)
{
    if (values.empty())
        return kNoReading;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

int rankOf(const QString& title)
{
    return title == kFree ? 2 : title == kShared || title == kNoGroup ? 1 : 0;
}

}  // namespace

GpuMap::GpuMap(const ClusterState& state, QObject* parent)
    : QObject(parent)
    , m_state(state)
{
    const auto rebuildAll = [this] { rebuild(); };
    connect(&state, &ClusterState::topologyChanged, this, rebuildAll);
    connect(&state, &ClusterState::nodesChanged, this, [this] {
        readFlags();
        readMedians();
        Q_EMIT layoutChanged();
    });
    connect(&state, &ClusterState::operationsChanged, this, &GpuMap::layoutChanged);
    connect(&state, &ClusterState::jobsChanged, this, [this] {
        if (m_grouping == Grouping::Job || !m_filter.isEmpty())
            rebuild();
    });
    connect(&state, &ClusterState::readingsChanged, this, [this] {
        readFlags();
        readValues();
        readMedians();
        Q_EMIT valuesChanged();
    });
    connect(&state, &ClusterState::faultsChanged, this, [this] {
        readFlags();
        Q_EMIT valuesChanged();
    });
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this, &GpuMap::growOlder);
    m_second.start();
    rebuild();
}

void GpuMap::growOlder()
{
    for (int node = 0; node < m_freshness.size(); ++node) {
        if (m_state.freshness(node) == m_freshness[node])
            continue;
        readFlags();
        readValues();
        readMedians();
        Q_EMIT valuesChanged();
        return;
    }
}

void GpuMap::setMetric(GpuMetric metric)
{
    if (m_metric == metric)
        return;
    m_metric = metric;
    readValues();
    readMedians();
    Q_EMIT valuesChanged();
}

void GpuMap::setGrouping(Grouping grouping)
{
    if (m_grouping == grouping)
        return;
    m_grouping = grouping;
    rebuild();
}

void GpuMap::setFilter(const NodeFilter& filter)
{
    if (m_filter == filter)
        return;
    m_filter = filter;
    readFlags();
    Q_EMIT valuesChanged();
}

QString GpuMap::groupOf(int node, QString* job) const
{
    const NodeInfo& info = m_state.nodes()[node];
    switch (m_grouping) {
        case Grouping::Switch:
            return info.switchName;
        case Grouping::Rack:
            return info.rack;
        case Grouping::Partition:
            return info.partitions.value(0);
        case Grouping::Job:
            break;
    }
    const QVector<int> jobs = m_state.jobsOnNode(node);
    if (jobs.isEmpty())
        return kFree;
    if (jobs.size() > 1)
        return kShared;
    const JobInfo& only = m_state.jobs()[jobs.first()];
    *job = only.displayId;
    return QStringLiteral("%1 %2").arg(only.displayId, only.name);
}

void GpuMap::rebuild()
{
    m_groups.clear();
    QHash<QString, int> byTitle;
    for (int node = 0; node < m_state.nodes().size(); ++node) {
        if (m_state.gpuOffset(node + 1) == m_state.gpuOffset(node))
            continue;
        QString job;
        QString title = groupOf(node, &job);
        if (title.isEmpty())
            title = kNoGroup;
        auto found = byTitle.constFind(title);
        if (found == byTitle.constEnd()) {
            found = byTitle.insert(title, int(m_groups.size()));
            m_groups.push_back({title, {}, job, {}});
        }
        m_groups[*found].nodes.push_back(node);
    }
    for (Group& group : m_groups) {
        QStringList names;
        for (int node : group.nodes)
            names << m_state.nodes()[node].name;
        group.hosts = foldHostlist(names);
    }
    // A lone group of everything the scheduler has not placed needs no other name.
    if (m_groups.size() > 1) {
        for (Group& group : m_groups) {
            if (group.title == kNoGroup)
                group.title = QStringLiteral("others");
        }
    }
    std::sort(m_groups.begin(), m_groups.end(), [this](const Group& a, const Group& b) {
        if (rankOf(a.title) != rankOf(b.title))
            return rankOf(a.title) < rankOf(b.title);
        // Jobs: the largest first, as people look for them.
        if (m_grouping == Grouping::Job && a.nodes.size() != b.nodes.size())
            return a.nodes.size() > b.nodes.size();
        return naturalLess(a.title, b.title);
    });
    readFlags();
    readValues();
    readMedians();
    Q_EMIT layoutChanged();
}

void GpuMap::readFlags()
{
    m_flags.fill(0, m_state.gpuCount());
    const NodeMatcher matcher(m_filter, m_state);
    m_filterError = matcher.error();
    m_shownNodes = 0;
    m_freshness.resize(m_state.nodes().size());
    const bool filtering = !m_filter.isEmpty() && m_filterError.isEmpty();
    for (int node = 0; node < m_state.nodes().size(); ++node) {
        const NodeInfo& info = m_state.nodes()[node];
        const int first = m_state.gpuOffset(node);
        const int last = m_state.gpuOffset(node + 1);
        const bool hidden = filtering && !matcher.matches(node);
        m_shownNodes += hidden ? 0 : 1;
        quint8 flag = hidden ? Hidden : 0;
        m_freshness[node] = m_state.freshness(node);
        if (m_freshness[node] == Freshness::Stale)
            flag |= Stale;
        if (info.gpusAllocated > 0 && info.gpusAllocated >= info.gpusTotal)
            flag |= InUse;
        for (int gpu = first; gpu < last; ++gpu)
            m_flags[gpu] = flag;
        for (int index : info.gpuIndicesInUse) {
            if (first + index < last)
                m_flags[first + index] |= InUse;
        }
        // Without indices Slurm only says how many; the map then counts from the first.
        if (info.gpuIndicesInUse.isEmpty() && !(flag & InUse)) {
            for (int gpu = 0; gpu < info.gpusAllocated && first + gpu < last; ++gpu)
                m_flags[first + gpu] |= InUse;
        }
    }
    for (const FaultInfo& fault : m_state.faults()) {
        const int node = m_state.nodeIndex(fault.host);
        if (node < 0 || !fault.gpuIndex)
            continue;
        const int gpu = m_state.gpuOffset(node) + *fault.gpuIndex;
        if (m_state.gpuHasFault(node, *fault.gpuIndex) && gpu < m_flags.size())
            m_flags[gpu] |= HasFault;
    }
}

void GpuMap::readValues()
{
    const QVector<float>& column = m_state.gpuColumn(m_metric);
    const int count = m_state.gpuCount();
    if (column.size() != count) {
        m_values.fill(kNoReading, count);
        return;
    }
    m_values = column;
    float* values = m_values.data();
    if (m_metric == GpuMetric::MemoryUsed) {
        const QVector<float>& total = m_state.gpuColumn(GpuMetric::MemoryTotal);
        for (int i = 0; i < count; ++i)
            values[i] = total.value(i, kNoReading) > 0 ? values[i] / total[i] * 100 : kNoReading;
    }
    for (int node = 0; node < m_state.nodes().size(); ++node) {
        if (m_state.freshness(node) != Freshness::Missing)
            continue;
        std::fill(values + m_state.gpuOffset(node), values + m_state.gpuOffset(node + 1),
                  kNoReading);
    }
}

void GpuMap::readMedians()
{
    m_medians.fill(kNoReading, m_groups.size());
    m_free.fill(true, m_groups.size());
    m_counts = {};
    std::vector<float> all;
    std::vector<float> some;
    all.reserve(size_t(m_values.size()));
    for (int group = 0; group < m_groups.size(); ++group) {
        some.clear();
        for (int node : m_groups[group].nodes) {
            for (int gpu = m_state.gpuOffset(node); gpu < m_state.gpuOffset(node + 1); ++gpu) {
                const quint8 flags = m_flags[gpu];
                const bool known = !std::isnan(m_values[gpu]);
                m_counts.missing += known ? 0 : 1;
                m_counts.stale += known && (flags & Stale) ? 1 : 0;
                m_counts.fresh += known && !(flags & Stale) ? 1 : 0;
                m_counts.faults += flags & HasFault ? 1 : 0;
                if (!(flags & InUse))
                    continue;
                ++m_counts.inUse;
                m_free[group] = false;
                if (known)
                    some.push_back(m_values[gpu]);
            }
        }
        all.insert(all.end(), some.begin(), some.end());
        m_medians[group] = medianOf(some);
    }
    m_medianInUse = medianOf(all);
}

}  // namespace yard::model
