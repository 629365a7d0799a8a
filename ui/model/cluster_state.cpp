#include "ui/model/cluster_state.h"

#include <QElapsedTimer>
#include <cmath>

namespace yard::model {
namespace {

constexpr double kLiveIntervals = 2;
constexpr double kAgeingIntervals = 4;
constexpr double kStaleSeconds = 600;

ClusterState::SteadyClock realClock()
{
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

}  // namespace

ClusterState::ClusterState(QObject* parent, SteadyClock clock)
    : QObject(parent)
    , m_clock(clock ? std::move(clock) : realClock())
    , m_timeZone(QTimeZone::utc())
{
}

float ClusterState::gpuValue(GpuMetric metric, int node, int gpu) const
{
    const QVector<float>& column = gpuColumn(metric);
    const int position = gpuOffset(node) + gpu;
    return gpu >= 0 && position < gpuOffset(node + 1) ? column.value(position, kNoReading)
                                                      : kNoReading;
}

double ClusterState::readingAge(int node) const
{
    const float then = m_readingAge.value(node, -1);
    return then < 0 || std::isnan(then) ? -1 : then + double(elapsed() - m_readingElapsed) / 1000;
}

Freshness ClusterState::freshness(int node) const
{
    const double age = readingAge(node);
    if (age < 0)
        return Freshness::Missing;
    if (age <= kLiveIntervals * m_readingInterval)
        return Freshness::Live;
    if (age <= kAgeingIntervals * m_readingInterval)
        return Freshness::Ageing;
    return age <= kStaleSeconds ? Freshness::Stale : Freshness::Missing;
}

const JobInfo* ClusterState::job(const QString& displayId) const
{
    const auto found = m_jobByDisplayId.constFind(displayId);
    return found == m_jobByDisplayId.cend() ? nullptr : &m_jobs[*found];
}

QVector<int> ClusterState::jobsOnNode(int node) const
{
    return m_jobsByNode.value(node);
}

int ClusterState::jobOnGpu(int node, int gpu) const
{
    const QVector<int> jobs = jobsOnNode(node);
    if (jobs.isEmpty())
        return -1;
    const NodeInfo& info = m_nodes[node];
    for (const int index : jobs) {
        const auto gpus = m_jobs[index].gpuIndices.constFind(info.name);
        if (gpus != m_jobs[index].gpuIndices.cend() && gpus->contains(gpu))
            return index;
    }
    // Without indices a lone job holds what the node says is in use.
    if (jobs.size() > 1 || !m_jobs[jobs.first()].gpuIndices.isEmpty())
        return -1;
    const bool inUse = info.gpuIndicesInUse.contains(gpu) || info.gpusAllocated >= info.gpusTotal;
    return inUse && m_jobs[jobs.first()].gpus > 0 ? jobs.first() : -1;
}

bool ClusterState::gpuHasFault(int node, int gpu) const
{
    return m_faultyGpus.contains(gpuOffset(node) + gpu);
}

const OperationInfo* ClusterState::openOperationOn(const QString& target) const
{
    const auto found = m_openByTarget.constFind(target);
    return found == m_openByTarget.cend() ? nullptr : &m_operations[*found];
}

double ClusterState::age() const
{
    return m_updateAt.isValid() ? double(elapsed() - m_updateElapsed) / 1000 : -1;
}

QDateTime ClusterState::now() const
{
    return m_updateAt.isValid() ? m_updateAt.addMSecs(elapsed() - m_updateElapsed) : QDateTime();
}

void ClusterState::setConnection(Connection connection, const QString& error, const QDateTime& next)
{
    if (m_connection == connection && m_connectionError == error && m_nextAttempt == next)
        return;
    m_connection = connection;
    m_connectionError = error;
    m_nextAttempt = next;
    Q_EMIT connectionChanged();
}

}  // namespace yard::model
