#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace yard::domain {

/// What is measured of a GPU. The order is that of the wire and of the columns in memory: append
/// only.
enum class GpuMetric : uint8_t {
    SmActivity,         ///< percent of cycles with a warp on the SM
    GpuUtilization,     ///< percent of time that some kernel ran
    TensorActivity,     ///< percent
    MemoryUsed,         ///< MiB
    MemoryTotal,        ///< MiB
    Power,              ///< W
    CoreTemperature,    ///< degrees Celsius
    MemoryTemperature,  ///< degrees Celsius
    SmClock,            ///< MHz
    NvlinkBandwidth,    ///< bytes per second, both ways
    Energy,             ///< J since the driver was loaded
    LastXid,            ///< code of the last Xid, sticky; 0 is none
};
constexpr size_t kGpuMetricCount = 12;

/// What is measured of a node. Append only, as above.
enum class NodeMetric : uint8_t {
    CpuUtilization,      ///< percent
    MemoryUsed,          ///< MiB
    MemoryTotal,         ///< MiB
    Load,                ///< load average over one minute
    Power,               ///< W, the whole node
    InletTemperature,    ///< degrees Celsius
    InfinibandReceive,   ///< bytes per second
    InfinibandTransmit,  ///< bytes per second
};
constexpr size_t kNodeMetricCount = 8;

/// "No reading". Unknown is not zero: never sum it, never draw it as 0. Test with std::isnan.
constexpr float kNoReading = std::numeric_limits<float>::quiet_NaN();

/// Stable name, as in JSON and configuration: "sm_activity".
std::string_view id(GpuMetric metric);
std::string_view id(NodeMetric metric);
/// "%", "MiB", "W", "°C" …
std::string_view unit(GpuMetric metric);
std::string_view unit(NodeMetric metric);

}  // namespace yard::domain
