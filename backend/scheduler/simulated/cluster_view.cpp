#include "backend/scheduler/simulated/cluster_engine.h"

namespace yard::scheduler {
namespace {

bool isRestOfArray(const SimJob& job)
{
    return job.isWaiting() && job.shown.array && job.shown.restarts == 0 && !job.splitOff;
}

std::string taskRanges(const std::vector<uint32_t>& tasks)
{
    std::string text;
    for (size_t i = 0; i < tasks.size();) {
        size_t last = i;
        while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(tasks[i]);
        if (last > i)
            text += "-" + std::to_string(tasks[last]);
        i = last + 1;
    }
    return text;
}

// Slurm keeps the tasks of an array that still wait as one record.
domain::Job restOfArray(const SimJob& first, const std::vector<uint32_t>& tasks)
{
    domain::Job rest = first.shown;
    const uint64_t array = rest.array->job;
    rest.id = array;
    rest.array->task.reset();
    rest.array->pending = taskRanges(tasks);
    rest.array->pendingCount = uint32_t(tasks.size());
    rest.displayId = std::to_string(array) + "_[" + rest.array->pending + "]";
    rest.standardOutput = rest.workDirectory + "/slurm-" + std::to_string(array) + "_%a.out";
    return rest;
}

}  // namespace

// The ids of an array's tasks follow that of the array.
std::vector<uint32_t> ClusterEngine::waitingTasks(uint64_t array) const
{
    std::vector<uint32_t> tasks;
    for (auto job = m_jobs.upper_bound(array);
         job != m_jobs.end() && job->second.shown.array && job->second.shown.array->job == array;
         ++job)
        if (isRestOfArray(job->second))
            tasks.push_back(*job->second.shown.array->task);
    return tasks;
}

domain::SchedulerView ClusterEngine::view() const
{
    domain::SchedulerView view;
    view.takenAt = m_scale.wall(m_now);
    view.cluster = m_options.profile == WorkloadProfile::Kalos ? "kalos" : "seren";
    view.version = "simulated 22.05.8";
    view.partitions = m_partitions;
    view.reservations = m_reservations;
    view.switches = m_switches;
    view.nodes.reserve(m_nodes.size());
    for (const auto& node : m_nodes)
        view.nodes.push_back(node.shown);
    view.jobs.reserve(m_jobs.size());
    uint64_t lastArray = 0;
    for (auto job = m_jobs.begin(); job != m_jobs.end(); ++job) {
        const SimJob& current = job->second;
        if (!isRestOfArray(current))
            view.jobs.push_back(current.shown);
        else if (lastArray != current.shown.array->job)
            view.jobs.push_back(
                restOfArray(current, waitingTasks(lastArray = current.shown.array->job)));
    }
    return view;
}

}  // namespace yard::scheduler
