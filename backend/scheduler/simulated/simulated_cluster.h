#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/domain/action.h"
#include "backend/domain/cluster.h"
#include "backend/domain/fault.h"
#include "backend/domain/readings.h"
#include "backend/scheduler/scheduler.h"
#include "backend/scheduler/simulated/simulated_options.h"

namespace yard::scheduler {

class ClusterEngine;

/// A whole GPU cluster in memory: jobs arrive, wait, run and end, nodes and GPUs fail, and
/// operators act on it. It starts full. The same options, clock times and actions give the same
/// states.
///
/// Its times are those of the clock; with a speed above 1 everything takes that much less time.
///
/// Thread: any; calls wait for each other.
class SimulatedCluster {
public:
    /// `clock` must outlive the cluster.
    SimulatedCluster(const SimulatedOptions& options, const Clock& clock);
    ~SimulatedCluster();

    const SimulatedOptions& options() const { return m_options; }

    /// What the scheduler would say now.
    domain::SchedulerView view();
    /// Carries out what Slurm would, with Slurm's own words when it refuses.
    StatusOr<Receipt> act(const domain::Action& action, std::string_view operationId);

    /// What the exporters would say now. Hosts that do not answer are left out.
    std::vector<domain::HostReadings> readings();
    /// The kernel's faults after `since`, oldest first; the last 10,000 are kept.
    std::vector<domain::Fault> faultsSince(Time since);

private:
    /// Brings the engine up to the clock; the caller holds the lock.
    void catchUp();

    const SimulatedOptions m_options;
    const Clock& m_clock;
    std::mutex m_mutex;
    std::unique_ptr<ClusterEngine> m_engine;
};

}  // namespace yard::scheduler
