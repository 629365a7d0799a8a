#include "backend/scheduler/simulated/cluster_engine.h"

#include <algorithm>
#include <bit>

namespace yard::scheduler {
namespace {

using domain::JobState;

constexpr double kMeanArrayTasks = 12;
constexpr SimTime kRequeueDelay = 120 * kSecond;
constexpr SimTime kKeepEnded = 2 * kHour;
constexpr size_t kKeepEndedCount = 4000;

/// A job that asks for much of a small cluster would wait for ever and make all others wait.
int largestJob(const SimulatedOptions& options)
{
    const int third = options.nodes * options.gpus * 3 / 10;
    return std::max(options.gpus, int(std::bit_floor(unsigned(third))));
}

}  // namespace

ClusterEngine::ClusterEngine(const SimulatedOptions& options, Time start)
    : m_options(options)
    , m_scale(start, options.speed)
    , m_now(-kWarmUp)
    , m_random(options.seed)
    , m_trainNodes(std::max(1, options.nodes * 4 / 5))
    , m_workload(options.profile, largestJob(options), options.nodes * options.gpus, options.load)
    , m_author(options.seed)
{
    buildNodes();
    buildPartitions();
    placeOddities();
    runEarlierJobs();
    lateOddities();
}

void ClusterEngine::advanceTo(SimTime time)
{
    while (m_events.hasUntil(time)) {
        const Event event = m_events.pop();
        m_now = std::max(m_now, event.at);
        happen(event);
        if (!m_freed.empty())
            tryAll();
    }
    m_now = std::max(m_now, time);
    forgetOldJobs();
}

void ClusterEngine::happen(const Event& event)
{
    const auto node = uint32_t(event.subject);
    switch (event.kind) {
        case EventKind::Arrival:
            return arrive();
        case EventKind::RollingReboot:
            return rebootNextIdle();
        case EventKind::JobEligible:
        case EventKind::JobEnd: {
            const auto found = m_jobs.find(event.subject);
            if (found == m_jobs.end() || found->second.generation != event.generation)
                return;
            if (event.kind == EventKind::JobEnd)
                return endByPlan(found->second);
            m_waiting.insert({found->second.priority, event.subject, &found->second});
            if (!tryStart(found->second) && found->second.plan.type == WorkloadType::Pretrain)
                found->second.shown.reason = "Resources";
            return;
        }
        case EventKind::NodeLost:
            if (m_nodes[node].dead && !m_nodes[node].down)
                setDown(node, "Not responding", "slurm");
            return;
        case EventKind::NodeBack:
            return bringBack(node);
        case EventKind::NodeRebooted:
            if (m_nodes[node].generation == event.generation)
                rebootDone(node);
            return;
        case EventKind::NodeRepaired:
            if (m_nodes[node].generation == event.generation)
                repaired(node);
            return;
    }
}

// Evaluations come as arrays, all else one by one.
void ClusterEngine::arrive()
{
    const double evals = m_workload.jobsPerSecond(WorkloadType::Eval) / kMeanArrayTasks;
    const double others = m_workload.jobsPerSecond() - m_workload.jobsPerSecond(WorkloadType::Eval);
    m_events.plan(m_now + SimTime(m_random.exponential(1 / (evals + others)) * double(kSecond)) + 1,
                  EventKind::Arrival);
    auto type = WorkloadType::Eval;
    if (!m_random.chance(evals / (evals + others)))
        while ((type = m_workload.chooseType(m_random)) == WorkloadType::Eval) {
        }
    const auto tasks =
        type == WorkloadType::Eval ? 1 + m_random.below(2 * uint64_t(kMeanArrayTasks) - 1) : 1;
    const uint64_t array = tasks > 1 ? m_nextJob++ : 0;
    SimJob first;
    for (uint64_t task = 0; task < tasks; ++task) {
        SimJob& job = addJob(m_workload.drawOf(m_random, type), m_now);
        if (task == 0)
            first = job;
        if (tasks > 1) {
            job.shown.name = first.shown.name;
            job.shown.user = first.shown.user;
            job.shown.array = domain::ArrayPlace{array, uint32_t(task), "", 0};
            job.shown.displayId = std::to_string(array) + "_" + std::to_string(task);
        }
        JobAuthor::writePaths(job);
        letWait(job, m_now + SimTime(job.plan.queueSeconds * double(kSecond)));
    }
}

SimJob& ClusterEngine::addJob(const JobDraw& draw, SimTime submitted)
{
    const uint64_t id = m_nextJob++;
    SimJob& job = m_jobs[id];
    m_author.write(m_random, draw, job);
    job.submitted = submitted;
    job.shown.id = id;
    job.shown.displayId = std::to_string(id);
    job.shown.state = JobState::Pending;
    job.shown.submitTime = m_scale.wall(submitted);
    job.shown.nodeCount = m_pool->nodesNeeded(job.request);
    JobAuthor::writePaths(job);
    return job;
}

void ClusterEngine::letWait(SimJob& job, SimTime eligible)
{
    job.eligible = eligible;
    job.shown.state = JobState::Pending;
    job.shown.stateText = "PENDING";
    job.shown.reason = job.plan.type == WorkloadType::Eval ? "QOSGrpGRES" : "Priority";
    if (!job.shown.held)
        m_events.plan(eligible, EventKind::JobEligible, job.shown.id, job.generation);
}

void ClusterEngine::startJob(SimJob& job, Placement placement, SimTime at)
{
    m_waiting.erase({job.priority, job.shown.id, &job});
    dropClaim(job.shown.id);
    job.placement = std::move(placement);
    job.started = at;
    auto& shown = job.shown;
    shown.state = JobState::Running;
    shown.stateText = "RUNNING";
    shown.reason = "None";
    shown.startTime = m_scale.wall(at);
    shown.endTime.reset();
    shown.nodes.clear();
    shown.gpuIndices.clear();
    for (const auto& share : job.placement) {
        auto& node = m_nodes[share.node];
        node.used |= share.gpus;
        node.jobs.push_back(shown.id);
        shown.nodes.push_back(node.shown.name);
        auto& indices = shown.gpuIndices[node.shown.name];
        for (int i = 0; i < m_options.gpus; ++i)
            if (share.gpus >> i & 1)
                indices.push_back(i);
        refresh(share.node);
    }
    shown.nodeCount = int(shown.nodes.size());
    job.telemetrySlot =
        m_telemetry->jobStarted(job.plan.type, shown.id, job.placement, m_scale.wallSeconds(at),
                                m_scale.wallSeconds(at + job.runTime) - m_scale.wallSeconds(at));
    m_events.plan(at + job.runTime, EventKind::JobEnd, shown.id, ++job.generation);
}

void ClusterEngine::freeGpus(SimJob& job)
{
    m_telemetry->jobStopped(job.telemetrySlot, job.placement, m_scale.wallSeconds(m_now));
    job.telemetrySlot = -1;
    m_pool->release(job.placement);
    for (const auto& share : job.placement) {
        auto& node = m_nodes[share.node];
        node.used &= ~share.gpus;
        std::erase(node.jobs, job.shown.id);
        m_freed.push_back(share.node);
        refresh(share.node);
        rebootIfIdle(share.node);
    }
    job.placement.clear();
    job.shown.gpuIndices.clear();
}

void ClusterEngine::endJob(SimJob& job, JobState state, SimTime at)
{
    m_waiting.erase({job.priority, job.shown.id, &job});
    dropClaim(job.shown.id);
    ++job.generation;
    if (job.isRunning())
        freeGpus(job);
    auto& shown = job.shown;
    shown.state = state;
    shown.stateText = domain::name(state);
    shown.endTime = m_scale.wall(at);
    shown.held = false;
    m_ended.push_back({shown.id, at, job.generation});
}

void ClusterEngine::endByPlan(SimJob& job)
{
    auto& shown = job.shown;
    const auto state = job.plan.end;
    const FailureReason* failure = m_options.failures ? job.plan.failure : nullptr;
    if (state == JobState::NodeFail) {
        if (!failure)
            return endJob(job, JobState::Failed, m_now);
        // The job goes on, as far as slurmctld knows, until it misses the node.
        return loseNode(job.placement[m_random.below(job.placement.size())].node);
    }
    if (failure && failure->trace == FailureTrace::Xid)
        leaveTrace(job);
    switch (state) {
        case JobState::Completed:
            shown.exit = domain::ExitStatus{0, std::nullopt};
            break;
        case JobState::Failed:
            shown.exit = domain::ExitStatus{1, std::nullopt};
            shown.reason = "NonZeroExitCode";
            break;
        case JobState::Timeout:
            shown.exit = domain::ExitStatus{0, 15};
            shown.reason = "TimeLimit";
            break;
        default:
            shown.exit = domain::ExitStatus{0, 15};
            shown.cancelledByUid = 10'000 + uint32_t(mix(job.shown.id) % 60);
            break;
    }
    endJob(job, state, m_now);
}

// As in Slurm: the same id, one more restart, and two minutes before it may start.
void ClusterEngine::requeue(SimJob& job, bool hold, SimTime at)
{
    m_waiting.erase({job.priority, job.shown.id, &job});
    ++job.generation;
    if (job.isRunning())
        freeGpus(job);
    auto& shown = job.shown;
    ++shown.restarts;
    shown.nodes.clear();
    shown.startTime.reset();
    shown.endTime.reset();
    shown.exit.reset();
    shown.cancelledByUid.reset();
    shown.held = hold;
    const JobDraw again = m_workload.drawOf(m_random, job.plan.type);
    job.plan.end = again.end;
    job.plan.failure = again.failure;
    letWait(job, at + kRequeueDelay);
    shown.reason = hold ? "job_requeued_in_held_state" : "BeginTime";
    shown.priority = hold ? 0 : job.priority;
}

void ClusterEngine::jobLostItsNode(SimJob& job)
{
    if (job.shown.requeueable)
        return requeue(job, false, m_now);
    job.shown.reason = "NodeDown";
    job.shown.exit = domain::ExitStatus{0, std::nullopt};
    endJob(job, JobState::NodeFail, m_now);
}

void ClusterEngine::forgetOldJobs()
{
    while (!m_ended.empty() &&
           (m_ended.front().at < m_now - kKeepEnded || m_ended.size() > kKeepEndedCount)) {
        const auto found = m_jobs.find(m_ended.front().job);
        if (found != m_jobs.end() && found->second.generation == m_ended.front().generation)
            m_jobs.erase(found);
        m_ended.pop_front();
    }
}

std::vector<domain::HostReadings> ClusterEngine::readings() const
{
    return m_telemetry->read(m_scale.wallSeconds(m_now), m_scale.wall(m_now));
}

std::vector<domain::Fault> ClusterEngine::faultsSince(Time since) const
{
    const auto first = std::partition_point(
        m_faults.begin(), m_faults.end(),
        [&](const domain::Fault& fault) { return fault.at.value_or(Time{}) <= since; });
    return {first, m_faults.end()};
}

}  // namespace yard::scheduler
