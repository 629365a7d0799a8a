#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/action.h"
#include "backend/domain/cluster.h"
#include "backend/domain/fault.h"
#include "backend/scheduler/scheduler.h"
#include "backend/scheduler/simulated/event_queue.h"
#include "backend/scheduler/simulated/job_author.h"
#include "backend/scheduler/simulated/submit_options.h"
#include "backend/scheduler/simulated/telemetry_model.h"

namespace yard::scheduler {

/// The discrete-event simulation behind SimulatedCluster. It only moves when advanceTo() says so.
///
/// Thread: one at a time.
class ClusterEngine {
public:
    ClusterEngine(const SimulatedOptions& options, Time start);

    /// Lets everything happen that is due until `time`. Never goes back.
    void advanceTo(SimTime time);
    const TimeScale& scale() const { return m_scale; }

    domain::SchedulerView view() const;
    StatusOr<Receipt> act(const domain::Action& action, std::string_view operationId);
    std::vector<domain::HostReadings> readings() const;
    std::vector<domain::Fault> faultsSince(Time since) const;

private:
    using Jobs = std::map<uint64_t, SimJob>;
    struct Waiting {
        int priority;
        uint64_t id;
        SimJob* job;
        bool operator<(const Waiting& other) const
        {
            return priority != other.priority ? priority > other.priority : id < other.id;
        }
    };
    /// Free nodes kept for a large job that has waited long: they show as PLANNED.
    struct Claim {
        uint64_t job = 0;
        std::vector<uint32_t> nodes;
        SimTime since = 0;
    };
    struct Ended {
        uint64_t job;
        SimTime at;
        uint32_t generation;
    };

    // cluster_view.cpp
    std::vector<uint32_t> waitingTasks(uint64_t array) const;

    // cluster_start.cpp
    void buildNodes();
    void buildPartitions();
    void placeOddities();
    void runEarlierJobs();
    void lateOddities();

    // cluster_engine.cpp
    void happen(const Event& event);
    void arrive();
    SimJob& addJob(const JobDraw& draw, SimTime submitted);
    void letWait(SimJob& job, SimTime eligible);
    void startJob(SimJob& job, Placement placement, SimTime at);
    void freeGpus(SimJob& job);
    void endJob(SimJob& job, domain::JobState state, SimTime at);
    void endByPlan(SimJob& job);
    void requeue(SimJob& job, bool hold, SimTime at);
    void jobLostItsNode(SimJob& job);
    void forgetOldJobs();

    // cluster_nodes.cpp
    void refresh(uint32_t node);
    void setDown(uint32_t node, std::string reason, std::string user);
    void setReason(uint32_t node, std::string reason, std::string user);
    void loseNode(uint32_t node);
    void bringBack(uint32_t node);
    void repaired(uint32_t node);
    void leaveTrace(const SimJob& job);
    void issueReboot(uint32_t node);
    void rebootIfIdle(uint32_t node);
    void rebootDone(uint32_t node);
    void rebootNextIdle();
    void addFault(uint32_t node, int gpu, int xid, const SimJob& job);

    // cluster_queue.cpp
    void tryAll();
    bool tryStart(SimJob& job);
    void claimFor(SimJob& job);
    void serveClaim(std::optional<Claim>& claim, const std::vector<uint32_t>& freed);
    void dropClaim(uint64_t job);

    // cluster_actions.cpp
    StatusOr<std::vector<uint32_t>> findNodes(const std::vector<std::string>& names) const;
    StatusOr<std::vector<SimJob*>> findJobs(const std::vector<std::string>& displayIds);
    void splitOff(const std::vector<std::string>& names);
    Status actOnNode(const domain::Action& action, uint32_t node, const std::string& reason);
    Status actOnJob(const domain::Action& action, SimJob& job);
    Status resume(uint32_t node);
    Status requeueByHand(const domain::Action& action, SimJob& job);
    void hold(SimJob& job);
    void release(SimJob& job);
    StatusOr<Receipt> resubmit(const domain::Action& action, std::string_view operationId);
    StatusOr<Receipt> submit(const domain::Action& action, std::string_view operationId);
    void addSubmitted(const SubmitOptions& options, const GpuRequest& request,
                      const std::string& user, std::string_view operationId,
                      std::optional<domain::ArrayPlace> place);
    StatusOr<std::vector<uint32_t>> nodesOfList(const std::string& list) const;
    StatusOr<GpuRequest> requestFor(const SubmitOptions& options) const;
    Status exclude(SimJob& job, const std::vector<std::string>& nodes);

    const SimulatedOptions m_options;
    const TimeScale m_scale;
    SimTime m_now = 0;
    Random m_random;
    const int m_trainNodes;
    Workload m_workload;
    JobAuthor m_author;
    EventQueue m_events;

    std::vector<SimNode> m_nodes;
    std::unordered_map<std::string, uint32_t> m_nodeByName;
    std::optional<GpuPool> m_pool;
    std::optional<TelemetryModel> m_telemetry;
    std::vector<domain::Partition> m_partitions;
    std::vector<domain::Switch> m_switches;
    std::vector<domain::Reservation> m_reservations;

    Jobs m_jobs;
    uint64_t m_nextJob = 184'201;
    std::set<Waiting> m_waiting;  ///< eligible, not held
    std::optional<Claim> m_claims[kPartitionCount];
    std::vector<uint32_t> m_freed;  ///< since the last look at the queue
    std::deque<Ended> m_ended;
    std::deque<domain::Fault> m_faults;
};

}  // namespace yard::scheduler
