#include "backend/scheduler/simulated/simulated_cluster.h"

#include "backend/scheduler/simulated/cluster_engine.h"

namespace yard::scheduler {

SimulatedCluster::SimulatedCluster(const SimulatedOptions& options, const Clock& clock)
    : m_options(options)
    , m_clock(clock)
    , m_engine(std::make_unique<ClusterEngine>(options, clock.now()))
{
}

SimulatedCluster::~SimulatedCluster() = default;

void SimulatedCluster::catchUp()
{
    m_engine->advanceTo(m_engine->scale().sim(m_clock.now()));
}

domain::SchedulerView SimulatedCluster::view()
{
    const std::lock_guard lock(m_mutex);
    catchUp();
    return m_engine->view();
}

StatusOr<Receipt> SimulatedCluster::act(const domain::Action& action, std::string_view operationId)
{
    const std::lock_guard lock(m_mutex);
    catchUp();
    return m_engine->act(action, operationId);
}

std::vector<domain::HostReadings> SimulatedCluster::readings()
{
    const std::lock_guard lock(m_mutex);
    catchUp();
    return m_engine->readings();
}

std::vector<domain::Fault> SimulatedCluster::faultsSince(Time since)
{
    const std::lock_guard lock(m_mutex);
    catchUp();
    return m_engine->faultsSince(since);
}

}  // namespace yard::scheduler
