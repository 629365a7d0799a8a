#pragma once

#include <array>
#include <optional>

#include "backend/domain/metric.h"
#include "backend/telemetry/exposition_text.h"

namespace yard::telemetry {

/// What node_exporter says of one host. Rates need two pages.
struct NodePage {
    std::optional<double> load1;
    std::optional<double> memoryTotalMib;
    std::optional<double> memoryAvailableMib;
    std::optional<double> bootTimeSeconds;
    std::optional<double> cpuSeconds;               ///< all modes and CPUs
    std::optional<double> cpuIdleSeconds;           ///< idle and waiting for disks
    std::optional<double> infinibandReceivedBytes;  ///< all ports
    std::optional<double> infinibandTransmittedBytes;
};
NodePage readNodeExporter(const Exposition& exposition);
bool isNodeExporter(const Exposition& exposition);

/// Readings of a host from two pages `seconds` apart; without `before`, or when a counter fell, the
/// rates are no reading.
std::array<float, domain::kNodeMetricCount> nodeReadings(const NodePage& now,
                                                         const NodePage* before, double seconds);

}  // namespace yard::telemetry
