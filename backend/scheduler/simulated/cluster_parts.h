#pragma once

#include <string>
#include <vector>

#include "backend/domain/job.h"
#include "backend/domain/node.h"
#include "backend/scheduler/simulated/gpu_pool.h"
#include "backend/scheduler/simulated/sim_time.h"
#include "backend/scheduler/simulated/workload.h"

namespace yard::scheduler {

/// Bits of SimNode::flags; spelled out by flagNames() in this order.
enum NodeFlag : uint32_t {
    kDrain = 1,
    kNotResponding = 2,
    kMaintenance = 4,
    kReserved = 8,
    kPlanned = 16,
    kRebootRequested = 32,
    kRebootIssued = 64,
    kInvalidReg = 128,
};

struct SimNode {
    domain::Node shown;  ///< as poll() gives it; refresh() keeps it true
    uint64_t used = 0;
    std::vector<uint64_t> jobs;
    uint32_t flags = 0;
    bool down = false;
    bool dead = false;  ///< does not answer, whatever slurmctld thinks
    uint32_t generation = 0;

    bool takesJobs() const { return !down && flags == 0; }
    /// Brings `shown` up to date with the rest.
    void refresh(int gpusPerNode);
};

struct SimJob {
    domain::Job shown;
    JobDraw plan;
    GpuRequest request;
    Placement placement;
    SimTime submitted = 0;
    SimTime eligible = 0;
    SimTime claimFrom = 0;  ///< may keep nodes free for itself from then on
    SimTime started = 0;
    SimTime runTime = 0;
    int priority = 0;
    int telemetrySlot = -1;
    uint32_t generation = 0;
    bool splitOff = false;  ///< a waiting task of an array with a record of its own, for good

    bool isWaiting() const { return shown.state == domain::JobState::Pending; }
    bool isRunning() const { return shown.state == domain::JobState::Running; }
};

}  // namespace yard::scheduler
