#include <algorithm>
#include <map>

#include "app/ctl/inspect_slurm.h"
#include "app/ctl/inspect_values.h"
#include "backend/domain/hostlist.h"

namespace yard::ctl {
namespace {

using scheduler::slurm::JobRecord;
using scheduler::slurm::JobRun;
using scheduler::slurm::JobsRead;
using scheduler::slurm::StepRecord;

constexpr size_t kMaxGapNames = 1000;

Json limitJson(const domain::TimeLimit& limit)
{
    return limit.unlimited ? Json("unlimited") : valueJson(limit.seconds);
}

Json stateJson(const JobRecord& record)
{
    return record.stateWord.empty() ? Json("UNKNOWN") : textJson(record.stateWord);
}

/// A flag that the text shows in place of the state is the state here.
std::vector<std::string> flagsOf(const JobRecord& record)
{
    std::vector<std::string> flags = record.job.stateFlags;
    std::erase(flags, record.stateWord);
    return flags;
}

Json placeJson(const std::optional<domain::ArrayPlace>& array)
{
    if (!array)
        return nullptr;
    Json out{{"job", array->job}, {"task", valueJson(array->task)}};
    if (!array->pending.empty()) {
        out["pending"] = textJson(array->pending);
        out["pending_tasks"] = array->pendingCount;
    }
    return out;
}

/// First and last names of the runs in a long list, and the names missing between them: enough to
/// see a gap at a glance.
void writeEdges(const std::vector<std::string>& nodes, Json& out)
{
    Json edges = Json::array();
    Json gaps = Json::array();
    const std::string folded = domain::foldHostlist(nodes);
    const size_t open = folded.find('[');
    const size_t close = folded.find(']');
    if (open == std::string::npos || close + 1 != folded.size() ||
        folded.find_first_of("[,") != open) {
        out["nodes_folded"] = textJson(folded);
        return;
    }
    const std::string prefix = folded.substr(0, open);
    std::string last;
    for (const std::string_view run :
         text::split(std::string_view(folded).substr(open + 1, close - open - 1), ",")) {
        const auto ends = text::split(run, "-");
        const auto before = text::number<uint64_t>(last);
        const auto first = text::number<uint64_t>(ends.front());
        if (before && first && *first > *before + 1 && *first - *before < kMaxGapNames) {
            const std::string gap = prefix + "[" + last + "-" + std::string(ends.front()) + "]";
            auto names = domain::expandHostlist(gap).value_or(std::vector<std::string>{});
            for (size_t i = 1; i + 1 < names.size(); ++i)
                gaps.push_back(textJson(names[i]));
        }
        edges.push_back(textJson(prefix + std::string(ends.front())));
        if (ends.size() > 1)
            edges.push_back(textJson(prefix + std::string(ends.back())));
        last = std::string(ends.back());
    }
    out["nodes_folded"] = textJson(folded);
    out["nodes_include"] = edges;
    out["nodes_exclude"] = gaps;
}

Json coresJson(const JobRecord& record)
{
    Json out = Json::object();
    for (const auto& [node, sockets] : record.cores) {
        for (const auto& [socket, cores] : sockets)
            out[text::validUtf8(node)][text::validUtf8(socket)] = cores;
    }
    return out;
}

/// The longest part of a name that is valid UTF-8, if not all of it is.
void writeName(std::string_view name, Json& out)
{
    const std::string valid = text::validUtf8(name);
    out["name"] = valid;
    if (valid == name)
        return;
    std::string_view longest;
    for (const std::string_view part : text::split(valid, "\xef\xbf\xbd"))
        longest = part.size() >= longest.size() ? part : longest;
    out["name_contains"] = std::string(longest);
}

Json stepsJson(const std::vector<StepRecord>& steps)
{
    Json list = Json::array();
    for (const StepRecord& step : steps)
        list.push_back({{"id", textJson(step.id)},
                        {"state", textOrNull(step.state)},
                        {"start", epochJson(step.start)},
                        {"end", epochJson(step.end)}});
    return list;
}

void writeRuns(const std::vector<JobRun>& runs, Json& out)
{
    if (runs.empty())
        return;
    Json elapsed = Json::array();
    Json cpu = Json::array();
    double total = 0;
    bool isWhole = true;
    for (const JobRun& run : runs) {
        elapsed.push_back(valueJson(run.elapsedSeconds));
        cpu.push_back(valueJson(run.totalCpuSeconds));
        total += run.elapsedSeconds.value_or(0);
        isWhole = isWhole && run.elapsedSeconds;
    }
    out["runs"] = runs.size();
    out["requeues"] = runs.size() - 1;
    out["elapsed_s_per_run"] = elapsed;
    out["elapsed_s_total"] = isWhole ? numberJson(total) : Json(nullptr);
    out["total_cpu_s_per_run"] = cpu;
}

std::optional<double> secondsBetween(const std::optional<Time>& from, const std::optional<Time>& to)
{
    if (!from || !to || *to < *from)
        return std::nullopt;
    return std::chrono::duration<double>(*to - *from).count();
}

void writeTimes(const JobRecord& record, Json& out)
{
    const domain::Job& job = record.job;
    out["submit"] = epochJson(job.submitTime);
    out["start"] = epochJson(job.startTime);
    out["end"] = epochJson(job.endTime);
    out["submit_local"] = textOrNull(record.submitLocal);
    out["start_local"] = textOrNull(record.startLocal);
    out["end_local"] = textOrNull(record.endLocal);
    out["estimated_start"] = epochJson(job.estimatedStart);
    out["time_limit_s"] = limitJson(job.timeLimit);
    out["elapsed_s"] = valueJson(record.elapsedSeconds);
    const auto run = secondsBetween(job.startTime, job.endTime);
    out["run_s"] = valueJson(run ? run : record.elapsedSeconds);
    out["wait_s"] = valueJson(secondsBetween(job.submitTime, job.startTime));
    out["total_cpu_s"] = valueJson(record.totalCpuSeconds);
}

Json jobJson(const JobRecord& record)
{
    const domain::Job& job = record.job;
    Json out;
    out["id"] = job.id;
    out["display_id"] = textJson(job.displayId);
    out["cluster"] = textOrNull(record.cluster);
    out["array"] = placeJson(job.array);
    out["het"] =
        job.het ? Json{{"leader", job.het->leader}, {"offset", job.het->offset}} : Json(nullptr);
    writeName(job.name, out);
    out["user"] = textOrNull(job.user);
    out["uid"] = valueJson(record.uid);
    out["account"] = textOrNull(job.account);
    out["partition"] = textOrNull(job.partition);
    out["qos"] = textOrNull(job.qos);
    out["state"] = stateJson(record);
    out["state_flags"] = textsJson(flagsOf(record));
    out["state_text"] = textJson(job.stateText);
    out["success"] = job.state == domain::JobState::Completed;
    out["reason"] = textOrNull(job.reason);
    out["exit"] = job.exit ? Json{{"code", valueJson(job.exit->code)},
                                  {"signal", valueJson(job.exit->signal)}}
                           : Json(nullptr);
    out["by_uid"] = valueJson(job.cancelledByUid);
    out["restarts"] = job.restarts;
    out["held"] = job.held;
    out["priority"] = job.priority;
    writeTimes(record, out);
    out["nodes"] = textsJson(job.nodes);
    out["nodes_count"] = job.nodes.empty() ? job.nodeCount : int(job.nodes.size());
    if (!job.nodes.empty())
        writeEdges(job.nodes, out);
    out["cpus"] = job.cpus;
    out["gpus"] = record.knowsGpus ? Json(job.gpus) : Json(nullptr);
    out["gpu_map"] = Json::object();
    for (const auto& [node, indices] : job.gpuIndices)
        out["gpu_map"][text::validUtf8(node)] = indices;
    out["cores"] = coresJson(record);
    out["mem_mib"] = valueJson(record.memoryMib);
    out["mem_per_node_mib"] = valueJson(record.memoryPerNodeMib);
    out["mem_per_cpu_mib"] = valueJson(record.memoryPerCpuMib);
    out["energy_j"] = valueJson(record.energyJoules);
    out["workdir"] = textOrNull(job.workDirectory);
    out["submit_line"] = textOrNull(record.submitLine);
    out["comment"] = textOrNull(job.comment);
    out["dependency"] = textOrNull(job.dependency);
    writeRuns(record.runs, out);
    out["steps"] = stepsJson(record.steps);
    return out;
}

bool isFailure(domain::JobState state)
{
    return domain::isFinished(state) && state != domain::JobState::Completed &&
           state != domain::JobState::Cancelled && state != domain::JobState::Preempted;
}

/// Sums over a queue: a pending array is one record and many tasks.
void writeQueue(const std::vector<JobRecord>& jobs, Json& out)
{
    uint64_t pending = 0;
    uint64_t running = 0;
    Json arrays = Json::object();
    Json run = Json::object();
    Json limits = Json::object();
    std::map<std::string, int> counts;
    for (const JobRecord& record : jobs) {
        const domain::Job& job = record.job;
        ++counts[record.stateWord.empty() ? "UNKNOWN" : record.stateWord];
        const bool isPending = job.state == domain::JobState::Pending;
        const uint64_t tasks = job.array && !job.array->task ? job.array->pendingCount : 1;
        pending += isPending ? tasks : 0;
        running += job.state == domain::JobState::Running ? 1 : 0;
        if (job.array) {
            Json& entry = arrays[std::to_string(job.array->job)];
            const char* const key = isPending                                ? "pending"
                                    : job.state == domain::JobState::Running ? "running"
                                                                             : "other";
            entry[key] = (entry.contains(key) ? entry[key].get<uint64_t>() : 0) + tasks;
        }
        const std::string id = text::validUtf8(job.displayId);
        run[id] = isPending ? Json(nullptr) : valueJson(record.elapsedSeconds);
        limits[id] = limitJson(job.timeLimit);
    }
    out["counts"] = counts;
    out["pending_tasks"] = pending;
    out["running"] = running;
    out["arrays"] = arrays;
    out["run_s"] = run;
    out["time_limit_s"] = limits;
}

}  // namespace

void writeRead(const JobsRead& read, Json& out)
{
    Json list = Json::array();
    int64_t gpus = 0;
    bool knowsGpus = !read.jobs.empty();
    for (const JobRecord& record : read.jobs) {
        list.push_back(jobJson(record));
        gpus += domain::isActive(record.job.state) ? record.job.gpus : 0;
        knowsGpus = knowsGpus && record.knowsGpus;
    }
    out["jobs"] = list;
    out["jobs_total"] = read.jobs.size();
    out["failed_jobs"] =
        std::count_if(read.jobs.begin(), read.jobs.end(),
                      [](const JobRecord& record) { return isFailure(record.job.state); });
    out["records"] = read.records;
    out["steps"] = textsJson(read.stepIds);
    out["gpus_alloc"] = knowsGpus ? Json(gpus) : Json(nullptr);
    writeQueue(read.jobs, out);
    out["bad_lines"] = read.badLines;
    out["bad_records"] = read.notes.badRecords;
    if (read.notes.badRecords > 0)
        out["first_bad"] = textJson(read.notes.firstBad);
    out["output_is_valid_utf8"] = true;
}

}  // namespace yard::ctl
