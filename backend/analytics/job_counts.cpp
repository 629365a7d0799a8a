#include <fmt/format.h>

#include <array>
#include <map>

#include "backend/analytics/job_parts.h"

namespace yard::analytics {
namespace {

/// Of one type or state, or of all.
struct Tally {
    int64_t jobs = 0;
    int64_t gpuJobs = 0;
    int64_t gpuSeconds = 0;       // by the file's duration
    int64_t runSeconds = 0;       // by end - start, times GPUs
    int64_t withoutDuration = 0;  // GPU jobs
    int64_t withoutRun = 0;

    Tally& operator+=(const Tally& other)
    {
        jobs += other.jobs;
        gpuJobs += other.gpuJobs;
        gpuSeconds += other.gpuSeconds;
        runSeconds += other.runSeconds;
        withoutDuration += other.withoutDuration;
        withoutRun += other.withoutRun;
        return *this;
    }
};

constexpr size_t kStates = size_t(domain::JobState::OutOfMemory) + 1;

struct Tallies {
    Tally all;
    std::map<std::string, Tally> byType;
    std::map<std::string, Tally> byState;
    std::array<Tally, 3> byOutcome;  // completed, cancelled, failed
    int64_t withoutState = 0;        // GPU jobs
};

/// As the paper counts: 0 completed, 1 cancelled, 2 failed, 3 none of them.
size_t outcomeOf(domain::JobState state)
{
    switch (state) {
        case domain::JobState::Completed:
            return 0;
        case domain::JobState::Cancelled:
            return 1;
        case domain::JobState::Failed:
        case domain::JobState::Timeout:
        case domain::JobState::NodeFail:
        case domain::JobState::BootFail:
        case domain::JobState::Deadline:
        case domain::JobState::OutOfMemory:
            return 2;
        default:
            return 3;
    }
}

Tallies tally(const JobTable& table, Rows rows)
{
    std::vector<std::array<Tally, kStates>> cells(table.words.size());
    for (const uint32_t row : rows) {
        Tally& cell = cells[table.type[row]][size_t(table.state[row])];
        ++cell.jobs;
        const int64_t gpus = table.gpus[row];
        if (gpus == 0)
            continue;
        ++cell.gpuJobs;
        if (table.duration[row] != kNoSeconds)
            cell.gpuSeconds += gpus * table.duration[row];
        else
            ++cell.withoutDuration;
        if (const int32_t run = table.run(row); run != kNoSeconds)
            cell.runSeconds += gpus * run;
        else
            ++cell.withoutRun;
    }
    Tallies tallies;
    for (uint32_t type = 0; type < cells.size(); ++type) {
        for (size_t i = 0; i < kStates; ++i) {
            const Tally& cell = cells[type][i];
            const auto state = domain::JobState(i);
            if (cell.jobs == 0)
                continue;
            tallies.all += cell;
            tallies.byType[typeName(table, type)] += cell;
            tallies.byState[std::string(domain::name(state))] += cell;
            if (const size_t outcome = outcomeOf(state); outcome < tallies.byOutcome.size())
                tallies.byOutcome[outcome] += cell;
            if (state == domain::JobState::Unknown)
                tallies.withoutState += cell.gpuJobs;
        }
    }
    return tallies;
}

/// A sum over jobs none of which has a value is not 0.
void addGpuTime(const Tally& all, Figures& figures)
{
    figures.count("gpu_jobs_without_duration", all.withoutDuration);
    figures.count("gpu_jobs_without_run", all.withoutRun);
    if (all.gpuJobs > 0 && all.withoutDuration == all.gpuJobs) {
        figures.absent("gpu_seconds", "No GPU job has a duration, or a start and an end.");
        figures.absent("gpu_hours", "No GPU job has a duration, or a start and an end.");
    } else {
        figures.count("gpu_seconds", all.gpuSeconds);
        figures.number("gpu_hours", double(all.gpuSeconds) / kSecondsPerHour);
    }
    if (all.gpuJobs > 0 && all.withoutRun == all.gpuJobs)
        figures.absent("run_gpu_hours", "No GPU job has a known run time; see run_s.");
    else
        figures.number("run_gpu_hours", double(all.runSeconds) / kSecondsPerHour);
}

/// `shareEnd` is "" for types, "_by_state" for states.
void addShares(const std::map<std::string, Tally>& tallies, const Tally& all, const char* of,
               const char* shareEnd, Figures& figures)
{
    for (const auto& [name, tally] : tallies)
        figures.count(fmt::format("jobs_by_{}.{}", of, name), tally.jobs);
    for (const auto& [name, tally] : tallies) {
        if (tally.gpuJobs == 0)
            continue;
        figures.count(fmt::format("gpu_jobs_by_{}.{}", of, name), tally.gpuJobs);
        figures.number(fmt::format("job_share_pct{}.{}", shareEnd, name),
                       percent(double(tally.gpuJobs), double(all.gpuJobs)));
        figures.number(fmt::format("gpu_hours_by_{}.{}", of, name),
                       double(tally.gpuSeconds) / kSecondsPerHour);
        figures.number(fmt::format("gpu_time_share_pct{}.{}", shareEnd, name),
                       percent(double(tally.gpuSeconds), double(all.gpuSeconds)));
    }
}

void addOutcomes(const Tallies& tallies, Figures& figures)
{
    if (tallies.withoutState > 0)
        figures.absent("job_share_pct_by_outcome",
                       fmt::format("{} of {} GPU jobs have no known final state, so the shares of "
                                   "completed, cancelled and failed jobs would be wrong.",
                                   tallies.withoutState, tallies.all.gpuJobs));
    if (tallies.withoutState > 0 || tallies.all.gpuJobs == 0)
        return;
    constexpr std::array<const char*, 3> kNames = {"completed", "cancelled", "failed"};
    for (size_t i = 0; i < kNames.size(); ++i) {
        const Tally& tally = tallies.byOutcome[i];
        figures.number(fmt::format("job_share_pct_by_outcome.{}", kNames[i]),
                       percent(double(tally.gpuJobs), double(tallies.all.gpuJobs)));
        figures.number(fmt::format("gpu_time_share_pct_by_outcome.{}", kNames[i]),
                       percent(double(tally.gpuSeconds), double(tallies.all.gpuSeconds)));
    }
}

}  // namespace

void addCounts(const JobTable& table, Rows rows, Figures& figures)
{
    const Tallies tallies = tally(table, rows);
    const Tally& all = tallies.all;
    figures.count("jobs", all.jobs);
    figures.count("gpu_jobs", all.gpuJobs);
    figures.count("cpu_jobs", all.jobs - all.gpuJobs);
    addGpuTime(all, figures);
    const auto unclassified = tallies.byType.find("Unclassified");
    const Tally none = unclassified == tallies.byType.end() ? Tally{} : unclassified->second;
    figures.number("unclassified_job_share_pct",
                   percent(double(none.gpuJobs), double(all.gpuJobs)));
    figures.number("unclassified_gpu_time_share_pct",
                   percent(double(none.gpuSeconds), double(all.gpuSeconds)));
    addShares(tallies.byType, all, "type", "", figures);
    addShares(tallies.byState, all, "state", "_by_state", figures);
    addOutcomes(tallies, figures);
}

}  // namespace yard::analytics
