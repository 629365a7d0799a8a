#include "backend/scheduler/slurm/accounting_json.h"

#include "backend/scheduler/slurm/json_values.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

/// Set in a memory request that is per CPU (22.05).
constexpr uint64_t kMemoryPerCpu = 0x8000000000000000;

JobWords stateOf(object from, std::string_view key)
{
    JobWords words;
    for (const std::string& text : textsAt(from, key)) {
        const JobWords part = readJobState(text);
        if (part.state != domain::JobState::Unknown)
            words.state = part.state;
        if (words.word.empty())
            words.word = part.word;
        for (const std::string& flag : part.flags)
            words.flags.push_back(flag);
    }
    return words;
}

Tres tresOf(object from)
{
    Tres tres;
    const auto list = objectAt(from, "tres");
    const auto allocated = list ? arrayAt(*list, "allocated") : std::nullopt;
    if (!allocated)
        return tres;
    for (const element item : *allocated) {
        object entry;
        if (item.get(entry) != simdjson::SUCCESS)
            continue;
        if (const auto count = numberAt(entry, "count").value)
            tres.set(textAt(entry, "type"), textAt(entry, "name"), *count);
    }
    return tres;
}

void readMemory(object from, JobRecord& record)
{
    const auto required = objectAt(from, "required");
    if (!required)
        return;
    const auto perCpu = countAt(*required, "memory_per_cpu");
    const auto perNode = countAt(*required, "memory_per_node");
    if (perCpu)
        record.memoryPerCpuMib = double(*perCpu);
    if (perNode)
        record.memoryPerNodeMib = double(*perNode);
    uint64_t memory = 0;
    if (perCpu || perNode || (*required)["memory"].get(memory) != simdjson::SUCCESS)
        return;
    const auto amount = double(memory & ~kMemoryPerCpu);
    if (amount >= 1e15)
        return;
    ((memory & kMemoryPerCpu) != 0 ? record.memoryPerCpuMib : record.memoryPerNodeMib) = amount;
}

void readTimes(object from, JobRecord& record)
{
    const auto time = objectAt(from, "time");
    if (!time)
        return;
    domain::Job& job = record.job;
    job.submitTime = timeAt(*time, "submission");
    job.startTime = timeAt(*time, "start");
    job.endTime = timeAt(*time, "end");
    record.knowsEnd = true;
    if (const auto elapsed = countAt(*time, "elapsed"))
        record.elapsedSeconds = double(*elapsed);
    // A null stands for UNLIMITED as well as for "not set": it is not known.
    job.timeLimit = minutesAt(*time, "limit", {});
    if (const auto total = objectAt(*time, "total")) {
        const auto seconds = countAt(*total, "seconds");
        if (seconds)
            record.totalCpuSeconds =
                double(*seconds) + double(countAt(*total, "microseconds").value_or(0)) / 1e6;
    }
}

void readPlace(object from, domain::Job& job)
{
    if (const auto array = objectAt(from, "array")) {
        const auto id = countAt(*array, "job_id");
        if (id && *id > 0) {
            domain::ArrayPlace place;
            place.job = uint64_t(*id);
            if (const auto task = countAt(*array, "task_id"))
                place.task = uint32_t(*task);
            else
                setPendingTasks(place, textAt(*array, "task"));
            job.array = place;
        }
    }
    if (const auto het = objectAt(from, "het")) {
        const auto leader = countAt(*het, "job_id");
        if (leader && *leader > 0)
            job.het = domain::HetPlace{uint64_t(*leader),
                                       uint32_t(countAt(*het, "job_offset").value_or(0))};
    }
    job.displayId = displayIdOf(job);
}

/// "490.batch", a word or number beside a job id, or both inside of the id.
std::string stepId(object from, uint64_t job)
{
    const auto step = objectAt(from, "step");
    if (!step)
        return {};
    std::string id;
    if (const auto inner = objectAt(*step, "id")) {
        id = textAt(*inner, "step_id");
        const auto owner = countAt(*inner, "job_id");
        return std::to_string(owner ? uint64_t(*owner) : job) + "." + id;
    }
    id = textAt(*step, "id");
    return id.find('.') == std::string::npos ? std::to_string(job) + "." + id : id;
}

void readSteps(object from, JobRecord& record)
{
    const auto steps = arrayAt(from, "steps");
    if (!steps)
        return;
    for (const element item : *steps) {
        object step;
        if (item.get(step) != simdjson::SUCCESS)
            continue;
        StepRecord& result = record.steps.emplace_back();
        result.id = stepId(step, record.job.id);
        result.state = stateOf(step, "state").word;
        if (const auto time = objectAt(step, "time")) {
            result.start = timeAt(*time, "start");
            result.end = timeAt(*time, "end");
        }
    }
}

JobRecord readJob(object from, domain::ReadNotes& notes)
{
    JobRecord record;
    domain::Job& job = record.job;
    job.id = uint64_t(countAt(from, "job_id").value_or(0));
    record.cluster = textAt(from, "cluster");
    if (const auto state = objectAt(from, "state")) {
        const JobWords words = stateOf(*state, "current");
        job.state = words.state;
        job.stateFlags = words.flags;
        job.stateText = words.word;
        record.stateWord = words.word;
        job.reason = textAt(*state, "reason");
        if (job.reason == "None")
            job.reason.clear();
    }
    readPlace(from, job);
    readTimes(from, record);
    job.name = textAt(from, "name");
    job.user = textAt(from, "user");
    job.account = textAt(from, "account");
    job.partition = textAt(from, "partition");
    job.qos = textAt(from, "qos");
    job.nodes = nodesOf(textAt(from, "nodes"), notes);
    job.nodeCount = intAt(from, "allocation_nodes").value_or(int(job.nodes.size()));
    job.priority = intAt(from, "priority").value_or(0);
    job.restarts = intAt(from, "restart_cnt").value_or(0);
    job.held = boolAt(from, "hold").value_or(false) || isHeld(job);
    job.workDirectory = textAt(from, "working_directory");
    job.exit = believable(job, exitAt(from, "exit_code"));
    record.submitLine = textAt(from, "submit_line");
    const Tres tres = tresOf(from);
    noteOdd(tres, "jobs, job " + job.displayId, notes);
    job.gpus = tres.gpus();
    record.knowsGpus = tres.isGood || job.gpus > 0;
    job.cpus = int(tres.cpus.value_or(0));
    record.memoryMib = tres.memoryMib;
    record.energyJoules = tres.energyJoules;
    readMemory(from, record);
    readSteps(from, record);
    return record;
}

}  // namespace

StatusOr<JobsRead> readAccountingJson(const JsonReply& reply)
{
    YARD_RETURN_IF_ERROR(checkReply(reply));
    const auto jobs = arrayAt(reply.root, "jobs");
    if (!jobs)
        return absl::InvalidArgumentError("the reply has no list of jobs");
    JobsRead result;
    result.version = reply.version;
    for (const element item : *jobs) {
        object from;
        if (item.get(from) != simdjson::SUCCESS || countAt(from, "job_id").value_or(0) <= 0) {
            result.notes.add("jobs: a record without a job id. It was skipped.");
            continue;
        }
        result.jobs.push_back(readJob(from, result.notes));
        result.records += 1 + result.jobs.back().steps.size();
    }
    return result;
}

}  // namespace yard::scheduler::slurm
