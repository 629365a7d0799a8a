#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/domain/metric.h"
#include "backend/telemetry/exposition_text.h"

namespace yard::telemetry {

enum class IpmiState : uint8_t { Unknown, Nominal, Warning, Critical };
/// "unknown", "nominal", "warning", "critical".
std::string_view name(IpmiState state);

struct IpmiSensor {
    std::string id;
    std::string name;
    std::string type;  ///< "temperature", "fan", "voltage", "power", "current", or as labelled
    IpmiState state = IpmiState::Unknown;
    std::optional<double> value;
};

/// What ipmi_exporter says of one host. A collector that failed brings no reading, never zero.
struct IpmiPage {
    std::map<std::string, bool> collectors;
    std::vector<IpmiSensor> sensors;
    std::optional<double> powerWatts;  ///< DCMI: the whole node
    std::optional<double> inletCelsius;
    bool isUp() const;  ///< some collector worked
};
IpmiPage readIpmi(const Exposition& exposition);
bool isIpmi(const Exposition& exposition);

std::array<float, domain::kNodeMetricCount> ipmiReadings(const IpmiPage& page);

}  // namespace yard::telemetry
