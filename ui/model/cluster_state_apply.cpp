#include <algorithm>
#include <numeric>

#include "ui/model/cluster_state.h"
#include "ui/model/hostlist.h"

namespace yard::model {
namespace {

constexpr int kMaxOperations = 2000;
constexpr int kMaxTrend = 2 * 24 * 60;

QPair<quint64, qint64> keyOf(const JobInfo& job)
{
    // As on the wire: 0 stands for a submit time that is not known.
    return {job.id, job.submitTime.isValid() ? job.submitTime.toMSecsSinceEpoch() : 0};
}

bool columnFits(const ClusterUpdate::Column& column, int metrics, int size)
{
    if (column.metric < 0 || column.metric >= metrics)
        return true;  // of a newer daemon: ignored
    if (column.index.isEmpty())
        return column.values.size() == size || column.values.isEmpty();
    return column.index.size() == column.values.size() &&
           std::all_of(column.index.begin(), column.index.end(),
                       [size](quint32 index) { return index < quint32(size); });
}

void applyColumn(const ClusterUpdate::Column& column, QVector<float>& values, int size)
{
    if (column.index.isEmpty()) {
        if (!column.values.isEmpty())
            values = column.values;
        return;
    }
    if (values.size() != size)
        values.fill(kNoReading, size);
    for (int i = 0; i < column.index.size(); ++i)
        values[int(column.index[i])] = column.values[i];
}

}  // namespace

bool ClusterState::apply(const ClusterUpdate& update)
{
    if (!fits(update))
        return false;
    if (update.full) {
        m_cluster = update.cluster;
        const QTimeZone zone(update.timeZone);
        m_timeZone = zone.isValid() ? zone : QTimeZone::utc();
        m_user = update.user;
        m_role = update.role;
        m_demo = update.demo;
        m_scheduler = {};
        m_isPast = update.isPast;
        m_pastKnown = update.pastKnown;
        m_lastKnown = update.lastKnown;
        m_readingsKept = update.readingsKept;
        m_pastWarnings = update.pastWarnings;
    }
    m_revision = update.revision;
    m_updateAt = update.at;
    m_updateElapsed = m_clock();

    const bool topology = applyNodes(update);
    if (update.hasClusterParts || update.full) {
        m_partitions = update.partitions;
        m_switches = update.switches;
    }
    applyIdentities(update);
    const bool jobs = applyJobs(update);
    applyColumns(update);
    if (update.hasFaults || update.full)
        applyFaults(update.faults);
    const bool health = applyHealth(update);
    applyOperations(update.operations, update.full);
    // A moment of the past comes without its trend; what the present told reaches back to it, or
    // does not.
    applyTrend(update.trend, update.full && !update.isPast);
    announce(update, topology, jobs, health);
    return true;
}

bool ClusterState::fits(const ClusterUpdate& update) const
{
    if (!update.full && (m_revision == 0 || update.baseRevision != m_revision))
        return false;
    int gpus = gpuCount();
    int nodes = int(m_nodes.size());
    if (update.full) {
        nodes = int(update.nodes.size());
        gpus = 0;
        for (const NodeInfo& node : update.nodes)
            gpus += node.gpusTotal;
    } else if (update.nodeIndex.size() != update.nodes.size()) {
        return false;
    }
    const auto isNode = [nodes](int index) { return index >= 0 && index < nodes; };
    return std::all_of(update.nodeIndex.begin(), update.nodeIndex.end(), isNode) &&
           std::all_of(update.gpuIdentities.begin(), update.gpuIdentities.end(),
                       [&](const auto& gpu) { return isNode(gpu.node); }) &&
           std::all_of(update.gpuColumns.begin(), update.gpuColumns.end(),
                       [&](const auto& c) { return columnFits(c, kGpuMetricCount, gpus); }) &&
           std::all_of(update.nodeColumns.begin(), update.nodeColumns.end(),
                       [&](const auto& c) { return columnFits(c, kNodeMetricCount, nodes); }) &&
           (update.readingAgeSeconds.isEmpty() || update.readingAgeSeconds.size() == nodes);
}

bool ClusterState::applyNodes(const ClusterUpdate& update)
{
    if (!update.full) {
        for (int i = 0; i < update.nodes.size(); ++i) {
            NodeInfo& node = m_nodes[update.nodeIndex[i]];
            NodeInfo next = update.nodes[i];
            next.gpuUuids = node.gpuUuids;
            next.gpuPcis = node.gpuPcis;
            next.gpuModel = node.gpuModel;
            node = std::move(next);
        }
        return false;
    }
    const bool same = std::equal(m_nodes.begin(), m_nodes.end(), update.nodes.begin(),
                                 update.nodes.end(), [](const NodeInfo& a, const NodeInfo& b) {
                                     return a.name == b.name && a.gpusTotal == b.gpusTotal;
                                 });
    replaceNodes(update.nodes);
    return !same;
}

void ClusterState::replaceNodes(const QVector<NodeInfo>& nodes)
{
    m_nodes = nodes;
    m_nodeByName.clear();
    m_nodeByName.reserve(nodes.size());
    m_gpuOffset = {0};
    m_gpuOffset.reserve(nodes.size() + 1);
    for (int i = 0; i < nodes.size(); ++i) {
        m_nodeByName.insert(nodes[i].name, i);
        m_gpuOffset.append(m_gpuOffset.constLast() + nodes[i].gpusTotal);
    }
}

void ClusterState::applyIdentities(const ClusterUpdate& update)
{
    for (const auto& gpus : update.gpuIdentities) {
        NodeInfo& node = m_nodes[gpus.node];
        node.gpuUuids = gpus.uuids;
        node.gpuPcis = gpus.pcis;
        node.gpuModel = gpus.model;
    }
}

bool ClusterState::applyJobs(const ClusterUpdate& update)
{
    if (update.full) {
        m_jobs = update.jobs;
        indexJobs();
        return true;
    }
    if (update.jobs.isEmpty() && update.removedJobs.isEmpty())
        return false;
    if (!update.removedJobs.isEmpty()) {
        QVector<bool> gone(m_jobs.size());
        for (const auto& key : update.removedJobs) {
            const int index = m_jobByKey.value(key, -1);
            if (index >= 0)
                gone[index] = true;
        }
        int kept = 0;
        for (int i = 0; i < m_jobs.size(); ++i) {
            if (gone[i])
                continue;
            if (kept != i)
                m_jobs[kept] = std::move(m_jobs[i]);
            m_jobByKey.insert(keyOf(m_jobs[kept]), kept);
            ++kept;
        }
        for (const auto& key : update.removedJobs)
            m_jobByKey.remove(key);
        m_jobs.resize(kept);
    }
    for (const JobInfo& job : update.jobs) {
        const int index = m_jobByKey.value(keyOf(job), -1);
        if (index >= 0) {
            m_jobs[index] = job;
        } else {
            m_jobByKey.insert(keyOf(job), int(m_jobs.size()));
            m_jobs.append(job);
        }
    }
    indexJobs();
    return true;
}

void ClusterState::indexJobs()
{
    m_jobByKey.clear();
    m_jobByDisplayId.clear();
    m_jobsByNode.fill({}, m_nodes.size());
    for (int i = 0; i < m_jobs.size(); ++i) {
        const JobInfo& job = m_jobs[i];
        m_jobByKey.insert(keyOf(job), i);
        // Ids are used again: the newest is the one that commands mean.
        const int other = m_jobByDisplayId.value(job.displayId, -1);
        if (other < 0 || m_jobs[other].submitTime <= job.submitTime)
            m_jobByDisplayId.insert(job.displayId, i);
        if (job.isActive()) {
            for (const int node : nodesOfJob(job))
                m_jobsByNode[node].append(i);
        }
    }
}

QVector<int> ClusterState::nodesOfJob(const JobInfo& job) const
{
    QVector<int> positions;
    const auto add = [&](const QString& name) {
        const int node = nodeIndex(name);
        if (node >= 0)
            positions.append(node);
    };
    const QStringList names = expandHostlist(job.nodes).hosts;
    if (!names.isEmpty()) {
        for (const QString& name : names)
            add(name);
    } else {
        for (auto it = job.gpuIndices.cbegin(); it != job.gpuIndices.cend(); ++it)
            add(it.key());
    }
    return positions;
}

void ClusterState::applyColumns(const ClusterUpdate& update)
{
    if (update.full) {
        m_gpu.fill({});
        m_node.fill({});
        m_readingAge.clear();
    }
    for (const auto& column : update.gpuColumns) {
        if (column.metric >= 0 && column.metric < kGpuMetricCount)
            applyColumn(column, m_gpu[size_t(column.metric)], gpuCount());
    }
    for (const auto& column : update.nodeColumns) {
        if (column.metric >= 0 && column.metric < kNodeMetricCount)
            applyColumn(column, m_node[size_t(column.metric)], int(m_nodes.size()));
    }
    if (!update.readingAgeSeconds.isEmpty()) {
        m_readingAge = update.readingAgeSeconds;
        m_readingElapsed = m_updateElapsed;
    }
    if (update.readingIntervalSeconds > 0)
        m_readingInterval = double(update.readingIntervalSeconds);
}

void ClusterState::applyFaults(const QVector<FaultInfo>& faults)
{
    m_faults = faults;
    m_faultyGpus.clear();
    for (const FaultInfo& fault : faults) {
        const int node = nodeIndex(fault.host);
        if (node < 0)
            continue;
        int gpu = fault.gpuIndex.value_or(-1);
        for (int i = 0; gpu < 0 && !fault.pci.isEmpty() && i < m_nodes[node].gpuPcis.size(); ++i) {
            if (m_nodes[node].gpuPcis[i].startsWith(fault.pci, Qt::CaseInsensitive))
                gpu = i;
        }
        if (gpu >= 0 && gpu < m_nodes[node].gpusTotal)
            m_faultyGpus.insert(gpuOffset(node) + gpu);
    }
}

bool ClusterState::applyHealth(const ClusterUpdate& update)
{
    if (update.full)
        m_targets.clear();
    for (const QString& name : update.removedTargets)
        m_targets.removeIf([&name](const TargetInfo& target) { return target.target == name; });
    if (!update.targets.isEmpty()) {
        QHash<QString, int> known;
        for (int i = 0; i < m_targets.size(); ++i)
            known.insert(m_targets[i].target, i);
        for (const TargetInfo& target : update.targets) {
            const int index = known.value(target.target, -1);
            if (index >= 0) {
                m_targets[index] = target;
            } else {
                known.insert(target.target, int(m_targets.size()));
                m_targets.append(target);
            }
        }
    }
    if (update.scheduler)
        m_scheduler = *update.scheduler;
    if (!update.rights.isEmpty() || update.full)
        m_rights = update.rights;
    if (update.daemonTroubles || update.full)
        m_daemonTroubles = update.daemonTroubles.value_or(QStringList());
    return update.full || update.scheduler || !update.targets.isEmpty() ||
           !update.removedTargets.isEmpty() || !update.rights.isEmpty() || update.daemonTroubles;
}

void ClusterState::applyOperations(const QVector<OperationInfo>& operations, bool full)
{
    if (operations.isEmpty() && !full)
        return;
    QHash<quint64, OperationInfo> changed;
    for (const OperationInfo& operation : operations)
        changed.insert(operation.id, operation);
    if (full)
        m_operations.clear();
    for (OperationInfo& known : m_operations) {
        const auto next = changed.constFind(known.id);
        if (next != changed.cend()) {
            known = *next;
            changed.erase(next);
        }
    }
    for (const OperationInfo& operation : qAsConst(changed))
        m_operations.append(operation);
    std::sort(m_operations.begin(), m_operations.end(),
              [](const OperationInfo& a, const OperationInfo& b) { return a.id > b.id; });
    if (m_operations.size() > kMaxOperations)
        m_operations.resize(kMaxOperations);

    m_openByTarget.clear();
    for (int i = int(m_operations.size()) - 1; i >= 0; --i) {
        if (!m_operations[i].isOpen())
            continue;
        for (const OperationTarget& target : m_operations[i].targets) {
            if (target.state == TargetState::Requested)
                m_openByTarget.insert(target.name, i);
        }
    }
}

void ClusterState::applyTrend(const QVector<TrendInfo>& trend, bool full)
{
    if (full)
        m_trend.clear();
    m_trend += trend;
    if (m_trend.size() > kMaxTrend)
        m_trend.remove(0, m_trend.size() - kMaxTrend);
}

void ClusterState::announce(const ClusterUpdate& update, bool topology, bool jobs, bool health)
{
    if (topology) {
        Q_EMIT topologyChanged();
    } else if (update.full) {
        QVector<int> all(m_nodes.size());
        std::iota(all.begin(), all.end(), 0);
        Q_EMIT nodesChanged(all);
    } else if (!update.nodes.isEmpty()) {
        Q_EMIT nodesChanged(update.nodeIndex);
    }
    if (jobs)
        Q_EMIT jobsChanged();
    if (update.full || !update.readingAgeSeconds.isEmpty() || !update.gpuColumns.isEmpty() ||
        !update.nodeColumns.isEmpty())
        Q_EMIT readingsChanged();
    if (update.full || update.hasFaults)
        Q_EMIT faultsChanged();
    if (update.full || !update.operations.isEmpty())
        Q_EMIT operationsChanged();
    if (health)
        Q_EMIT healthChanged();
    if (update.full || !update.trend.isEmpty())
        Q_EMIT trendChanged();
}

}  // namespace yard::model
