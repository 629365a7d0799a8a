#include <fmt/format.h>

#include <absl/container/flat_hash_map.h>

#include <map>
#include <set>

#include "backend/analytics/distribution.h"
#include "backend/analytics/job_parts.h"

namespace yard::analytics {
namespace {

struct Demand {
    int64_t jobs = 0;
    int64_t gpuSeconds = 0;
};

/// Least and greatest value within 1.5 times the quartiles' distance, as box plots draw it.
void addBox(const CountedValues& values, const std::string& name, Figures& figures)
{
    const double q1 = values.quantile(0.25);
    const double q3 = values.quantile(0.75);
    const double reach = 1.5 * (q3 - q1);
    double low = q1;
    double high = q3;
    for (const auto& [value, times] : values.counts()) {
        if (value >= q1 - reach && value < low)
            low = value;
        if (value <= q3 + reach && value > high)
            high = value;
    }
    figures.number(name + ".whisker_low", low);
    figures.number(name + ".whisker_high", high);
}

/// Each size that occurs, and the powers of two with the sizes just below them.
std::set<int32_t> stepsOf(const std::map<int32_t, Demand>& demand)
{
    std::set<int32_t> steps;
    for (const auto& [gpus, part] : demand)
        steps.insert(gpus);
    for (int32_t step = 1; step <= 1024; step *= 2) {
        steps.insert(step);
        if (step > 2)
            steps.insert(step - 1);
    }
    return steps;
}

void addCdf(const std::map<int32_t, Demand>& demand, const Demand& all, Figures& figures)
{
    Demand passed;
    auto next = demand.begin();
    for (const int32_t step : stepsOf(demand)) {
        for (; next != demand.end() && next->first <= step; ++next) {
            passed.jobs += next->second.jobs;
            passed.gpuSeconds += next->second.gpuSeconds;
        }
        figures.count(fmt::format("gpu_demand_cdf_jobs.{}", step), passed.jobs);
        figures.number(fmt::format("gpu_demand_cdf_job_pct.{}", step),
                       percent(double(passed.jobs), double(all.jobs)));
        figures.number(fmt::format("gpu_demand_cdf_gpu_time_pct.{}", step),
                       percent(double(passed.gpuSeconds), double(all.gpuSeconds)));
    }
}

/// (0,1], (1,2], (2,4] … (512,1024], >1024.
void addBuckets(const std::map<int32_t, Demand>& demand, const Demand& all, Figures& figures)
{
    auto next = demand.begin();
    for (int32_t low = 0, high = 1; high <= 2048; low = high, high *= 2) {
        Demand bucket;
        const bool isLast = high == 2048;
        for (; next != demand.end() && (isLast || next->first <= high); ++next) {
            bucket.jobs += next->second.jobs;
            bucket.gpuSeconds += next->second.gpuSeconds;
        }
        const std::string name = isLast ? ">1024" : fmt::format("({},{}]", low, high);
        figures.count(fmt::format("gpu_demand_jobs.{}", name), bucket.jobs);
        figures.number(fmt::format("gpu_demand_gpu_time_share_pct.{}", name),
                       percent(double(bucket.gpuSeconds), double(all.gpuSeconds)));
    }
}

}  // namespace

void addGpuDemand(const JobTable& table, Rows rows, Figures& figures)
{
    absl::flat_hash_map<uint64_t, Demand> cells;  // type and size
    for (const uint32_t row : rows) {
        if (table.gpus[row] == 0)
            continue;
        Demand& cell = cells[uint64_t(table.type[row]) << 32 | uint32_t(table.gpus[row])];
        ++cell.jobs;
        if (table.duration[row] != kNoSeconds)
            cell.gpuSeconds += int64_t(table.gpus[row]) * table.duration[row];
    }
    if (cells.empty())
        return;
    CountedValues all;
    Demand total;
    std::map<int32_t, Demand> demand;
    std::map<std::string, CountedValues> byType;
    for (const auto& [key, cell] : cells) {
        const auto gpus = int32_t(key & 0xffffffff);
        all.add(gpus, cell.jobs);
        byType[typeName(table, uint32_t(key >> 32))].add(gpus, cell.jobs);
        demand[gpus].jobs += cell.jobs;
        demand[gpus].gpuSeconds += cell.gpuSeconds;
        total.jobs += cell.jobs;
        total.gpuSeconds += cell.gpuSeconds;
    }
    all.addTo(figures, "gpus_per_job");
    for (const auto& [type, values] : byType) {
        const std::string name = "gpus_per_job_by_type." + type;
        values.addTo(figures, name);
        addBox(values, name, figures);
    }
    addBuckets(demand, total, figures);
    addCdf(demand, total, figures);
}

}  // namespace yard::analytics
