#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace yard::telemetry {

/// What we read of a GPU whatever exporter says it, in our units.
enum class GpuField : uint8_t {
    SmClockMhz,
    MemoryClockMhz,
    ClockReasons,  ///< bit mask
    MemoryTemperature,
    CoreTemperature,
    PowerWatts,
    EnergyJoules,
    PowerViolationSeconds,
    ThermalViolationSeconds,
    PcieReplays,
    UtilizationPercent,
    MemoryCopyPercent,
    LastXid,
    MemoryTotalMib,
    MemoryFreeMib,
    MemoryUsedMib,
    MemoryReservedMib,
    MemoryUsedRatio,
    EccDoubleBit,
    RemappedUncorrectable,
    RemappedCorrectable,
    RowRemapFailure,
    RowRemapPending,
    NvlinkTotal,
    RecoveryAction,
    EngineActive,  ///< ratios 0..1 from here
    SmActive,
    SmOccupancy,
    TensorActive,
    DramActive,
    PcieTransmitBytes,  ///< bytes per second from here
    PcieReceiveBytes,
    NvlinkTransmitBytes,
    NvlinkReceiveBytes,
    FanPercent,
};
constexpr size_t kGpuFieldCount = 34;

struct GpuFieldRule {
    GpuField field;
    double scale;  ///< from the exporter's unit to ours
    double most;   ///< in our unit; less than 0 or more than this is rubbish
    bool isWide;   ///< 64-bit counter: 2^31-16 may be a real value
};

/// The field of a metric name, old or new; nothing for a family we do not read.
std::optional<GpuFieldRule> dcgmFieldOf(std::string_view metricName);

/// DCGM's blanks: "not found", "not supported" and so on, which it prints as numbers.
bool isDcgmBlank(double value, bool isWide);

}  // namespace yard::telemetry
