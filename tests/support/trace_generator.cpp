#include "tests/support/trace_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <sstream>

namespace yard::test {
namespace {

using Random = std::mt19937_64;

struct Site {
    std::string_view name;
    int gpus;
    int cpuJobs;
    int64_t begin;  // UTC
    int64_t seconds;
    bool durationHasWait;
    std::vector<std::pair<std::string_view, int>> states;  // the rest is COMPLETED
};

const Site kSeren = {"Seren",
                     2288,
                     367'737,
                     1'677'601'102,  // 2023-03-01 00:18:22+08:00
                     184 * 86'400,
                     false,
                     {{"FAILED", 189'709},
                      {"CANCELLED", 60'670},
                      {"PREEMPTED", 43'707},
                      {"TIMEOUT", 553},
                      {"NODE_FAIL", 448}}};
const Site kKalos = {"Kalos",       2416, 42'506,
                     1'684'321'258,  // 2023-05-17 11:00:58Z
                     90 * 86'400,   true, {{"FAILED", 13'836}, {"CANCELLED", 1'263}}};
constexpr int kKalosRunning = 3;

using Row = std::vector<std::string>;

std::vector<Row> readTable(const std::string& path, std::string_view cluster)
{
    std::vector<Row> rows;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::istringstream stream(line);
        Row row;
        for (std::string field; std::getline(stream, field, ',');)
            row.push_back(field);
        if (row.front() == cluster)
            rows.push_back(std::move(row));
    }
    return rows;
}

int64_t below(Random& random, int64_t limit)
{
    return int64_t(random() % uint64_t(limit));
}

/// How many values lie in (2^(k-1), 2^k]; the first in [0, 1].
using Buckets = std::vector<int>;

/// Counts "at most 2^k" of one population; what lies beyond the last is put just beyond it.
Buckets bucketsOf(const std::vector<Row>& cdf, std::string_view population, std::string_view metric)
{
    Buckets buckets;
    int before = 0;
    int total = 0;
    for (const Row& row : cdf) {
        if (row[1] != population || row[2] != metric)
            continue;
        total = std::stoi(row[5]);
        buckets.push_back(std::stoi(row[4]) - before);
        before += buckets.back();
    }
    if (total > before)
        buckets.push_back(total - before);
    return buckets;
}

/// Values of the buckets, ascending. Queues take the lower half of a bucket and durations the
/// upper one, so that a wait stays shorter than the duration that contains it.
std::vector<int64_t> valuesOf(const Buckets& buckets, bool upper, Random& random)
{
    std::vector<int64_t> values;
    for (size_t k = 0; k < buckets.size(); ++k) {
        const int64_t low = k == 0 ? -1 : int64_t(1) << (k - 1);
        const int64_t high = int64_t(1) << k;
        const int64_t half = (high - low) / 2;
        for (int i = 0; i < buckets[k]; ++i)
            values.push_back(upper ? high - below(random, std::max<int64_t>(half, 1))
                                   : low + 1 + below(random, std::max<int64_t>(half, 1)));
    }
    std::sort(values.begin(), values.end());
    return values;
}

/// The jobs of one type: each with a duration and a queue, paired by rank, then mixed as far as
/// the waits allow.
void addType(const Site& site, std::string_view type, const Buckets& durations,
             const Buckets& queues, Random& random, std::vector<GeneratedJob>& jobs)
{
    const std::vector<int64_t> duration = valuesOf(durations, true, random);
    std::vector<int64_t> queue = valuesOf(queues, false, random);
    queue.resize(duration.size(), queue.empty() ? 0 : queue.back());
    for (size_t i = 0; i < duration.size(); ++i) {
        const auto other = size_t(below(random, int64_t(duration.size())));
        const bool fits =
            !site.durationHasWait || (queue[i] < duration[other] && queue[other] < duration[i]);
        if (fits)
            std::swap(queue[i], queue[other]);
    }
    for (size_t i = 0; i < duration.size(); ++i) {
        GeneratedJob job;
        job.type = type;
        job.duration = duration[i];
        job.queue = queue[i];
        jobs.push_back(job);
    }
}

void addCpuJobs(const Site& site, const std::vector<Row>& cdf, Random& random,
                std::vector<GeneratedJob>& jobs)
{
    for (const int64_t duration : valuesOf(bucketsOf(cdf, "CPU", "duration"), true, random)) {
        GeneratedJob job;
        job.type = "CPU";
        job.duration = duration;
        job.queue = site.durationHasWait ? below(random, std::min<int64_t>(duration, 30))
                                         : below(random, 4);
        jobs.push_back(job);
    }
}

/// Sizes, ascending. The figures are read one GPU late in places: 513 stands for 512.
std::vector<int> sizesOf(const std::vector<Row>& demand)
{
    std::vector<int> sizes;
    for (const Row& row : demand) {
        int size = std::stoi(row[2]);
        if (size == 513 || size == 49 || size == 497 || size == 505)
            --size;
        if (size == 770)
            size = 768;
        sizes.resize(size_t(std::stoi(row[3])), size);
    }
    return sizes;
}

/// Pretraining takes the largest, the others what comes.
void giveSizes(std::vector<int> sizes, Random& random, std::vector<GeneratedJob>& jobs)
{
    size_t largest = sizes.size();
    for (GeneratedJob& job : jobs) {
        if (job.type == "Pretrain")
            job.gpus = sizes[--largest];
    }
    sizes.resize(largest);
    std::shuffle(sizes.begin(), sizes.end(), random);
    size_t next = 0;
    for (GeneratedJob& job : jobs) {
        if (job.type != "Pretrain" && job.type != "CPU")
            job.gpus = sizes[next++];
    }
}

void giveStates(const Site& site, Random& random, std::vector<GeneratedJob>& jobs)
{
    std::vector<std::string_view> states;
    for (const auto& [state, count] : site.states)
        states.resize(states.size() + size_t(count), state);
    states.resize(jobs.size(), "COMPLETED");
    std::shuffle(states.begin(), states.end(), random);
    int running = site.durationHasWait ? kKalosRunning : 0;
    for (size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].state = states[i];
        // CPU jobs that run still, in place of completed ones.
        if (running > 0 && jobs[i].type == "CPU" && states[i] == "COMPLETED") {
            jobs[i].state = "RUNNING";
            jobs[i].isRunning = true;
            --running;
        }
    }
}

/// One after the other, each when enough GPUs are free.
void giveTimes(const Site& site, Random& random, std::vector<GeneratedJob>& jobs)
{
    using End = std::pair<int64_t, int>;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends;
    int free = site.gpus;
    double arrival = double(site.begin);
    int64_t now = site.begin;
    for (GeneratedJob& job : jobs) {
        arrival +=
            2.0 * double(below(random, 1000)) / 1000.0 * double(site.seconds) / double(jobs.size());
        now = std::max(now, int64_t(arrival));
        while (!ends.empty() && (ends.top().first <= now || free < job.gpus)) {
            now = std::max(now, ends.top().first);
            free += ends.top().second;
            ends.pop();
        }
        job.start = now;
        job.submit = now - job.queue;
        job.end = site.durationHasWait ? job.submit + job.duration : now + job.duration;
        if (job.gpus > 0) {
            free -= job.gpus;
            ends.emplace(job.end, job.gpus);
        }
    }
}

/// The few jobs of a type without curves of its own: what all GPU jobs have beyond the others.
Buckets rest(const Buckets& all, const std::vector<Buckets>& parts)
{
    Buckets left = all;
    for (const Buckets& part : parts) {
        left.resize(std::max(left.size(), part.size()));
        for (size_t k = 0; k < part.size(); ++k)
            left[k] -= part[k];
    }
    return left;
}

class TimeText {
public:
    explicit TimeText(int hoursEast)
        : m_hours(hoursEast)
    {
    }
    std::string operator()(int64_t seconds) const
    {
        const std::chrono::sys_seconds time{std::chrono::seconds(seconds + m_hours * 3600)};
        const auto day = std::chrono::floor<std::chrono::days>(time);
        const std::chrono::year_month_day date(day);
        const std::chrono::hh_mm_ss clock(time - day);
        return fmt::format("{}-{:02}-{:02} {:02}:{:02}:{:02}+{:02}:00", int(date.year()),
                           unsigned(date.month()), unsigned(date.day()), clock.hours().count(),
                           clock.minutes().count(), clock.seconds().count(), m_hours);
    }

private:
    int m_hours;
};

std::string serenRow(const GeneratedJob& job, size_t number, const TimeText& text)
{
    const std::string gpuTime = job.gpus == 0 ? "" : fmt::format("{}.0", job.gpus * job.duration);
    return fmt::format("{},u{:04x},{},{},{},{},{},{},{},{},{},{},{}\n", 5'778'432 + number,
                       number * 7919 % 4096, std::max(1, job.gpus / 8), job.gpus,
                       std::max(2, job.gpus * 16), job.type, job.state, text(job.submit),
                       text(job.start), text(job.end), job.duration, job.queue, gpuTime);
}

std::string kalosRow(const GeneratedJob& job, size_t number, const TimeText& text)
{
    const std::string end = job.isRunning ? "" : text(job.end);
    const std::string gpuTime = job.gpus == 0 ? "" : fmt::format("{}.0", job.gpus * job.duration);
    return fmt::format("dlc{:013x},u{:04x},{},{},{},{},,{},{},{},{},{},{},{},{},{}.0,{}\n",
                       number * 6'364'136'223'846'793 % (uint64_t(1) << 52), number * 7919 % 4096,
                       std::max(1, job.gpus / 8), job.gpus, std::max(8, job.gpus * 15),
                       job.gpus == 0 ? 20 : 1000, job.type, job.state, text(job.submit),
                       text(job.start), end, job.state == "FAILED" ? end : "",
                       job.state == "CANCELLED" ? end : "", job.duration, job.queue, gpuTime);
}

}  // namespace

std::vector<GeneratedJob> generateTrace(std::string_view cluster, uint64_t seed,
                                        const std::string& fixtures)
{
    const Site& site = cluster == "Kalos" ? kKalos : kSeren;
    const std::vector<Row> cdf = readTable(fixtures + "/acme/job_cdf_counts.csv", site.name);
    Random random(seed);
    std::vector<GeneratedJob> jobs;
    std::vector<Buckets> parts;
    for (const std::string_view type : {"Eval", "SFT", "Other", "MLLM", "Debug", "Pretrain"}) {
        const Buckets durations = bucketsOf(cdf, type, "duration");
        if (durations.empty())
            continue;
        addType(site, type, durations, bucketsOf(cdf, type, "queue"), random, jobs);
        parts.push_back(durations);
    }
    if (site.durationHasWait)
        addType(site, "SFT", rest(bucketsOf(cdf, "GPU", "duration"), parts), {}, random, jobs);
    giveSizes(sizesOf(readTable(fixtures + "/acme/gpu_num_cdf.csv", site.name)), random, jobs);
    addCpuJobs(site, cdf, random, jobs);
    std::shuffle(jobs.begin(), jobs.end(), random);
    giveStates(site, random, jobs);
    giveTimes(site, random, jobs);
    std::stable_sort(jobs.begin(), jobs.end(), [](const GeneratedJob& a, const GeneratedJob& b) {
        return a.submit < b.submit;
    });
    return jobs;
}

bool writeTrace(const std::vector<GeneratedJob>& jobs, std::string_view cluster,
                const std::string& path)
{
    std::FILE* const file = std::fopen(path.c_str(), "wb");
    if (!file)
        return false;
    const bool isKalos = cluster == "Kalos";
    const TimeText text(isKalos ? 0 : 8);
    std::fputs(isKalos ? "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,"
                         "type,state,submit_time,start_time,end_time,fail_time,stop_time,"
                         "duration,queue,gpu_time\n"
                       : "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,"
                         "start_time,end_time,duration,queue,gpu_time\n",
               file);
    for (size_t i = 0; i < jobs.size(); ++i) {
        const std::string row = isKalos ? kalosRow(jobs[i], i, text) : serenRow(jobs[i], i, text);
        std::fwrite(row.data(), 1, row.size(), file);
    }
    const bool isGood = std::ferror(file) == 0;
    return std::fclose(file) == 0 && isGood;
}

}  // namespace yard::test
