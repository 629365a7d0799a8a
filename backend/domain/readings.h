#pragma once

#include <array>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/metric.h"
#include "backend/domain/shared_text.h"

namespace yard::domain {

template <size_t N>
constexpr std::array<float, N> noReadings()
{
    std::array<float, N> values{};
    values.fill(kNoReading);
    return values;
}

/// The current values of one GPU. Identity is the UUID (and the host); index, PCI address and
/// labels may change over a reboot.
struct GpuReading {
    int index = -1;    ///< number on the node; -1 if the source does not say
    SharedText uuid;   ///< "GPU-…"; empty if the source does not say
    SharedText pci;    ///< dddd:bb:dd.f, lower case; empty if unknown
    SharedText model;  ///< "NVIDIA A100-SXM4-80GB"; empty if unknown
    std::array<float, kGpuMetricCount> values = noReadings<kGpuMetricCount>();

    float operator[](GpuMetric metric) const { return values[size_t(metric)]; }
    float& operator[](GpuMetric metric) { return values[size_t(metric)]; }
};

/// All that one read learnt of one host.
struct HostReadings {
    std::string host;  ///< the scheduler's node name
    Time at;           ///< when it was measured
    std::vector<GpuReading> gpus;
    std::array<float, kNodeMetricCount> node = noReadings<kNodeMetricCount>();
};

}  // namespace yard::domain
