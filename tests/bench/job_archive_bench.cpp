#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "backend/store/job_archive.h"

using namespace yard::store;

namespace {

constexpr int kJobs = 880'000;
constexpr int64_t kBegin = 1'677'601'102;
constexpr int64_t kSeconds = int64_t(184) * 86'400;

ArchivedJob randomJob(int number, std::mt19937_64& random)
{
    const auto below = [&random](int64_t limit) { return int64_t(random() % uint64_t(limit)); };
    ArchivedJob job;
    job.cluster = "Seren";
    job.id = std::to_string(number);
    job.submit = kBegin + kSeconds * number / kJobs;
    job.queue = below(int64_t(1) << below(15));
    job.duration = below(int64_t(1) << below(20));
    job.start = job.runFrom = job.submit + job.queue;
    job.end = job.runTo = job.start + job.duration;
    job.gpus = int64_t(1) << below(7);
    job.user = "u" + std::to_string(below(500));
    job.type = "Eval";
    job.state = yard::domain::JobState::Completed;
    return job;
}

/// As many jobs as Seren and Kalos have together; made once.
JobArchive& archive()
{
    static JobArchive archive = [] {
        const std::string path = std::filesystem::temp_directory_path() / "yard_archive_bench.db";
        for (const char* end : {"", "-wal", "-shm"})
            std::filesystem::remove(path + end);
        auto made = JobArchive::open(path, Database::Mode::ReadWrite);
        std::mt19937_64 random(1);
        auto record = made->begin({"/trace", 1, 1});
        std::vector<ArchivedJob> jobs;
        for (int i = 0; i < kJobs; ++i) {
            jobs.push_back(randomJob(i, random));
            if (jobs.size() < 50'000 && i + 1 < kJobs)
                continue;
            if (!made->add(jobs, uint64_t(i), *record).ok())
                std::abort();
            jobs.clear();
        }
        return *std::move(made);
    }();
    return archive;
}

void countsAt(benchmark::State& state)
{
    JobArchive& jobs = archive();
    std::mt19937_64 random(2);
    int64_t running = 0;
    for (auto _ : state)
        running += jobs.countsAt("Seren", kBegin + int64_t(random() % kSeconds))->runningJobs;
    state.counters["running"] = double(running) / double(state.iterations());
}

void jobsAt(benchmark::State& state)
{
    JobArchive& jobs = archive();
    std::mt19937_64 random(2);
    int64_t found = 0;
    for (auto _ : state)
        found +=
            int64_t(jobs.jobsAt("Seren", kBegin + int64_t(random() % kSeconds), 10'000)->size());
    state.counters["jobs"] = double(found) / double(state.iterations());
}

}  // namespace

BENCHMARK(countsAt)->Unit(benchmark::kMillisecond);
BENCHMARK(jobsAt)->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
