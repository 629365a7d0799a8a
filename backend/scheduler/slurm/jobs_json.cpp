#include "backend/scheduler/slurm/jobs_json.h"

#include <algorithm>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/json_values.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

bool isText(object from, std::string_view key)
{
    std::string_view text;
    return from[key].get(text) == simdjson::SUCCESS;
}

void readState(object from, JobRecord& record)
{
    JobWords words;
    for (const std::string& word : textsAt(from, "job_state"))
        addJobStateWord(words, word);
    domain::Job& job = record.job;
    job.state = words.state;
    job.stateFlags = std::move(words.flags);
    job.stateText = domain::name(job.state);
    for (const std::string& flag : job.stateFlags)
        job.stateText += "," + flag;
    record.stateWord = words.word;
}

void readPlace(object from, domain::Job& job)
{
    if (const auto array = countAt(from, "array_job_id"); array && *array > 0) {
        domain::ArrayPlace place;
        place.job = uint64_t(*array);
        if (const auto task = countAt(from, "array_task_id"))
            place.task = uint32_t(*task);
        else
            setPendingTasks(place, textAt(from, "array_task_string"));
        job.array = place;
    }
    if (const auto leader = countAt(from, "het_job_id"); leader && *leader > 0)
        job.het = domain::HetPlace{uint64_t(*leader),
                                   uint32_t(countAt(from, "het_job_offset").value_or(0))};
    job.displayId = displayIdOf(job);
}

void readTimes(object from, domain::Job& job)
{
    // A null is UNLIMITED where the state is still one word (22.05); with the `complex` flag of
    // later releases, which write the state as a list, it is "not set".
    const domain::TimeLimit ofNull{.unlimited = isText(from, "job_state"), .seconds = std::nullopt};
    job.timeLimit = minutesAt(from, "time_limit", ofNull);
    job.submitTime = timeAt(from, "submit_time");
    const auto start = timeAt(from, "start_time");
    if (job.state == domain::JobState::Pending)
        job.estimatedStart = start;
    else
        job.startTime = start;
    if (domain::isFinished(job.state))
        job.endTime = timeAt(from, "end_time");
}

/// What a job asks for: tres_req_str, else per node and per job as the user wrote it.
int gpusAskedFor(object from, const Tres& asked, int nodeCount)
{
    if (asked.gpus() > 0)
        return asked.gpus();
    if (const int perJob = readGres(textAt(from, "tres_per_job")).gpus(); perJob > 0)
        return perJob;
    return readGres(textAt(from, "tres_per_node")).gpus() * std::clamp(nodeCount, 1, 100'000);
}

void readResources(object from, JobRecord& record, domain::ReadNotes& notes)
{
    domain::Job& job = record.job;
    job.nodes = nodesOf(textAt(from, "nodes"), notes);
    job.excludedNodes = textAt(from, "excluded_nodes");
    job.nodeCount = intAt(from, "node_count").value_or(int(job.nodes.size()));
    job.cpus = intAt(from, "cpus").value_or(0);
    const std::string allocated = textAt(from, "tres_alloc_str");
    const Tres tres = readTres(allocated);
    const Tres asked = readTres(allocated.empty() ? textAt(from, "tres_req_str") : std::string());
    for (const Tres& part : {tres, asked})
        noteOdd(part, "jobs, job " + job.displayId, notes);
    job.gpus = allocated.empty() ? gpusAskedFor(from, asked, job.nodeCount) : tres.gpus();
    record.knowsGpus = (tres.isGood && asked.isGood) || job.gpus > 0;
    record.memoryMib = tres.memoryMib;
    const auto memory = [&](std::string_view key) {
        const auto count = countAt(from, key);
        return count ? std::optional(double(*count)) : std::nullopt;
    };
    record.memoryPerNodeMib = memory("memory_per_node");
    record.memoryPerCpuMib = memory("memory_per_cpu");
    // One string a node, in the order of the hostlist.
    const auto details = textsAt(from, "gres_detail");
    for (size_t i = 0; arrayAt(from, "gres_detail") && i < details.size() && i < job.nodes.size();
         ++i) {
        auto indices = readGres(details[i]).gpuIndices();
        if (!indices.empty())
            job.gpuIndices[job.nodes[i]] = std::move(indices);
    }
}

bool isAllocated(element status)
{
    std::string_view text;
    if (status.get(text) == simdjson::SUCCESS)
        return text::lowerCase(text).starts_with("allocated");
    array words;
    if (status.get(words) != simdjson::SUCCESS)
        return false;
    for (const element word : words) {
        if (word.get(text) == simdjson::SUCCESS && text == "ALLOCATED")
            return true;
    }
    return false;
}

/// From 24.05 on: lists with "index" and a status that also names the free cores.
void readAllocation(object node, JobRecord& record)
{
    const auto sockets = arrayAt(node, "sockets");
    const std::string name = textAt(node, "name");
    if (!sockets || name.empty())
        return;
    for (const element socketItem : *sockets) {
        object socket;
        if (socketItem.get(socket) != simdjson::SUCCESS)
            continue;
        const auto cores = arrayAt(socket, "cores");
        auto& allocated = record.cores[name][std::to_string(intAt(socket, "index").value_or(0))];
        for (size_t i = 0; cores && i < cores->size(); ++i) {
            object core;
            const auto status = cores->at(i).get(core) == simdjson::SUCCESS
                                    ? elementAt(core, "status")
                                    : std::nullopt;
            if (status && isAllocated(*status))
                allocated.push_back(intAt(core, "index").value_or(int(i)));
        }
    }
}

/// Before: objects keyed by number, with the allocated cores alone.
void readAllocatedNode(object node, JobRecord& record)
{
    const auto sockets = objectAt(node, "sockets");
    const std::string name = textAt(node, "nodename");
    if (!sockets || name.empty())
        return;
    for (const auto& socket : *sockets) {
        object inner;
        if (socket.value.get(inner) != simdjson::SUCCESS)
            continue;
        const auto cores = objectAt(inner, "cores");
        auto& allocated = record.cores[name][std::string(socket.key)];
        if (!cores)
            continue;
        for (const auto& core : *cores) {
            const auto index = text::number<int>(core.key);
            if (index && isAllocated(core.value))
                allocated.push_back(*index);
        }
        std::sort(allocated.begin(), allocated.end());
    }
}

void readCores(object from, JobRecord& record, domain::ReadNotes& notes)
{
    const auto resources = objectAt(from, "job_resources");
    if (!resources)
        return;
    const auto nodes = objectAt(*resources, "nodes");
    if (record.job.nodes.empty())
        record.job.nodes =
            nodesOf(nodes ? textAt(*nodes, "list") : textAt(*resources, "nodes"), notes);
    const auto list =
        nodes ? arrayAt(*nodes, "allocation") : arrayAt(*resources, "allocated_nodes");
    if (!list)
        return;
    for (const element item : *list) {
        object node;
        if (item.get(node) != simdjson::SUCCESS)
            continue;
        if (nodes)
            readAllocation(node, record);
        else
            readAllocatedNode(node, record);
    }
}

std::string reasonOf(object from)
{
    std::string reason = textAt(from, "state_reason");
    return reason == "None" ? std::string() : reason;
}

JobRecord readJob(object from, domain::ReadNotes& notes)
{
    JobRecord record;
    domain::Job& job = record.job;
    job.id = uint64_t(countAt(from, "job_id").value_or(0));
    record.cluster = textAt(from, "cluster");
    record.uid = uint32_t(countAt(from, "user_id").value_or(0));
    readState(from, record);
    readPlace(from, job);
    job.name = textAt(from, "name");
    job.user = textAt(from, "user_name");
    job.account = textAt(from, "account");
    job.partition = textAt(from, "partition");
    job.qos = textAt(from, "qos");
    job.comment = textAt(from, "comment");
    job.reason = reasonOf(from);
    job.restarts = intAt(from, "restart_cnt").value_or(0);
    job.priority = intAt(from, "priority").value_or(0);
    job.requeueable = boolAt(from, "requeue").value_or(true);
    job.held = boolAt(from, "hold").value_or(false) || isHeld(job);
    job.workDirectory = textAt(from, "current_working_directory");
    job.standardOutput = textAt(from, "standard_output");
    job.dependency = textAt(from, "dependency");
    record.knowsEnd = true;
    readTimes(from, job);
    job.exit = believable(job, exitAt(from, "exit_code"));
    readResources(from, record, notes);
    readCores(from, record, notes);
    return record;
}

}  // namespace

StatusOr<JobsRead> readJobsJson(const JsonReply& reply)
{
    YARD_RETURN_IF_ERROR(checkReply(reply));
    const auto jobs = arrayAt(reply.root, "jobs");
    if (!jobs)
        return absl::InvalidArgumentError("the reply has no list of jobs");
    JobsRead result;
    result.version = reply.version;
    for (const element item : *jobs) {
        object from;
        if (item.get(from) == simdjson::SUCCESS && countAt(from, "job_id").value_or(0) > 0)
            result.jobs.push_back(readJob(from, result.notes));
        else
            result.notes.add("jobs: a record without a job id. It was skipped.");
    }
    result.records = result.jobs.size();
    return result;
}

}  // namespace yard::scheduler::slurm
