#include "backend/telemetry/node_exporter_reader.h"

#include <algorithm>
#include <cmath>

#include "backend/domain/readings.h"

namespace yard::telemetry {
namespace {

using domain::NodeMetric;

constexpr double kMib = 1.0 / (1024 * 1024);

void add(std::optional<double>& sum, double value)
{
    sum = sum.value_or(0) + value;
}

void addCpu(NodePage& page, std::string_view mode, double value)
{
    // Guest time is in user time already.
    if (mode == "guest" || mode == "guest_nice")
        return;
    add(page.cpuSeconds, value);
    if (mode == "idle" || mode == "iowait")
        add(page.cpuIdleSeconds, value);
}

float rate(std::optional<double> now, std::optional<double> before, double seconds)
{
    if (!now || !before || *now < *before || seconds <= 0)
        return domain::kNoReading;
    return float((*now - *before) / seconds);
}

float cpuPercent(const NodePage& now, const NodePage& before)
{
    if (!now.cpuSeconds || !before.cpuSeconds || !now.cpuIdleSeconds || !before.cpuIdleSeconds)
        return domain::kNoReading;
    const double all = *now.cpuSeconds - *before.cpuSeconds;
    const double idle = *now.cpuIdleSeconds - *before.cpuIdleSeconds;
    if (all <= 0 || idle < 0)
        return domain::kNoReading;
    return float(std::clamp(100 * (1 - idle / all), 0.0, 100.0));
}

}  // namespace

NodePage readNodeExporter(const Exposition& exposition)
{
    NodePage page;
    for (const ExpositionSample& sample : exposition.samples) {
        const std::string_view name = sample.name;
        if (!name.starts_with("node_") || !std::isfinite(sample.value) || sample.value < 0)
            continue;
        if (name == "node_cpu_seconds_total")
            addCpu(page, exposition.label(sample, "mode"), sample.value);
        else if (name == "node_load1")
            page.load1 = sample.value;
        else if (name == "node_memory_MemTotal_bytes")
            page.memoryTotalMib = sample.value * kMib;
        else if (name == "node_memory_MemAvailable_bytes")
            page.memoryAvailableMib = sample.value * kMib;
        else if (name == "node_boot_time_seconds")
            page.bootTimeSeconds = sample.value;
        else if (name == "node_infiniband_port_data_received_bytes_total")
            add(page.infinibandReceivedBytes, sample.value);
        else if (name == "node_infiniband_port_data_transmitted_bytes_total")
            add(page.infinibandTransmittedBytes, sample.value);
    }
    return page;
}

bool isNodeExporter(const Exposition& exposition)
{
    return std::any_of(
        exposition.samples.begin(), exposition.samples.end(), [](const ExpositionSample& sample) {
            return sample.name == "node_load1" || sample.name == "node_cpu_seconds_total" ||
                   sample.name == "node_memory_MemTotal_bytes";
        });
}

std::array<float, domain::kNodeMetricCount> nodeReadings(const NodePage& now,
                                                         const NodePage* before, double seconds)
{
    auto values = domain::noReadings<domain::kNodeMetricCount>();
    const auto set = [&](NodeMetric metric, float value) { values[size_t(metric)] = value; };
    if (now.load1)
        set(NodeMetric::Load, float(*now.load1));
    if (now.memoryTotalMib)
        set(NodeMetric::MemoryTotal, float(*now.memoryTotalMib));
    if (now.memoryTotalMib && now.memoryAvailableMib &&
        *now.memoryTotalMib >= *now.memoryAvailableMib)
        set(NodeMetric::MemoryUsed, float(*now.memoryTotalMib - *now.memoryAvailableMib));
    if (before == nullptr)
        return values;
    set(NodeMetric::CpuUtilization, cpuPercent(now, *before));
    set(NodeMetric::InfinibandReceive,
        rate(now.infinibandReceivedBytes, before->infinibandReceivedBytes, seconds));
    set(NodeMetric::InfinibandTransmit,
        rate(now.infinibandTransmittedBytes, before->infinibandTransmittedBytes, seconds));
    return values;
}

}  // namespace yard::telemetry
