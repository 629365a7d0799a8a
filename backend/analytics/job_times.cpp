#include <fmt/format.h>

#include <algorithm>

#include "backend/analytics/distribution.h"
#include "backend/analytics/job_parts.h"
#include "backend/analytics/radix_sort.h"

namespace yard::analytics {
namespace {

constexpr int kCdfSteps = 23;  // 1 s … 2^22 s (48 days)

/// Values of one column, sorted, per population.
struct Populations {
    std::vector<int32_t> gpu;
    std::vector<int32_t> cpu;
    std::vector<std::vector<int32_t>> byType;  // as in `types`
};

/// One sort for all populations: the key is the value, then the type.
template <typename Value>
Populations sortedValues(const JobTable& table, Rows rows, const std::vector<uint32_t>& types,
                         Value value)
{
    std::vector<uint32_t> place(table.words.size(), 0);
    for (uint32_t i = 0; i < types.size(); ++i)
        place[types[i]] = i;
    std::vector<uint64_t> gpu;
    std::vector<uint64_t> cpu;
    gpu.reserve(rows.size());
    for (const uint32_t row : rows) {
        const int32_t seconds = value(row);
        if (seconds == kNoSeconds)
            continue;
        if (table.gpus[row] > 0)
            gpu.push_back(uint64_t(uint32_t(seconds)) << 16 | place[table.type[row]]);
        else
            cpu.push_back(uint64_t(uint32_t(seconds)) << 16);
    }
    radixSort(gpu);
    radixSort(cpu);
    Populations populations;
    populations.byType.resize(types.size());
    populations.gpu.reserve(gpu.size());
    for (const uint64_t key : gpu) {
        const auto seconds = int32_t(key >> 16);
        populations.gpu.push_back(seconds);
        populations.byType[key & 0xffff].push_back(seconds);
    }
    populations.cpu.reserve(cpu.size());
    for (const uint64_t key : cpu)
        populations.cpu.push_back(int32_t(key >> 16));
    return populations;
}

void addCdf(Figures& figures, const std::string& name, const std::string& population,
            const std::vector<int32_t>& sorted)
{
    if (sorted.empty())
        return;
    for (int step = 0; step < kCdfSteps; ++step) {
        const int32_t limit = int32_t(1) << step;
        const auto count =
            int64_t(std::upper_bound(sorted.begin(), sorted.end(), limit) - sorted.begin());
        figures.count(fmt::format("{}_cdf_jobs.{}.{}", name, population, limit), count);
        figures.number(fmt::format("{}_cdf_pct.{}.{}", name, population, limit),
                       percent(double(count), double(sorted.size())));
    }
}

void addMetric(const JobTable& table, const std::vector<uint32_t>& types,
               const Populations& populations, const std::string& name, bool withCdf,
               Figures& figures)
{
    addDistribution(figures, name + "_s", populations.gpu);
    addDistribution(figures, name + "_s_cpu_jobs", populations.cpu);
    for (size_t i = 0; i < types.size(); ++i)
        addDistribution(figures, name + "_s_by_type." + typeName(table, types[i]),
                        populations.byType[i]);
    if (!withCdf)
        return;
    addCdf(figures, name, "GPU", populations.gpu);
    addCdf(figures, name, "CPU", populations.cpu);
    for (size_t i = 0; i < types.size(); ++i)
        addCdf(figures, name, typeName(table, types[i]), populations.byType[i]);
}

}  // namespace

void addTimes(const JobTable& table, Rows rows, Figures& figures)
{
    const std::vector<uint32_t> types = typesOfGpuJobs(table, rows);
    const Populations duration =
        sortedValues(table, rows, types, [&](uint32_t row) { return table.duration[row]; });
    addMetric(table, types, duration, "duration", true, figures);
    const Populations run =
        sortedValues(table, rows, types, [&](uint32_t row) { return table.run(row); });
    addMetric(table, types, run, "run", true, figures);
    const Populations queue =
        sortedValues(table, rows, types, [&](uint32_t row) { return table.queue[row]; });
    addMetric(table, types, queue, "queue", true, figures);

    if (duration.gpu.empty())
        figures.absent("duration_s", "No GPU job has a duration, or a start and an end.");
    if (run.gpu.empty())
        figures.absent("run_s",
                       "No GPU job has both its start and its end, and the duration that the "
                       "file gives contains a wait that is not known.");
    if (queue.gpu.empty())
        figures.absent("queue_s", "The data has neither queue times nor start times.");
}

}  // namespace yard::analytics
