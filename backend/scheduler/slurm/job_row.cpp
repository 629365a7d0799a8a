#include "backend/scheduler/slurm/job_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/size_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

/// The first of several columns that says something: commands call one thing by many names.
std::string_view first(const TableRow& row, std::initializer_list<std::string_view> columns)
{
    for (const std::string_view column : columns) {
        const std::string_view value = text::trimmed(row[column]);
        if (!value.empty() && value != "(null)" && value != "N/A")
            return value;
    }
    return {};
}

bool hasAny(const TableRow& row, std::initializer_list<std::string_view> columns)
{
    return std::any_of(columns.begin(), columns.end(),
                       [&](std::string_view column) { return row.has(column); });
}

void readNames(const TableRow& row, domain::Job& job)
{
    job.name = std::string(row[row.has("jobname") ? "jobname" : "name"]);
    job.user = std::string(first(row, {"user", "u"}));
    job.account = std::string(first(row, {"account", "a"}));
    job.partition = std::string(first(row, {"partition", "p"}));
    job.qos = std::string(first(row, {"qos"}));
    job.comment = std::string(row["comment"]);
    job.workDirectory = std::string(first(row, {"workdir", "work_dir"}));
    job.priority = text::number<int>(first(row, {"priority"})).value_or(0);
    job.restarts = text::number<int>(first(row, {"restarts", "restartcnt"})).value_or(0);
}

void readState(const TableRow& row, JobRecord& record)
{
    const std::string_view text = first(row, {"state", "st"});
    const JobWords words = readJobState(text);
    domain::Job& job = record.job;
    job.state = words.state;
    job.stateFlags = words.flags;
    job.stateText = std::string(text);
    job.cancelledByUid = words.cancelledByUid;
    record.stateWord = words.word;
    // What a flag implies of the state; sacct's REQUEUED is the end of a run, not a wait.
    if (job.state == domain::JobState::Unknown && !job.stateFlags.empty() && !row.has("jobidraw") &&
        !row.has("elapsed"))
        job.state = stateImpliedByFlag(job.stateFlags.front());
}

void readTimes(const TableRow& row, JobRecord& record)
{
    domain::Job& job = record.job;
    const TimeText submit = readTime(first(row, {"submit", "submit_time"}));
    const TimeText start = readTime(first(row, {"start", "start_time"}));
    const TimeText end = readTime(first(row, {"end", "end_time"}));
    job.submitTime = submit.at;
    record.submitLocal = submit.local;
    record.knowsEnd = hasAny(row, {"end", "end_time"});
    if (job.state == domain::JobState::Pending) {
        job.estimatedStart = start.at;
    } else {
        job.startTime = start.at;
        record.startLocal = start.local;
    }
    const bool hasEnded = job.state == domain::JobState::Unknown || domain::isFinished(job.state);
    if (hasEnded) {
        job.endTime = end.at;
        record.endLocal = end.local;
    }
    record.elapsedSeconds = readDuration(first(row, {"elapsed", "time"})).seconds;
    if (const auto raw = text::number<uint32_t>(first(row, {"elapsedraw"})))
        record.elapsedSeconds = *raw;
    record.totalCpuSeconds = readDuration(first(row, {"totalcpu"})).seconds;
    job.timeLimit = readTimeLimit(first(row, {"timelimit", "time_limit"}));
    if (row.has("timelimitraw") && !job.timeLimit.seconds)
        job.timeLimit = readMinutesLimit(first(row, {"timelimitraw"}));
}

void readMemory(const TableRow& row, JobRecord& record)
{
    const MemoryRequest asked = readMemoryRequest(first(row, {"reqmem", "min_memory", "mem"}));
    switch (asked.per) {
        case MemoryRequest::Per::Node:
            record.memoryPerNodeMib = asked.mib;
            break;
        case MemoryRequest::Per::Cpu:
            record.memoryPerCpuMib = asked.mib;
            break;
        case MemoryRequest::Per::Job:
            record.memoryMib = record.memoryMib ? record.memoryMib : asked.mib;
            break;
    }
}

void readGpus(const TableRow& row, const std::string& where, JobRecord& record,
              domain::ReadNotes& notes)
{
    domain::Job& job = record.job;
    const Tres tres = readTres(first(row, {"alloctres", "tres_alloc", "reqtres"}));
    noteOdd(tres, where, notes);
    job.gpus = tres.gpus();
    bool isGood = tres.isGood;
    if (row.has("tres_per_node")) {
        const Gres each = readGres(first(row, {"tres_per_node"}));
        noteOdd(each, where, notes);
        job.gpus = each.gpus() * std::clamp(job.nodeCount, 1, 100'000);
        isGood = each.isGood;
    }
    record.knowsGpus = hasAny(row, {"alloctres", "reqtres", "tres_alloc", "tres_per_node"}) &&
                       (isGood || job.gpus > 0);
    record.memoryMib = tres.memoryMib;
    record.energyJoules = tres.energyJoules;
}

void readResources(const TableRow& row, std::string_view command, JobRecord& record,
                   domain::ReadNotes& notes)
{
    const std::string where = fmt::format("{}, line {}", command, row.line);
    domain::Job& job = record.job;
    const std::string_view both = first(row, {"nodelist(reason)"});
    const bool isReason = both.starts_with('(');
    job.reason = std::string(isReason ? both.substr(1, both.size() - (both.ends_with(')') ? 2 : 1))
                                      : first(row, {"reason"}));
    if (job.reason == "None")
        job.reason.clear();
    job.nodes = nodesOf(isReason || both.empty() ? first(row, {"nodelist"}) : both, notes);
    job.nodeCount = countIn(first(row, {"allocnodes", "nnodes", "nodes"}), "nodes", where, notes)
                        .value_or(int(job.nodes.size()));
    job.cpus =
        countIn(first(row, {"alloccpus", "ncpus", "cpus", "reqcpus", "cpu"}), "CPUs", where, notes)
            .value_or(0);
    readGpus(row, where, record, notes);
    readMemory(row, record);
}

/// "1:0", code and signal.
domain::ExitStatus readExitCode(std::string_view text)
{
    const auto parts = text::split(text, ":");
    if (parts.size() != 2)
        return {};
    return {text::number<int>(parts[0]), text::number<int>(parts[1])};
}

bool isExitColumnEmpty(const domain::Job& job, const domain::ExitStatus& exit)
{
    // A job that was cancelled before it ran has no exit of its own.
    return !exit.code ||
           (!job.startTime && job.nodes.empty() && exit.code == 0 && exit.signal == 0);
}

}  // namespace

std::optional<JobIdText> readJobId(std::string_view text)
{
    text = text::trimmed(text);
    JobIdText result;
    size_t digits = 0;
    while (digits < text.size() && text::isDigit(text[digits]))
        ++digits;
    const auto id = text::number<uint64_t>(text.substr(0, digits));
    if (!id || *id == 0)
        return std::nullopt;
    result.id = *id;
    std::string_view rest = text.substr(digits);
    if (text::takePrefix(rest, "_[")) {
        const size_t close = rest.find(']');
        if (close == std::string_view::npos)
            return std::nullopt;
        result.array.emplace().job = *id;
        setPendingTasks(*result.array, rest.substr(0, close));
        rest.remove_prefix(close + 1);
    } else if (text::takePrefix(rest, "_") || rest.starts_with('+')) {
        const bool isHet = text::takePrefix(rest, "+");
        const size_t length = std::min(rest.find('.'), rest.size());
        const auto number = text::number<uint32_t>(rest.substr(0, length));
        if (!number)
            return std::nullopt;
        if (isHet)
            result.het = domain::HetPlace{*id, *number};
        else
            result.array = domain::ArrayPlace{*id, *number, {}, 0};
        rest.remove_prefix(length);
    }
    if (text::takePrefix(rest, ".")) {
        result.step = rest;
        return rest.empty() || rest.size() > 64 ? std::nullopt : std::optional(result);
    }
    return rest.empty() ? std::optional(result) : std::nullopt;
}

bool isJobId(std::string_view text)
{
    return readJobId(text).has_value();
}

std::optional<JobRecord> jobOf(const TableRow& row, std::string_view command,
                               domain::ReadNotes& notes)
{
    const auto shown = readJobId(first(row, {"jobid", "id", "jobidraw"}));
    if (!shown)
        return std::nullopt;
    const auto raw = readJobId(first(row, {"jobidraw"}));
    JobRecord record;
    domain::Job& job = record.job;
    job.id = raw ? raw->id : shown->id;
    job.array = shown->array;
    job.het = shown->het;
    job.displayId = displayIdOf(job);
    record.cluster = std::string(first(row, {"cluster"}));
    record.uid = text::number<uint32_t>(first(row, {"uid"}));
    record.submitLine = std::string(row["submitline"]);
    readState(row, record);
    readNames(row, job);
    readTimes(row, record);
    readResources(row, command, record, notes);
    job.held = isHeld(job);
    const domain::ExitStatus exit = readExitCode(first(row, {"exitcode"}));
    if (!isExitColumnEmpty(job, exit) || !record.startLocal.empty())
        job.exit = believable(job, exit);
    return record;
}

}  // namespace yard::scheduler::slurm
