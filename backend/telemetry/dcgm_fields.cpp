#include "backend/telemetry/dcgm_fields.h"

#include <array>
#include <cmath>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

struct Entry {
    std::string_view name;  ///< without prefix, upper case
    GpuFieldRule rule;
};

constexpr double kAny = 9e18;
constexpr double kMaxMib = 16.0 * 1024 * 1024;  // 16 TiB
constexpr double kMaxClock = 100'000;
constexpr double kMaxCelsius = 250;
constexpr double kMaxWatts = 100'000;
constexpr double kMaxBytesPerSecond = 1e14;

using F = GpuField;
constexpr std::array kEntries{
    Entry{"SM_CLOCK", {F::SmClockMhz, 1, kMaxClock, false}},
    Entry{"SM_CLOCK_HERTZ", {F::SmClockMhz, 1e-6, kMaxClock, true}},
    Entry{"MEM_CLOCK", {F::MemoryClockMhz, 1, kMaxClock, false}},
    Entry{"MEMORY_CLOCK", {F::MemoryClockMhz, 1, kMaxClock, false}},
    Entry{"MEMORY_CLOCK_HERTZ", {F::MemoryClockMhz, 1e-6, kMaxClock, true}},
    Entry{"CLOCKS_EVENT_REASONS", {F::ClockReasons, 1, 0xffffffff, false}},
    Entry{"CLOCK_THROTTLE_REASONS", {F::ClockReasons, 1, 0xffffffff, false}},
    Entry{"CLOCKS_THROTTLE_REASONS", {F::ClockReasons, 1, 0xffffffff, false}},
    Entry{"MEMORY_TEMP", {F::MemoryTemperature, 1, kMaxCelsius, false}},
    Entry{"MEMORY_TEMP_CELSIUS", {F::MemoryTemperature, 1, kMaxCelsius, false}},
    Entry{"GPU_TEMP", {F::CoreTemperature, 1, kMaxCelsius, false}},
    Entry{"GPU_TEMP_CELSIUS", {F::CoreTemperature, 1, kMaxCelsius, false}},
    Entry{"POWER_USAGE", {F::PowerWatts, 1, kMaxWatts, false}},
    Entry{"BOARD_POWER_WATTS", {F::PowerWatts, 1, kMaxWatts, false}},
    Entry{"TOTAL_ENERGY_CONSUMPTION", {F::EnergyJoules, 1e-3, kAny, true}},
    Entry{"GPU_ENERGY_JOULES_TOTAL", {F::EnergyJoules, 1, kAny, true}},
    Entry{"POWER_VIOLATION", {F::PowerViolationSeconds, 1e-9, kAny, true}},
    Entry{"THERMAL_VIOLATION", {F::ThermalViolationSeconds, 1e-9, kAny, true}},
    Entry{"PCIE_REPLAY_COUNTER", {F::PcieReplays, 1, kAny, true}},
    Entry{"PCIE_REPLAY_TOTAL", {F::PcieReplays, 1, kAny, true}},
    Entry{"GPU_UTIL", {F::UtilizationPercent, 1, 100, false}},
    Entry{"GPU_UTIL_RATIO", {F::UtilizationPercent, 1, 100, false}},
    Entry{"GPU_UTILIZATION", {F::UtilizationPercent, 1, 100, false}},
    Entry{"MEM_COPY_UTIL", {F::MemoryCopyPercent, 1, 100, false}},
    Entry{"MEM_COPY_UTILIZATION", {F::MemoryCopyPercent, 1, 100, false}},
    Entry{"XID_ERRORS", {F::LastXid, 1, 100'000, false}},
    Entry{"XID_ERROR", {F::LastXid, 1, 100'000, false}},
    Entry{"FB_TOTAL", {F::MemoryTotalMib, 1, kMaxMib, false}},
    Entry{"FB_FREE", {F::MemoryFreeMib, 1, kMaxMib, false}},
    Entry{"FB_USED", {F::MemoryUsedMib, 1, kMaxMib, false}},
    Entry{"FB_RESERVED", {F::MemoryReservedMib, 1, kMaxMib, false}},
    Entry{"FB_USED_PERCENT", {F::MemoryUsedRatio, 1, 1.001, false}},
    Entry{"FB_USED_RATIO", {F::MemoryUsedRatio, 1, 1.001, false}},
    Entry{"ECC_DBE_VOL_TOTAL", {F::EccDoubleBit, 1, kAny, true}},
    Entry{"UNCORRECTABLE_REMAPPED_ROWS", {F::RemappedUncorrectable, 1, 1e9, false}},
    Entry{"ROW_REMAP_UNCORRECTABLE_TOTAL", {F::RemappedUncorrectable, 1, 1e9, false}},
    Entry{"CORRECTABLE_REMAPPED_ROWS", {F::RemappedCorrectable, 1, 1e9, false}},
    Entry{"ROW_REMAP_CORRECTABLE_TOTAL", {F::RemappedCorrectable, 1, 1e9, false}},
    Entry{"ROW_REMAP_FAILURE", {F::RowRemapFailure, 1, 1, false}},
    Entry{"ROW_REMAP_FAILED", {F::RowRemapFailure, 1, 1, false}},
    Entry{"ROW_REMAP_PENDING", {F::RowRemapPending, 1, 1, false}},
    Entry{"NVLINK_BANDWIDTH_TOTAL", {F::NvlinkTotal, 1, kAny, true}},
    Entry{"NVLINK_THROUGHPUT_TOTAL", {F::NvlinkTotal, 1, kAny, true}},
    Entry{"GET_GPU_RECOVERY_ACTION", {F::RecoveryAction, 1, 1000, false}},
    Entry{"GPU_RECOVERY_ACTION", {F::RecoveryAction, 1, 1000, false}},
    Entry{"GR_ENGINE_ACTIVE", {F::EngineActive, 1, 1.001, false}},
    Entry{"GR_ENGINE_UTIL_RATIO", {F::EngineActive, 1, 1.001, false}},
    Entry{"SM_ACTIVE", {F::SmActive, 1, 1.001, false}},
    Entry{"SM_UTIL_RATIO", {F::SmActive, 1, 1.001, false}},
    Entry{"SM_OCCUPANCY", {F::SmOccupancy, 1, 1.001, false}},
    Entry{"SM_OCCUPANCY_RATIO", {F::SmOccupancy, 1, 1.001, false}},
    Entry{"PIPE_TENSOR_ACTIVE", {F::TensorActive, 1, 1.001, false}},
    Entry{"PIPE_TENSOR_UTIL_RATIO", {F::TensorActive, 1, 1.001, false}},
    Entry{"TENSOR_UTIL_RATIO", {F::TensorActive, 1, 1.001, false}},
    Entry{"DRAM_ACTIVE", {F::DramActive, 1, 1.001, false}},
    Entry{"DRAM_UTIL_RATIO", {F::DramActive, 1, 1.001, false}},
    Entry{"PCIE_TX_BYTES", {F::PcieTransmitBytes, 1, kMaxBytesPerSecond, true}},
    Entry{"PCIE_RX_BYTES", {F::PcieReceiveBytes, 1, kMaxBytesPerSecond, true}},
    Entry{"NVLINK_TX_BYTES", {F::NvlinkTransmitBytes, 1, kMaxBytesPerSecond, true}},
    Entry{"NVLINK_RX_BYTES", {F::NvlinkReceiveBytes, 1, kMaxBytesPerSecond, true}},
    Entry{"FAN_SPEED", {F::FanPercent, 1, 100, false}},
    // 1.x
    Entry{"TENSOR_ACTIVE", {F::TensorActive, 1, 1.001, false}},
};

}  // namespace

std::optional<GpuFieldRule> dcgmFieldOf(std::string_view metricName)
{
    if (!metricName.starts_with("DCGM_") && !metricName.starts_with("dcgm_"))
        return std::nullopt;
    std::string upper = text::upperCase(metricName);
    std::string_view name = upper;
    for (const std::string_view prefix : {"DCGM_FI_DEV_", "DCGM_FI_PROF_", "DCGM_FI_", "DCGM_"}) {
        if (text::takePrefix(name, prefix))
            break;
    }
    for (const Entry& entry : kEntries) {
        if (entry.name == name)
            return entry.rule;
    }
    return std::nullopt;
}

bool isDcgmBlank(double value, bool isWide)
{
    constexpr double kBlank32 = 2147483632;
    constexpr double kBlankFloat = 140737488355328;
    constexpr double kBlank64 = 9.2e18;  // as a double 2^63-16 is 2^63
    if (!std::isfinite(value) || value >= kBlank64)
        return true;
    if (value >= kBlankFloat && value < kBlankFloat + 4)
        return true;
    return !isWide && value >= kBlank32 && value < kBlank32 + 4;
}

}  // namespace yard::telemetry
