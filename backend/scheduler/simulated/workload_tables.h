#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/scheduler/simulated/simulated_options.h"

namespace yard::scheduler {

enum class WorkloadType : uint8_t { Eval, Pretrain, Sft, Mllm, Debug, Other };
constexpr size_t kWorkloadTypes = 6;

/// Share of jobs at or below x, read off the published figures; log-linear in between.
class Cdf {
public:
    struct Point {
        double x;
        double share;
    };
    explicit Cdf(std::vector<Point> points)
        : m_points(std::move(points))
    {
    }
    double at(double x) const;
    double inverse(double share) const;
    double mean() const;

private:
    std::vector<Point> m_points;
};

struct GpuDemand {
    int gpus;
    double share;
};

struct TypeTable {
    double jobShare;
    double longWithLarge;  ///< correlation of GPUs and run time, so that GPU time falls to the
                           ///< types as published
    std::vector<GpuDemand> demand;
    Cdf runSeconds;
    Cdf queueSeconds;
};

/// How jobs end, by GPU-hours (gpus x run time): few large jobs take most of the time, and most of
/// that time is cancelled; infrastructure faults hit the large ones.
struct EndShares {
    double belowGpuHours;
    double completed;
    double cancelled;
    double infrastructureOfFailed;
};

struct WorkloadTable {
    std::array<TypeTable, kWorkloadTypes> types;
    std::vector<EndShares> ends;
};

/// "Characterization of Large Language Model Development in the Datacenter" (NSDI 2024): types,
/// GPU demand, run times, queue times and final states of its two clusters.
const WorkloadTable& workloadTable(WorkloadProfile profile);

}  // namespace yard::scheduler
