#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// A whole cluster that is made up elsewhere, read like any other source. Faults are told once.
class SimulatedSource final : public TelemetrySource {
public:
    using ReadReadings = std::function<std::vector<domain::HostReadings>()>;
    using ReadFaults = std::function<std::vector<domain::Fault>(Time since)>;

    SimulatedSource(ReadReadings readReadings, ReadFaults readFaults);

    std::string_view target() const override { return "simulated"; }
    std::string_view kind() const override { return "simulated"; }
    std::string_view host() const override { return {}; }
    StatusOr<Scrape> scrape(Deadline deadline) override;

private:
    const ReadReadings m_readReadings;
    const ReadFaults m_readFaults;
    Time m_faultsUntil{};
};

}  // namespace yard::telemetry
