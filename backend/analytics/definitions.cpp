#include "backend/analytics/definitions.h"

#include <array>

namespace yard::analytics {
namespace {

constexpr std::array kCommon = {
    std::string_view("A GPU job has at least one GPU (gpu_num > 0); all other jobs are CPU jobs."),
    std::string_view(
        "GPU time is the sum over GPU jobs of GPUs x duration, with the duration as the data gives "
        "it. In AcmeTrace's Kalos columns that duration contains the wait (end - submit); "
        "everywhere else it is end - start. run_gpu_hours uses end - start for all."),
    std::string_view("Quantiles interpolate linearly between order statistics: the value at rank "
                     "(n-1)q of the sorted values, counted from 0."),
    std::string_view("Means are the exact sum over the count. Percentages are of GPU jobs, or of "
                     "their GPU time, unless the definition says otherwise."),
    std::string_view("Rows that could not be read are in no figure; they are counted by kind in "
                     "odd_rows. A value that a row does not have is left out of that figure."),
    std::string_view("Times are UTC. A time without a zone is read in the zone of --zone."),
};

constexpr std::array kDefinitions = {
    Definition{"jobs", "", "Jobs", "Rows that are jobs. Steps of sacct are not counted."},
    Definition{"gpu_jobs", "", "GPU jobs", "Jobs with at least one GPU, in any state."},
    Definition{"cpu_jobs", "", "CPU jobs", "Jobs without a GPU, in any state."},
    Definition{"gpu_seconds", "GPU-s", "GPU time",
               "Sum over GPU jobs of GPUs x duration as the data gives it."},
    Definition{"gpu_hours", "GPU-h", "GPU time", "gpu_seconds / 3600."},
    Definition{"run_gpu_hours", "GPU-h", "GPU time without waiting",
               "Sum over GPU jobs of GPUs x (end - start) / 3600. Smaller than gpu_hours where the "
               "duration contains the wait."},
    Definition{"gpu_jobs_without_duration", "", "GPU jobs without a duration",
               "They add nothing to GPU time: as a rule they wait or run."},
    Definition{"gpu_jobs_without_run", "", "GPU jobs without a run time",
               "They add nothing to run_gpu_hours."},
    Definition{"unclassified_job_share_pct", "%", "Jobs without a type",
               "GPU jobs whose type is neither in the data nor found by a rule, of all GPU jobs."},
    Definition{"unclassified_gpu_time_share_pct", "%", "GPU time without a type",
               "GPU time of those jobs, of all GPU time."},
    Definition{"jobs_by_type.*", "", "Jobs of each type",
               "All jobs of the type, CPU jobs included. Type as in the data, else by --types."},
    Definition{"gpu_jobs_by_type.*", "", "GPU jobs of each type", "GPU jobs of the type."},
    Definition{"job_share_pct.*", "%", "Share of jobs by type",
               "GPU jobs of the type, of all GPU jobs selected. The paper leaves the 8 SFT jobs of "
               "Kalos out: --without-types SFT does the same."},
    Definition{"gpu_hours_by_type.*", "GPU-h", "GPU time of each type",
               "GPU time of the type's GPU jobs / 3600."},
    Definition{"gpu_time_share_pct.*", "%", "Share of GPU time by type",
               "GPU time of the type, of all GPU time selected."},
    Definition{"jobs_by_state.*", "", "Jobs by final state",
               "All jobs in the state, CPU jobs included. UNKNOWN: the data says none."},
    Definition{"gpu_jobs_by_state.*", "", "GPU jobs by final state", "GPU jobs in the state."},
    Definition{"job_share_pct_by_state.*", "%", "Share of jobs by final state",
               "GPU jobs in the state, of all GPU jobs."},
    Definition{"gpu_hours_by_state.*", "GPU-h", "GPU time by final state",
               "GPU time of GPU jobs in the state / 3600."},
    Definition{"gpu_time_share_pct_by_state.*", "%", "Share of GPU time by final state",
               "GPU time of GPU jobs in the state, of all GPU time."},
    Definition{"job_share_pct_by_outcome.*", "%", "Share of jobs by outcome",
               "completed: COMPLETED; cancelled: CANCELLED; failed: FAILED, TIMEOUT, NODE_FAIL, "
               "OUT_OF_MEMORY, BOOT_FAIL, DEADLINE. Of all GPU jobs: preempted and running jobs "
               "are in none of the three."},
    Definition{"gpu_time_share_pct_by_outcome.*", "%", "Share of GPU time by outcome",
               "The same, of all GPU time."},
    Definition{"duration_s.*", "s", "Duration of GPU jobs",
               "Duration as the data gives it, over GPU jobs that have one."},
    Definition{"duration_s_cpu_jobs.*", "s", "Duration of CPU jobs",
               "Duration as the data gives it, over CPU jobs that have one."},
    Definition{"duration_s_by_type.*", "s", "Duration by type",
               "Duration as the data gives it, over GPU jobs of the type."},
    Definition{"duration_cdf_jobs.*", "", "Duration: jobs at or below",
               "Jobs with a duration of at most x seconds. GPU: all GPU jobs; CPU: all CPU jobs; "
               "a type: its GPU jobs."},
    Definition{"duration_cdf_pct.*", "%", "Duration: share at or below",
               "The same, of the jobs of that population that have a duration."},
    Definition{"run_s.*", "s", "Run time of GPU jobs",
               "end - start; where a time is missing, duration - queue if the duration contains "
               "the wait, else the duration. Over GPU jobs for which it is known."},
    Definition{"run_s_cpu_jobs.*", "s", "Run time of CPU jobs", "The same over CPU jobs."},
    Definition{"run_s_by_type.*", "s", "Run time by type", "The same over GPU jobs of the type."},
    Definition{"run_cdf_jobs.*", "", "Run time: jobs at or below",
               "Jobs with a run time of at most x seconds, populations as for duration."},
    Definition{"run_cdf_pct.*", "%", "Run time: share at or below",
               "The same, of the jobs of that population whose run time is known."},
    Definition{"queue_s.*", "s", "Waiting time of GPU jobs",
               "start - submit, or as the data gives it, over GPU jobs that have one."},
    Definition{"queue_s_cpu_jobs.*", "s", "Waiting time of CPU jobs", "The same over CPU jobs."},
    Definition{"queue_s_by_type.*", "s", "Waiting time by type",
               "The same over GPU jobs of the type."},
    Definition{"queue_cdf_jobs.*", "", "Waiting time: jobs at or below",
               "Jobs that waited at most x seconds, populations as for duration."},
    Definition{"queue_cdf_pct.*", "%", "Waiting time: share at or below",
               "The same, of the jobs of that population whose waiting time is known."},
    Definition{"gpus_per_job.*", "GPUs", "GPUs of a job", "GPUs, over GPU jobs."},
    Definition{"gpus_per_job_by_type.*", "GPUs", "GPUs of a job by type",
               "GPUs, over GPU jobs of the type. whisker_low and whisker_high: least and greatest "
               "value within 1.5 x (p75 - p25) of the quartiles."},
    Definition{"gpu_demand_jobs.*", "", "Jobs by size", "GPU jobs with GPUs in (a, b]."},
    Definition{"gpu_demand_gpu_time_share_pct.*", "%", "GPU time by size",
               "GPU time of those jobs, of all GPU time."},
    Definition{"gpu_demand_cdf_jobs.*", "", "Size: jobs at or below",
               "GPU jobs with at most n GPUs."},
    Definition{"gpu_demand_cdf_job_pct.*", "%", "Size: share of jobs at or below",
               "GPU jobs with at most n GPUs, of all GPU jobs."},
    Definition{"gpu_demand_cdf_gpu_time_pct.*", "%", "Size: share of GPU time at or below",
               "GPU time of jobs with at most n GPUs, of all GPU time."},
    Definition{"first_submit", "", "First submission", "Earliest submit time of the jobs."},
    Definition{"last_submit", "", "Last submission", "Latest submit time of the jobs."},
    Definition{"arrivals_per_hour.hours", "h", "Hours of arrivals",
               "UTC clock hours from the first to the last submission, empty ones counted."},
    Definition{"arrivals_per_hour.mean", "jobs/h", "Arrivals, mean", "All jobs / hours."},
    Definition{"arrivals_per_hour.max", "jobs/h", "Arrivals, busiest hour",
               "Most jobs that were submitted in one UTC clock hour."},
    Definition{"arrivals_per_hour.max_at", "", "Busiest hour",
               "When that hour begins; the first of equal ones."},
    Definition{"peak_concurrent_gpus", "GPUs", "Most GPUs at once",
               "Greatest sum of GPUs over GPU jobs with start <= t < end. At equal times ends come "
               "before starts. Start: as given, else submit + queue, else submit (assumed_starts "
               "counts those); without start and duration it has not run. End: as given, else "
               "start + duration (submit + duration where it "
               "contains the wait) unless it is running, else the last time in the data (open_ends "
               "counts those)."},
    Definition{"peak_concurrent_at", "", "When that was", "The first moment of the peak."},
    Definition{"mean_concurrent_gpus", "GPUs", "GPUs at once, mean",
               "GPU-seconds between starts and ends over the seconds from the first start to the "
               "last end."},
    Definition{"first_start", "", "First start", "Earliest start of a GPU job, as above."},
    Definition{"last_end", "", "Last end", "Latest end of a GPU job, as above."},
    Definition{"assumed_starts", "", "Starts that are assumed",
               "GPU jobs without start and queue, taken to have started when submitted."},
    Definition{"open_ends", "", "Ends that are assumed",
               "GPU jobs without end and duration, taken to hold their GPUs to the last time in "
               "the data."},
    Definition{"samples.*", "", "Telemetry",
               "Over all samples of a table given with --samples: each cell that holds a number "
               "is one sample, an empty cell is none. Unit as in the table. zero_pct: samples "
               "that are 0, of all. Values are exact; with more than a million different ones "
               "they are rounded to 5 digits first (rounded says so)."},
};

bool matches(std::string_view pattern, std::string_view figure)
{
    if (!pattern.ends_with('*'))
        return pattern == figure;
    pattern.remove_suffix(1);
    return figure.size() > pattern.size() && figure.starts_with(pattern);
}

}  // namespace

std::span<const Definition> definitions()
{
    return kDefinitions;
}

const Definition* definitionOf(std::string_view figure)
{
    for (const Definition& definition : kDefinitions) {
        if (matches(definition.name, figure))
            return &definition;
    }
    return nullptr;
}

std::span<const std::string_view> commonDefinitions()
{
    return kCommon;
}

}  // namespace yard::analytics
