#include "backend/telemetry/ipmi_reader.h"

#include <algorithm>
#include <cmath>

#include "backend/base/text.h"
#include "backend/domain/readings.h"

namespace yard::telemetry {
namespace {

constexpr std::array<std::string_view, 4> kStates{"unknown", "nominal", "warning", "critical"};

/// ipmi_<kind>_<unit> and ipmi_<kind>_state are one sensor.
struct Kind {
    std::string_view prefix;
    std::string_view type;
};
constexpr std::array<Kind, 6> kKinds{{{"ipmi_temperature_", "temperature"},
                                      {"ipmi_fan_speed_", "fan"},
                                      {"ipmi_voltage_", "voltage"},
                                      {"ipmi_current_", "current"},
                                      {"ipmi_power_", "power"},
                                      {"ipmi_sensor_", ""}}};

IpmiState stateOf(double value)
{
    if (value == 0)
        return IpmiState::Nominal;
    if (value == 1)
        return IpmiState::Warning;
    return value == 2 ? IpmiState::Critical : IpmiState::Unknown;
}

IpmiSensor& sensorOf(IpmiPage& page, const Exposition& exposition, const ExpositionSample& sample,
                     std::string_view type)
{
    const std::string_view id = exposition.label(sample, "id");
    const std::string_view name = exposition.label(sample, "name");
    const std::string_view labelled = exposition.label(sample, "type");
    const auto found = std::find_if(
        page.sensors.begin(), page.sensors.end(),
        [&](const IpmiSensor& sensor) { return sensor.id == id && sensor.name == name; });
    if (found != page.sensors.end())
        return *found;
    IpmiSensor& sensor = page.sensors.emplace_back();
    sensor.id = std::string(id);
    sensor.name = std::string(name);
    sensor.type = std::string(type.empty() ? labelled : type);
    return sensor;
}

bool isInlet(const IpmiSensor& sensor)
{
    const std::string name = text::lowerCase(sensor.name);
    return sensor.type == "temperature" && sensor.value &&
           (name.find("inlet") != std::string::npos || name.find("ambient") != std::string::npos);
}

void addSensor(IpmiPage& page, const Exposition& exposition, const ExpositionSample& sample)
{
    for (const Kind& kind : kKinds) {
        std::string_view rest = sample.name;
        if (!text::takePrefix(rest, kind.prefix))
            continue;
        IpmiSensor& sensor = sensorOf(page, exposition, sample, kind.type);
        if (rest == "state")
            sensor.state = stateOf(sample.value);
        else if (std::isfinite(sample.value))
            sensor.value = sample.value;
        return;
    }
}

}  // namespace

std::string_view name(IpmiState state)
{
    return kStates.at(size_t(state));
}

bool IpmiPage::isUp() const
{
    return std::any_of(collectors.begin(), collectors.end(),
                       [](const auto& collector) { return collector.second; });
}

IpmiPage readIpmi(const Exposition& exposition)
{
    IpmiPage page;
    for (const ExpositionSample& sample : exposition.samples) {
        if (sample.name == "ipmi_up") {
            const std::string_view collector = exposition.label(sample, "collector");
            page.collectors[std::string(collector)] = sample.value == 1;
        } else if (sample.name == "ipmi_dcmi_power_consumption_watts") {
            // DCMI says 0 W when it has not measured yet.
            if (std::isfinite(sample.value) && sample.value > 0)
                page.powerWatts = sample.value;
        } else {
            addSensor(page, exposition, sample);
        }
    }
    if (const auto dcmi = page.collectors.find("dcmi");
        dcmi != page.collectors.end() && !dcmi->second)
        page.powerWatts.reset();
    const auto inlet = std::find_if(page.sensors.begin(), page.sensors.end(), isInlet);
    if (inlet != page.sensors.end())
        page.inletCelsius = inlet->value;
    return page;
}

bool isIpmi(const Exposition& exposition)
{
    return std::any_of(
        exposition.samples.begin(), exposition.samples.end(),
        [](const ExpositionSample& sample) { return sample.name.starts_with("ipmi_"); });
}

std::array<float, domain::kNodeMetricCount> ipmiReadings(const IpmiPage& page)
{
    auto values = domain::noReadings<domain::kNodeMetricCount>();
    if (page.powerWatts)
        values[size_t(domain::NodeMetric::Power)] = float(*page.powerWatts);
    if (page.inletCelsius)
        values[size_t(domain::NodeMetric::InletTemperature)] = float(*page.inletCelsius);
    return values;
}

}  // namespace yard::telemetry
