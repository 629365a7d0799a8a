#include "backend/store/series/series_scale.h"

#include <array>

namespace yard::store {
namespace {

// In the order of GpuMetric.
constexpr std::array<double, domain::kGpuMetricCount> kGpu = {
    0.1,   // SmActivity, %
    0.1,   // GpuUtilization, %
    0.1,   // TensorActivity, %
    1,     // MemoryUsed, MiB
    1,     // MemoryTotal, MiB
    0.1,   // Power, W
    0.1,   // CoreTemperature, °C
    0.1,   // MemoryTemperature, °C
    1,     // SmClock, MHz
    1e6,   // NvlinkBandwidth, B/s
    1000,  // Energy, J
    1,     // LastXid
};

// In the order of NodeMetric.
constexpr std::array<double, domain::kNodeMetricCount> kNode = {
    0.1,   // CpuUtilization, %
    1,     // MemoryUsed, MiB
    1,     // MemoryTotal, MiB
    0.01,  // Load
    1,     // Power, W
    0.1,   // InletTemperature, °C
    1e5,   // InfinibandReceive, B/s
    1e5,   // InfinibandTransmit, B/s
};

}  // namespace

double resolution(domain::SeriesKind kind, uint32_t metric)
{
    return kind == domain::SeriesKind::Gpu ? kGpu[metric] : kNode[metric];
}

uint32_t metricCount(domain::SeriesKind kind)
{
    return kind == domain::SeriesKind::Gpu ? kGpu.size() : kNode.size();
}

}  // namespace yard::store
