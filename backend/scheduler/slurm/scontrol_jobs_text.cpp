#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/size_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

const std::vector<std::string_view>& jobKeys()
{
    static const std::vector<std::string_view> keys{"JobId",
                                                    "ArrayJobId",
                                                    "ArrayTaskId",
                                                    "ArrayTaskThrottle",
                                                    "HetJobId",
                                                    "HetJobIdSet",
                                                    "HetJobOffset",
                                                    "JobName",
                                                    "UserId",
                                                    "GroupId",
                                                    "MCS_label",
                                                    "Priority",
                                                    "Nice",
                                                    "Account",
                                                    "QOS",
                                                    "WCKey",
                                                    "JobState",
                                                    "Reason",
                                                    "FailedNode",
                                                    "Dependency",
                                                    "Requeue",
                                                    "Restarts",
                                                    "BatchFlag",
                                                    "Reboot",
                                                    "ExitCode",
                                                    "DerivedExitCode",
                                                    "RunTime",
                                                    "TimeLimit",
                                                    "TimeMin",
                                                    "SubmitTime",
                                                    "EligibleTime",
                                                    "AccrueTime",
                                                    "StartTime",
                                                    "EndTime",
                                                    "Deadline",
                                                    "PreemptEligibleTime",
                                                    "PreemptTime",
                                                    "SuspendTime",
                                                    "SecsPreSuspend",
                                                    "LastSchedEval",
                                                    "Scheduler",
                                                    "Partition",
                                                    "AllocNode:Sid",
                                                    "ReqNodeList",
                                                    "ExcNodeList",
                                                    "NodeList",
                                                    "SchedNodeList",
                                                    "BatchHost",
                                                    "NumNodes",
                                                    "NumCPUs",
                                                    "NumTasks",
                                                    "CPUs/Task",
                                                    "ReqB:S:C:T",
                                                    "ReqTRES",
                                                    "AllocTRES",
                                                    "TRES",
                                                    "Socks/Node",
                                                    "NtasksPerN:B:S:C",
                                                    "CoreSpec",
                                                    "JOB_GRES",
                                                    "MinCPUsNode",
                                                    "MinMemoryNode",
                                                    "MinMemoryCPU",
                                                    "MinTmpDiskNode",
                                                    "Features",
                                                    "DelayBoot",
                                                    "Reservation",
                                                    "OverSubscribe",
                                                    "Contiguous",
                                                    "Licenses",
                                                    "Network",
                                                    "Command",
                                                    "WorkDir",
                                                    "Comment",
                                                    "AdminComment",
                                                    "SystemComment",
                                                    "Extra",
                                                    "StdErr",
                                                    "StdIn",
                                                    "StdOut",
                                                    "Power",
                                                    "TresPerNode",
                                                    "TresPerJob",
                                                    "TresPerTask",
                                                    "TresPerSocket",
                                                    "TresBind",
                                                    "MailUser",
                                                    "MailType",
                                                    "SubmitLine",
                                                    "Switches"};
    return keys;
}

std::string_view get(const Fields& fields, std::string_view key)
{
    const auto found = fields.find(key);
    return found == fields.end() || found->second == "(null)" || found->second == "N/A"
               ? std::string_view()
               : std::string_view(found->second);
}

template <typename Integer>
Integer number(const Fields& fields, std::string_view key, Integer otherwise)
{
    const std::string_view text = get(fields, key);
    return text::number<Integer>(text.substr(0, text.find('-'))).value_or(otherwise);
}

void readPlace(const Fields& fields, domain::Job& job)
{
    if (const auto array = number<uint64_t>(fields, "ArrayJobId", 0)) {
        job.array.emplace().job = array;
        const std::string_view task = get(fields, "ArrayTaskId");
        job.array->task = text::number<uint32_t>(task);
        if (!job.array->task)
            setPendingTasks(*job.array, task);
    }
    if (const auto leader = number<uint64_t>(fields, "HetJobId", 0))
        job.het = domain::HetPlace{leader, number<uint32_t>(fields, "HetJobOffset", 0)};
    job.displayId = displayIdOf(job);
}

/// "mira(10441)".
void readUser(std::string_view text, JobRecord& record)
{
    const size_t open = text.rfind('(');
    record.job.user = std::string(text.substr(0, open));
    if (open != std::string_view::npos && text.ends_with(')'))
        record.uid = text::number<uint32_t>(text.substr(open + 1, text.size() - open - 2));
}

void readTimes(const Fields& fields, JobRecord& record)
{
    domain::Job& job = record.job;
    const TimeText submit = readTime(get(fields, "SubmitTime"));
    const TimeText start = readTime(get(fields, "StartTime"));
    const TimeText end = readTime(get(fields, "EndTime"));
    job.submitTime = submit.at;
    record.submitLocal = submit.local;
    record.knowsEnd = true;
    if (job.state == domain::JobState::Pending) {
        job.estimatedStart = start.at;
    } else {
        job.startTime = start.at;
        record.startLocal = start.local;
    }
    if (domain::isFinished(job.state)) {
        job.endTime = end.at;
        record.endLocal = end.local;
    }
    record.elapsedSeconds = readDuration(get(fields, "RunTime")).seconds;
    job.timeLimit = readTimeLimit(get(fields, "TimeLimit"));
}

/// The lines `Nodes=gpu-c1 CPU_IDs=0-127 Mem=2048000 GRES=gpu:h100:8(IDX:0-7)` of -d. They stand
/// before the free texts, so nothing behind Command= counts.
void readGpuMap(std::string_view record, domain::Job& job, domain::ReadNotes& notes)
{
    record = record.substr(0, record.find(" Command="));
    for (size_t at = record.find(" Nodes="); at != std::string_view::npos;) {
        const size_t next = record.find(" Nodes=", at + 7);
        const std::string_view part =
            record.substr(at, next == std::string_view::npos ? next : next - at);
        const Gres gres = readGres(fieldOf(part, "GRES").value_or(""));
        for (const std::string& node : nodesOf(fieldOf(part, "Nodes").value_or(""), notes)) {
            auto& indices = job.gpuIndices[node];
            const auto more = gres.gpuIndices();
            indices.insert(indices.end(), more.begin(), more.end());
            if (indices.empty())
                job.gpuIndices.erase(node);
        }
        at = next;
    }
}

/// What a whole record has in every version. TRES come late, so one without any is cut; with an
/// open end the last value may be half, and only what stands behind the counts may be.
std::vector<std::vector<std::string_view>> neededKeys(bool isOpen)
{
    std::vector<std::vector<std::string_view>> needed{
        {"JobState"},
        {"NumCPUs"},
        {"AllocTRES", "TRES", "ReqTRES", "TresPerNode", "TresPerJob", "WorkDir"}};
    if (isOpen)
        needed.push_back({"WorkDir"});
    return needed;
}

void readResources(const Fields& fields, const std::string& where, JobRecord& record,
                   domain::ReadNotes& notes)
{
    domain::Job& job = record.job;
    job.nodes = nodesOf(get(fields, "NodeList"), notes);
    job.excludedNodes = std::string(get(fields, "ExcNodeList"));
    job.nodeCount =
        countIn(get(fields, "NumNodes"), "nodes", where, notes).value_or(int(job.nodes.size()));
    job.cpus = countIn(get(fields, "NumCPUs"), "CPUs", where, notes).value_or(0);
    std::string_view tresText;
    for (const std::string_view key : {"AllocTRES", "TRES", "ReqTRES"})
        tresText = tresText.empty() ? get(fields, key) : tresText;
    const Tres tres = readTres(tresText);
    noteOdd(tres, where, notes);
    job.gpus = tres.gpus();
    if (job.gpus == 0)
        job.gpus =
            readGres(get(fields, "TresPerNode")).gpus() * std::clamp(job.nodeCount, 1, 100'000);
    if (job.gpus == 0)
        job.gpus = readGres(get(fields, "TresPerJob")).gpus();
    record.knowsGpus = tres.isGood || job.gpus > 0;
    record.memoryMib = tres.memoryMib;
    record.memoryPerNodeMib = readMemoryMib(get(fields, "MinMemoryNode"));
    record.memoryPerCpuMib = readMemoryMib(get(fields, "MinMemoryCPU"));
}

JobRecord recordOf(std::string_view text, const Fields& fields, const std::string& where,
                   domain::ReadNotes& notes)
{
    JobRecord record;
    domain::Job& job = record.job;
    job.id = number<uint64_t>(fields, "JobId", 0);
    readPlace(fields, job);
    const JobWords words = readJobState(get(fields, "JobState"));
    job.state = words.state;
    job.stateFlags = words.flags;
    job.stateText = std::string(get(fields, "JobState"));
    record.stateWord = words.word;
    if (job.state == domain::JobState::Unknown && !words.flags.empty())
        job.state = stateImpliedByFlag(words.flags.front());
    job.name = std::string(get(fields, "JobName"));
    readUser(get(fields, "UserId"), record);
    job.account = std::string(get(fields, "Account"));
    job.partition = std::string(get(fields, "Partition"));
    job.qos = std::string(get(fields, "QOS"));
    job.comment = std::string(get(fields, "Comment"));
    job.reason =
        std::string(get(fields, "Reason") == "None" ? std::string_view() : get(fields, "Reason"));
    job.restarts = number<int>(fields, "Restarts", 0);
    job.priority = int(std::min<int64_t>(number<int64_t>(fields, "Priority", 0), INT32_MAX));
    job.requeueable = number<int>(fields, "Requeue", 1) != 0;
    job.workDirectory = std::string(get(fields, "WorkDir"));
    job.standardOutput = std::string(get(fields, "StdOut"));
    job.dependency = std::string(get(fields, "Dependency"));
    readTimes(fields, record);
    readResources(fields, where, record, notes);
    readGpuMap(text, job, notes);
    job.held = isHeld(job);
    const auto exit = text::split(get(fields, "ExitCode"), ":");
    if (exit.size() == 2)
        job.exit = believable(job, {text::number<int>(exit[0]), text::number<int>(exit[1])});
    return record;
}

}  // namespace

StatusOr<JobsRead> readScontrolJobs(std::string_view output)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    JobsRead result;
    RecordLines lines(output);
    std::unordered_map<uint64_t, uint32_t> seen;
    for (const std::string_view text : recordsOf(output, "JobId=")) {
        const uint32_t line = lines.of(text);
        const std::string where = fmt::format("scontrol show job, line {}", line);
        const Fields fields = readScontrolFields(text, jobKeys());
        const std::string missing = cutAt(fields, neededKeys(isOpen(text, output)));
        const auto id = number<uint64_t>(fields, "JobId", 0);
        const auto skip = [&](const std::string& why) {
            result.badLines.push_back(line);
            result.notes.add(fmt::format("{}: {} It was skipped.", where, why));
        };
        if (id == 0)
            skip("a job without an id.");
        else if (!missing.empty())
            skip(fmt::format("the record of job {} is cut: it has no {}.", id, missing));
        else if (const auto [first, isNew] = seen.emplace(id, line); !isNew)
            skip(fmt::format("job {} again, as in line {}.", id, first->second));
        else
            result.jobs.push_back(recordOf(text, fields, where, result.notes));
    }
    result.records = result.jobs.size();
    if (result.jobs.empty() && text::trimmed(output) != "No jobs in the system")
        return absl::InvalidArgumentError(result.badLines.empty() ? "the output is no list of jobs"
                                                                  : result.notes.firstBad);
    return result;
}

}  // namespace yard::scheduler::slurm
