#include <algorithm>
#include <charconv>

#include "backend/domain/array_tasks.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/simulated/cluster_engine.h"
#include "backend/scheduler/simulated/submit_options.h"
#include "backend/scheduler/slurm/action_commands.h"

namespace yard::scheduler {
namespace {

using domain::Action;
using domain::ActionKind;
using domain::JobState;

constexpr SimTime kResumedButDead = 100 * kSecond;
constexpr uint32_t kOurUid = 0;
constexpr uint32_t kLargestTask = 1000;  // MaxArraySize is 1001 by default

Status invalidJob(const std::string& displayId)
{
    return absl::InvalidArgumentError("Invalid job id specified for job " + displayId);
}

Status batchError(std::string_view words)
{
    return absl::InvalidArgumentError("sbatch: error: Batch job submission failed: " +
                                      std::string(words));
}

/// The tasks of `--array`; none if it was not given.
StatusOr<std::vector<uint32_t>> readArray(const std::string& list)
{
    std::vector<uint32_t> tasks;
    for (uint32_t task = 0; task <= kLargestTask; ++task)
        if (domain::hasTask(list, task))
            tasks.push_back(task);
    if (!list.empty() && (tasks.empty() || tasks.size() != domain::countTasks(list)))
        return batchError("Invalid job array specification");
    return tasks;
}

}  // namespace

StatusOr<Receipt> ClusterEngine::act(const Action& action, std::string_view operationId)
{
    StatusOr<Receipt> receipt = Receipt{};
    if (action.kind == ActionKind::Submit) {
        receipt = submit(action, operationId);
    } else if (action.kind == ActionKind::Resubmit) {
        receipt = resubmit(action, operationId);
    } else if (domain::isNodeAction(action.kind)) {
        const bool needsReason =
            action.kind == ActionKind::Drain || action.kind == ActionKind::Down;
        if (needsReason && action.reason.empty())
            return absl::InvalidArgumentError(
                "You must specify a reason when DOWNING or DRAINING a node. Request denied");
        const auto nodes = findNodes(action.nodes);
        if (!nodes.ok())
            return nodes.status();
        for (uint32_t node : *nodes)
            if (auto status =
                    actOnNode(action, node, slurm::markedReason(action.reason, operationId));
                !status.ok())
                receipt = status;
    } else {
        const auto jobs = findJobs(action.jobs);
        if (!jobs.ok())
            return jobs.status();
        for (SimJob* job : *jobs)
            if (auto status = actOnJob(action, *job); !status.ok())
                receipt = status;
        if (action.kind == ActionKind::Hold || action.kind == ActionKind::Release)
            splitOff(action.jobs);
    }
    advanceTo(m_now);
    if (!m_freed.empty())
        tryAll();
    return receipt;
}

StatusOr<std::vector<uint32_t>> ClusterEngine::findNodes(
    const std::vector<std::string>& names) const
{
    std::vector<uint32_t> nodes;
    for (const auto& name : names) {
        const auto found = m_nodeByName.find(name);
        if (found == m_nodeByName.end())
            return absl::InvalidArgumentError("slurm_update error: Invalid node name specified");
        nodes.push_back(found->second);
    }
    return nodes;
}

// "123" is a job or all of an array, "123_4" one task, "123_[5-9]" the tasks that wait.
StatusOr<std::vector<SimJob*>> ClusterEngine::findJobs(const std::vector<std::string>& displayIds)
{
    std::vector<SimJob*> jobs;
    for (const auto& displayId : displayIds) {
        const size_t before = jobs.size();
        uint64_t number = 0;
        std::from_chars(displayId.data(), displayId.data() + displayId.size(), number);
        const auto tasks = domain::readTasksName(displayId);
        const bool waitingOnly = displayId.find("_[") != std::string::npos;
        const auto isNamed = [&](const SimJob& candidate) {
            if (!candidate.shown.array)
                return !tasks;
            if (tasks && !domain::hasTask(tasks->tasks, *candidate.shown.array->task))
                return false;
            return waitingOnly ? candidate.isWaiting()
                               : tasks || !domain::isFinished(candidate.shown.state);
        };
        for (auto job = m_jobs.lower_bound(number); job != m_jobs.end(); ++job) {
            auto& candidate = job->second;
            const bool inArray = candidate.shown.array && candidate.shown.array->job == number;
            if (!inArray && job->first != number)
                break;
            if (isNamed(candidate))
                jobs.push_back(&candidate);
        }
        if (jobs.size() == before)
            return invalidJob(displayId);
    }
    return jobs;
}

// As Slurm does: a task that was once told something by its number no longer waits with the rest.
void ClusterEngine::splitOff(const std::vector<std::string>& names)
{
    for (const auto& name : names)
        if (const auto tasks = domain::readTasksName(name))
            for (auto job = m_jobs.upper_bound(tasks->array);
                 job != m_jobs.end() && job->second.shown.array &&
                 job->second.shown.array->job == tasks->array;
                 ++job)
                if (domain::hasTask(tasks->tasks, *job->second.shown.array->task))
                    job->second.splitOff = true;
}

Status ClusterEngine::actOnNode(const Action& action, uint32_t node, const std::string& reason)
{
    auto& target = m_nodes[node];
    switch (action.kind) {
        case ActionKind::Drain:
            target.flags |= kDrain;
            ++target.generation;
            setReason(node, reason, "root");
            refresh(node);
            return {};
        case ActionKind::Resume:
            return resume(node);
        case ActionKind::Down:
            setDown(node, reason, "root");
            return {};
        default:
            if (!reason.empty())
                setReason(node, reason, "root");
            if (!action.rebootWhenIdle || target.jobs.empty()) {
                issueReboot(node);
                return {};
            }
            target.flags |= kDrain | kRebootRequested;
            ++target.generation;
            if (target.shown.reason.empty())
                setReason(node, "Reboot ASAP", "root");
            refresh(node);
            return {};
    }
}

Status ClusterEngine::resume(uint32_t node)
{
    auto& target = m_nodes[node];
    if (!target.down && !(target.flags & (kDrain | kRebootRequested)))
        return absl::FailedPreconditionError("slurm_update error: Invalid node state specified");
    target.down = false;
    target.flags &= ~uint32_t(kDrain | kRebootRequested | kRebootIssued);
    ++target.generation;
    setReason(node, "", "");
    if (target.dead) {
        target.flags |= kNotResponding;
        m_events.plan(m_now + kResumedButDead, EventKind::NodeLost, node);
    } else if (m_telemetry->voice(node) == HostVoice::Silent) {
        m_telemetry->setVoice(node, HostVoice::Answers);
    }
    m_freed.push_back(node);
    refresh(node);
    return {};
}

Status ClusterEngine::actOnJob(const Action& action, SimJob& job)
{
    switch (action.kind) {
        case ActionKind::Cancel:
            if (domain::isFinished(job.shown.state))
                return {};
            job.shown.cancelledByUid = kOurUid;
            job.shown.exit = domain::ExitStatus{0, 15};
            endJob(job, JobState::Cancelled, m_now);
            return {};
        case ActionKind::Hold:
        case ActionKind::Release:
            if (!job.isWaiting())
                return absl::FailedPreconditionError("Job is no longer pending execution for job " +
                                                     job.shown.displayId);
            action.kind == ActionKind::Hold ? hold(job) : release(job);
            return {};
        default:
            return requeueByHand(action, job);
    }
}

void ClusterEngine::hold(SimJob& job)
{
    m_waiting.erase({job.priority, job.shown.id, &job});
    dropClaim(job.shown.id);
    ++job.generation;
    job.shown.held = true;
    job.shown.priority = 0;
    job.shown.reason = "JobHeldAdmin";
}

void ClusterEngine::release(SimJob& job)
{
    if (!job.shown.held)
        return;
    job.shown.held = false;
    job.shown.priority = job.priority;
    ++job.generation;
    letWait(job, std::max(m_now, job.eligible));
    job.shown.reason = job.eligible > m_now ? "BeginTime" : "None";
}

Status ClusterEngine::requeueByHand(const Action& action, SimJob& job)
{
    if (job.isWaiting())
        return absl::FailedPreconditionError("Job is pending execution for job " +
                                             job.shown.displayId);
    if (!job.shown.requeueable)
        return absl::FailedPreconditionError("Requested operation is presently disabled for job " +
                                             job.shown.displayId);
    YARD_RETURN_IF_ERROR(exclude(job, action.excludedNodes));
    requeue(job, action.kind == ActionKind::RequeueHold, m_now);
    return {};
}

Status ClusterEngine::exclude(SimJob& job, const std::vector<std::string>& names)
{
    if (names.empty())
        return {};
    const auto nodes = findNodes(names);
    if (!nodes.ok())
        return nodes.status();
    auto& excluded = job.request.excluded;
    excluded.insert(excluded.end(), nodes->begin(), nodes->end());
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    job.shown.excludedNodes = slurm::joinHosts(job.shown.excludedNodes, names);
    return {};
}

StatusOr<Receipt> ClusterEngine::resubmit(const Action& action, std::string_view operationId)
{
    const auto jobs = findJobs(action.jobs);
    if (!jobs.ok())
        return jobs.status();
    Receipt receipt;
    for (SimJob* original : *jobs) {
        JobDraw plan = original->plan;
        const auto end = m_workload.drawOf(m_random, plan.type);
        plan.end = end.end;
        plan.failure = end.failure;
        SimJob& copy = addJob(plan, m_now);
        copy.request = original->request;
        copy.runTime = original->runTime;
        copy.priority = original->priority;
        for (auto field : {&domain::Job::name, &domain::Job::user, &domain::Job::account,
                           &domain::Job::partition, &domain::Job::qos, &domain::Job::excludedNodes})
            copy.shown.*field = original->shown.*field;
        copy.shown.requeueable = original->shown.requeueable;
        copy.shown.timeLimit = original->shown.timeLimit;
        copy.shown.gpus = original->shown.gpus;
        copy.shown.cpus = original->shown.cpus;
        copy.shown.priority = copy.priority;
        copy.shown.comment = slurm::mark(operationId);
        JobAuthor::writePaths(copy);
        if (auto status = exclude(copy, action.excludedNodes); !status.ok()) {
            m_jobs.erase(copy.shown.id);
            return status;
        }
        if (action.cancelOriginal && !domain::isFinished(original->shown.state)) {
            original->shown.cancelledByUid = kOurUid;
            original->shown.exit = domain::ExitStatus{0, 15};
            endJob(*original, JobState::Cancelled, m_now);
        }
        letWait(copy, m_now);
        receipt.newJob = copy.shown.displayId;
    }
    receipt.message = "Submitted batch job " + receipt.newJob;
    return receipt;
}

StatusOr<std::vector<uint32_t>> ClusterEngine::nodesOfList(const std::string& list) const
{
    if (list.empty())
        return std::vector<uint32_t>();
    const auto names = domain::expandHostlist(list);
    if (!names.ok())
        return names.status();
    auto nodes = findNodes(*names);
    if (nodes.ok()) {
        std::sort(nodes->begin(), nodes->end());
        nodes->erase(std::unique(nodes->begin(), nodes->end()), nodes->end());
    }
    return nodes;
}

StatusOr<GpuRequest> ClusterEngine::requestFor(const SubmitOptions& options) const
{
    GpuRequest request;
    request.partition = kBatch;
    request.nodes = options.nodes;
    if (!options.partition.empty()) {
        const auto name =
            std::find(std::begin(kPartitionNames), std::end(kPartitionNames), options.partition);
        if (name == std::end(kPartitionNames))
            return batchError("Invalid partition name specified");
        request.partition = int(name - std::begin(kPartitionNames));
    }
    const auto only = nodesOfList(options.nodeList);
    const auto excluded = nodesOfList(options.excluded);
    if (!only.ok() || !excluded.ok())
        return batchError("Invalid node name specified");
    request.only = *only;
    request.excluded = *excluded;
    request.gpus =
        options.gpus > 0 ? options.gpus : options.gpusPerNode * m_pool->nodesNeeded(request);
    const int nodes = m_pool->nodesNeeded(request);
    if (size_t(nodes) > m_pool->partitionNodes(request.partition).size() ||
        request.gpus > nodes * m_options.gpus)
        return batchError("Requested node configuration is not available");
    return request;
}

StatusOr<Receipt> ClusterEngine::submit(const Action& action, std::string_view operationId)
{
    if (!action.submission || action.submission->script.empty())
        return batchError("There is no batch script");
    const auto options = readSubmission(*action.submission);
    if (!options.ok())
        return options.status();
    const auto request = requestFor(*options);
    if (!request.ok())
        return request.status();
    const auto tasks = readArray(options->array);
    if (!tasks.ok())
        return tasks.status();
    const std::string user = action.submission->user.empty() ? "root" : action.submission->user;
    const std::string id = std::to_string(m_nextJob);
    if (tasks->empty()) {
        addSubmitted(*options, *request, user, operationId, std::nullopt);
    } else {
        const uint64_t array = m_nextJob++;
        for (const uint32_t task : *tasks)
            addSubmitted(*options, *request, user, operationId,
                         domain::ArrayPlace{array, task, "", 0});
    }
    return Receipt{"Submitted batch job " + id, id};
}

void ClusterEngine::addSubmitted(const SubmitOptions& options, const GpuRequest& request,
                                 const std::string& user, std::string_view operationId,
                                 std::optional<domain::ArrayPlace> place)
{
    JobDraw plan = m_workload.drawOf(m_random, WorkloadType::Other);
    plan.gpus = request.gpus;
    if (options.sleepSeconds) {
        plan.runSeconds = double(*options.sleepSeconds);
        plan.end = JobState::Completed;
        plan.failure = nullptr;
    }
    SimJob& job = addJob(plan, m_now);
    job.request = request;
    auto& shown = job.shown;
    if (place)
        shown.displayId = std::to_string(place->job) + "_" + std::to_string(*place->task);
    shown.array = std::move(place);
    shown.name = options.name;
    shown.user = user;
    shown.account = options.account.empty() ? shown.account : options.account;
    shown.qos = options.qos.empty() ? shown.qos : options.qos;
    shown.partition = kPartitionNames[request.partition];
    shown.requeueable = options.requeue;
    shown.comment = operationId.empty() ? options.comment : slurm::mark(operationId);
    shown.nodeCount = m_pool->nodesNeeded(request);
    shown.excludedNodes = options.excluded;
    shown.requiredNodes = options.nodeList;
    shown.held = options.hold;
    if (options.limitSeconds)
        shown.timeLimit.seconds = options.limitSeconds;
    JobAuthor::writePaths(job);
    if (!options.workDirectory.empty()) {
        shown.workDirectory = options.workDirectory;
        shown.standardOutput = shown.workDirectory + "/slurm-" + shown.displayId + ".out";
    }
    letWait(job, m_now + options.beginSeconds * kSecond);
    shown.reason = shown.held ? "JobHeldUser" : options.beginSeconds > 0 ? "BeginTime" : "None";
    shown.priority = shown.held ? 0 : job.priority;
}

}  // namespace yard::scheduler
