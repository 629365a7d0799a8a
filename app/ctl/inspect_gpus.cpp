#include "app/ctl/inspect_gpus.h"

#include <array>

#include "app/ctl/inspect_values.h"

namespace yard::ctl {
namespace {

using telemetry::GpuField;
using telemetry::GpuPage;
using telemetry::GpuRecord;

struct ReasonBit {
    uint32_t bit;
    std::string_view name;
};
constexpr std::array<ReasonBit, 9> kReasons{{{1, "gpu_idle"},
                                             {2, "app_clocks"},
                                             {4, "sw_power_cap"},
                                             {8, "hw_slowdown"},
                                             {16, "sync_boost"},
                                             {32, "sw_thermal"},
                                             {64, "hw_thermal"},
                                             {128, "hw_power_brake"},
                                             {256, "display"}}};
constexpr uint32_t kHardwareReasons = 8 + 64 + 128;

/// A value that MIG instances repeat, read at slightly different times, is a range.
Json rangeJson(const GpuRecord& gpu, GpuField field)
{
    const auto& value = gpu.values[size_t(field)];
    if (!value)
        return nullptr;
    if (gpu.instances.empty())
        return numberJson(value->first);
    return {numberJson(value->lowest), numberJson(value->highest)};
}

/// A repaired row is no fault; a pending one needs a reset, and a failed repair a new card.
Json memoryHealth(const GpuRecord& gpu)
{
    const auto failed = gpu[GpuField::RowRemapFailure];
    const auto pending = gpu[GpuField::RowRemapPending];
    if (failed.value_or(0) > 0)
        return "replace";
    if (pending.value_or(0) > 0)
        return "reset_needed";
    return failed || pending ? Json("ok") : Json(nullptr);
}

Json reasonsJson(uint32_t mask)
{
    Json list = Json::array();
    for (const ReasonBit& reason : kReasons) {
        if ((mask & reason.bit) != 0)
            list.push_back(std::string(reason.name));
    }
    return list;
}

/// A pod's name where the host's should be: the exporter labels what it believes to run on.
bool isPodName(std::string_view host)
{
    const size_t dash = host.rfind('-');
    return host.find("exporter") != std::string_view::npos && dash != std::string_view::npos &&
           host.size() - dash == 6;
}

Json gpuJson(const GpuRecord& gpu)
{
    const auto value = [&](GpuField field) { return valueJson(gpu[field]); };
    Json out;
    out["index"] = gpu.index >= 0 ? Json(gpu.index) : Json(nullptr);
    out["uuid"] = textOrNull(gpu.uuid);
    out["pci"] = textOrNull(gpu.pci);
    out["model"] = textOrNull(gpu.model);
    out["host"] = isPodName(gpu.host) ? Json(nullptr) : textOrNull(gpu.host);
    out["driver"] = textOrNull(gpu.driver);
    out["pod"] = gpu.pods.size() == 1 ? textJson(gpu.pods.front()) : Json(nullptr);
    out["pods"] = textsJson(gpu.pods);
    out["temp_c"] = value(GpuField::CoreTemperature);
    out["mem_temp_c"] = value(GpuField::MemoryTemperature);
    out["power_w"] = rangeJson(gpu, GpuField::PowerWatts);
    out["energy_j"] = value(GpuField::EnergyJoules);
    out["util_pct"] = value(GpuField::UtilizationPercent);
    out["mem_copy_pct"] = value(GpuField::MemoryCopyPercent);
    out["fan_pct"] = value(GpuField::FanPercent);
    out["mem_used_mib"] = value(GpuField::MemoryUsedMib);
    out["mem_free_mib"] = value(GpuField::MemoryFreeMib);
    out["mem_total_mib"] = valueJson(gpu.memoryTotalMib());
    out["mem_used_ratio"] = value(GpuField::MemoryUsedRatio);
    out["sm_clock_mhz"] = value(GpuField::SmClockMhz);
    out["mem_clock_mhz"] = value(GpuField::MemoryClockMhz);
    out["xid_last"] = value(GpuField::LastXid);
    out["engine_active"] = value(GpuField::EngineActive);
    out["sm_active"] = value(GpuField::SmActive);
    out["sm_occupancy"] = value(GpuField::SmOccupancy);
    out["tensor_active"] = value(GpuField::TensorActive);
    out["dram_active"] = value(GpuField::DramActive);
    out["pcie_tx_bps"] = value(GpuField::PcieTransmitBytes);
    out["pcie_rx_bps"] = value(GpuField::PcieReceiveBytes);
    out["nvlink_tx_bps"] = value(GpuField::NvlinkTransmitBytes);
    out["nvlink_rx_bps"] = value(GpuField::NvlinkReceiveBytes);
    out["nvlink_bytes"] = value(GpuField::NvlinkTotal);
    out["pcie_replay"] = value(GpuField::PcieReplays);
    out["ecc_dbe"] = value(GpuField::EccDoubleBit);
    out["remapped_uncorrectable"] = value(GpuField::RemappedUncorrectable);
    out["remapped_correctable"] = value(GpuField::RemappedCorrectable);
    out["memory"] = memoryHealth(gpu);
    if (!gpu.linkRecoveriesFailed.empty()) {
        out["nvlink_recovery_failed"] = Json::object();
        for (const auto& [link, count] : gpu.linkRecoveriesFailed)
            out["nvlink_recovery_failed"][text::validUtf8(link)] = numberJson(count);
    }
    if (!gpu.instances.empty()) {
        out["instances"] = Json::object();
        for (const telemetry::MigInstance& instance : gpu.instances)
            out["instances"][text::validUtf8(instance.id)] = valueJson(instance.engineActive);
    }
    return out;
}

void writeReasons(const GpuPage& page, Json& out)
{
    Json reasons = Json::object();
    Json throttled = Json::array();
    for (const GpuRecord& gpu : page.gpus) {
        const std::string key =
            gpu.index >= 0 ? std::to_string(gpu.index) : text::validUtf8(gpu.uuid);
        const auto mask = gpu[GpuField::ClockReasons];
        reasons[key] = mask ? reasonsJson(uint32_t(*mask)) : Json(nullptr);
        if (mask && (uint32_t(*mask) & kHardwareReasons) != 0)
            throttled.push_back(gpu.index >= 0 ? Json(gpu.index) : Json(key));
    }
    out["reasons"] = reasons;
    out["throttled_by_hardware"] = throttled;
}

void writeSums(const GpuPage& page, Json& out)
{
    double power = 0;
    double utilization = 0;
    int powered = 0;
    int utilized = 0;
    size_t instances = 0;
    for (const GpuRecord& gpu : page.gpus) {
        if (const auto& watts = gpu.values[size_t(GpuField::PowerWatts)]) {
            power += (watts->lowest + watts->highest) / 2;
            ++powered;
        }
        if (const auto percent = gpu[GpuField::UtilizationPercent]) {
            utilization += *percent;
            ++utilized;
        }
        instances += gpu.instances.size();
    }
    out["gpus_total"] = page.gpus.size();
    out["mig_instances"] = instances;
    out["node_power_w"] = powered > 0 ? numberJson(power) : Json(nullptr);
    out["node_power_w_about"] =
        powered > 0 ? numberJson(std::round(power * 10) / 10) : Json(nullptr);
    out["util_mean_pct"] = utilized > 0 ? numberJson(utilization / utilized) : Json(nullptr);
}

Json partsJson(const std::vector<telemetry::OtherPart>& parts)
{
    Json list = Json::array();
    for (const telemetry::OtherPart& part : parts)
        list.push_back({{"id", textJson(part.id)}, {"temp_c", valueJson(part.temperatureCelsius)}});
    return list;
}

}  // namespace

void writeGpus(const GpuPage& page, Json& out)
{
    out["gpus"] = Json::array();
    bool isOfPod = false;
    std::string host;
    for (const GpuRecord& gpu : page.gpus) {
        out["gpus"].push_back(gpuJson(gpu));
        isOfPod = isOfPod || isPodName(gpu.host);
        host = host.empty() ? gpu.host : host;
    }
    const bool isUnknown = isOfPod || host.empty();
    out["host_is"] =
        isUnknown ? Json("unknown from the body: use the target or instance") : textJson(host);
    writeSums(page, out);
    writeReasons(page, out);
    out["nvswitches"] = partsJson(page.switches);
    out["cpus"] = partsJson(page.cpus);
    out["unknown"] = page.unknown;
    out["implausible"] = page.implausible;
    out["implausible_util"] = page.implausibleUtilization;
}

}  // namespace yard::ctl
