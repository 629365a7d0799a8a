#include "backend/domain/metric.h"

#include <array>

namespace yard::domain {
namespace {

struct Entry {
    std::string_view id;
    std::string_view unit;
};

constexpr std::array<Entry, kGpuMetricCount> kGpuMetrics{{
    {"sm_activity", "%"},
    {"gpu_utilization", "%"},
    {"tensor_activity", "%"},
    {"memory_used", "MiB"},
    {"memory_total", "MiB"},
    {"power", "W"},
    {"core_temperature", "°C"},
    {"memory_temperature", "°C"},
    {"sm_clock", "MHz"},
    {"nvlink_bandwidth", "B/s"},
    {"energy", "J"},
    {"last_xid", ""},
}};

constexpr std::array<Entry, kNodeMetricCount> kNodeMetrics{{
    {"cpu_utilization", "%"},
    {"memory_used", "MiB"},
    {"memory_total", "MiB"},
    {"load", ""},
    {"power", "W"},
    {"inlet_temperature", "°C"},
    {"infiniband_receive", "B/s"},
    {"infiniband_transmit", "B/s"},
}};

}  // namespace

std::string_view id(GpuMetric metric)
{
    return kGpuMetrics.at(size_t(metric)).id;
}

std::string_view id(NodeMetric metric)
{
    return kNodeMetrics.at(size_t(metric)).id;
}

std::string_view unit(GpuMetric metric)
{
    return kGpuMetrics.at(size_t(metric)).unit;
}

std::string_view unit(NodeMetric metric)
{
    return kNodeMetrics.at(size_t(metric)).unit;
}

}  // namespace yard::domain
