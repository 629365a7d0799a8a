#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/readings.h"
#include "backend/telemetry/dcgm_fields.h"

namespace yard::telemetry {

/// One instance of a card under MIG.
struct MigInstance {
    std::string id;
    std::string profile;  ///< "1g.6gb"
    std::optional<double> engineActive;
    std::optional<double> smActive;
    std::optional<double> tensorActive;
};

/// One value of a card, and its spread over the series that repeat it.
struct GpuValue {
    double first = 0;
    double lowest = 0;
    double highest = 0;
};

/// One card as an exporter shows it. Labels come and go between families, so a card is known by
/// UUID, else by its number.
struct GpuRecord {
    int index = -1;
    std::string uuid;
    std::string pci;  ///< dddd:bb:dd.f, lower case
    std::string model;
    std::string host;  ///< as labelled; may be the name of the exporter's pod
    std::string driver;
    std::vector<std::string> pods;  ///< each once; two mean sharing or a leftover
    std::array<std::optional<GpuValue>, kGpuFieldCount> values;
    std::vector<MigInstance> instances;
    std::map<std::string, double> linkRecoveriesFailed;  ///< by NVLink
    std::map<int, double> xidCounts;                     ///< events by Xid within the window
    std::optional<double> xidWindowSeconds;

    std::optional<double> operator[](GpuField field) const;
    /// FB_TOTAL, or the sum of its parts.
    std::optional<double> memoryTotalMib() const;
};

/// A part that is no GPU: an NVSwitch or a CPU.
struct OtherPart {
    std::string id;
    std::optional<double> temperatureCelsius;
};

struct GpuPage {
    std::vector<GpuRecord> gpus;  ///< by number, then UUID
    std::vector<OtherPart> switches;
    std::vector<OtherPart> cpus;
    uint64_t unknown = 0;      ///< blank values: the exporter has no reading
    uint64_t implausible = 0;  ///< values outside of what the field can be
    uint64_t implausibleUtilization = 0;
};

/// For the snapshot. Under MIG, card-wide values are taken once and ratios weighed by instance
/// size.
domain::HostReadings gpuReadings(const GpuPage& page, std::string_view host, Time at);

/// dddd:bb:dd.f in lower case from any writing: "00000000:9D:00.0", "0000:9d:00". Empty if none.
std::string pciAddress(std::string_view text);

}  // namespace yard::telemetry
