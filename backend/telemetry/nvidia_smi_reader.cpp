#include "backend/telemetry/nvidia_smi_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

struct Family {
    std::string_view name;
    GpuField field;
    double scale;
    double most;
};

constexpr double kMib = 1.0 / (1024 * 1024);
constexpr Family kFamilies[] = {
    {"nvidia_smi_temperature_gpu", GpuField::CoreTemperature, 1, 250},
    {"nvidia_smi_temperature_memory", GpuField::MemoryTemperature, 1, 250},
    {"nvidia_smi_power_draw_watts", GpuField::PowerWatts, 1, 100'000},
    {"nvidia_smi_utilization_gpu_ratio", GpuField::UtilizationPercent, 100, 100.1},
    {"nvidia_smi_utilization_memory_ratio", GpuField::MemoryCopyPercent, 100, 100.1},
    {"nvidia_smi_memory_used_bytes", GpuField::MemoryUsedMib, kMib, 16.0 * 1024 * 1024},
    {"nvidia_smi_memory_free_bytes", GpuField::MemoryFreeMib, kMib, 16.0 * 1024 * 1024},
    {"nvidia_smi_memory_total_bytes", GpuField::MemoryTotalMib, kMib, 16.0 * 1024 * 1024},
    {"nvidia_smi_memory_reserved_bytes", GpuField::MemoryReservedMib, kMib, 16.0 * 1024 * 1024},
    {"nvidia_smi_clocks_current_sm_clock_hz", GpuField::SmClockMhz, 1e-6, 100'000},
    {"nvidia_smi_clocks_current_memory_clock_hz", GpuField::MemoryClockMhz, 1e-6, 100'000},
    {"nvidia_smi_fan_speed_ratio", GpuField::FanPercent, 100, 1000},
    {"nvidia_smi_ecc_errors_uncorrected_volatile_total", GpuField::EccDoubleBit, 1, 1e15},
    {"nvidia_smi_remapped_rows_pending", GpuField::RowRemapPending, 1, 1},
    {"nvidia_smi_remapped_rows_failure", GpuField::RowRemapFailure, 1, 1},
    {"nvidia_smi_remapped_rows_uncorrectable", GpuField::RemappedUncorrectable, 1, 1e9},
    {"nvidia_smi_remapped_rows_correctable", GpuField::RemappedCorrectable, 1, 1e9},
};

const Family* familyOf(std::string_view name)
{
    const auto* const found =
        std::find_if(std::begin(kFamilies), std::end(kFamilies),
                     [&](const Family& family) { return family.name == name; });
    return found == std::end(kFamilies) ? nullptr : found;
}

bool isText(std::string_view value)
{
    return !value.empty() && value.front() != '[' && value != "N/A";
}

void describe(GpuRecord& gpu, const Exposition& exposition, const ExpositionSample& sample)
{
    if (const auto name = exposition.label(sample, "name"); isText(name))
        gpu.model = std::string(name);
    if (const auto driver = exposition.label(sample, "driver_version"); isText(driver))
        gpu.driver = std::string(driver);
    if (const auto bus = exposition.label(sample, "pci_bus_id"); isText(bus))
        gpu.pci = pciAddress(bus);
    if (const auto index = text::number<int>(exposition.label(sample, "index")))
        gpu.index = *index;
}

void addValue(GpuPage& page, GpuRecord& gpu, const Family& family, double raw)
{
    const double value = raw * family.scale;
    if (isDcgmBlank(raw, true)) {
        ++page.unknown;
    } else if (value < 0 || value > family.most) {
        ++page.implausible;
        page.implausibleUtilization += family.field == GpuField::UtilizationPercent ? 1 : 0;
    } else if (!gpu.values[size_t(family.field)]) {
        // 0.98 * 100 is not 98 to the last bit; the exporter had whole percents.
        const double shown = family.scale == 100 ? std::round(value * 1e6) / 1e6 : value;
        gpu.values[size_t(family.field)] = GpuValue{shown, shown, shown};
    }
}

}  // namespace

GpuPage readNvidiaSmi(const Exposition& exposition)
{
    GpuPage page;
    std::map<std::string_view, size_t> places;
    for (const ExpositionSample& sample : exposition.samples) {
        const Family* const family = familyOf(sample.name);
        const std::string_view uuid = exposition.label(sample, "uuid");
        const bool isInfo = sample.name == "nvidia_smi_gpu_info";
        const bool isIndex = sample.name == "nvidia_smi_index";
        if (uuid.empty() || (family == nullptr && !isInfo && !isIndex))
            continue;
        const auto [place, isNew] = places.emplace(uuid, page.gpus.size());
        if (isNew)
            page.gpus.emplace_back().uuid =
                (text::upperCase(uuid.substr(0, 4)) == "GPU-" ? "" : "GPU-") + std::string(uuid);
        GpuRecord& gpu = page.gpus[place->second];
        if (isInfo)
            describe(gpu, exposition, sample);
        else if (isIndex && sample.value >= 0 && sample.value < 1024)
            gpu.index = int(sample.value);
        else if (family != nullptr)
            addValue(page, gpu, *family, sample.value);
    }
    std::stable_sort(page.gpus.begin(), page.gpus.end(),
                     [](const GpuRecord& a, const GpuRecord& b) { return a.index < b.index; });
    return page;
}

bool isNvidiaSmi(const Exposition& exposition)
{
    return std::any_of(
        exposition.samples.begin(), exposition.samples.end(),
        [](const ExpositionSample& sample) { return sample.name.starts_with("nvidia_smi_"); });
}

Scrape nvidiaSmiReadings(const Exposition& exposition, std::string_view host, Time at)
{
    Scrape scrape;
    scrape.hosts.push_back(gpuReadings(readNvidiaSmi(exposition), host, at));
    scrape.samples = exposition.samples.size();
    scrape.badLines = exposition.badLines;
    scrape.firstBadLine = firstBadSentence(exposition);
    return scrape;
}

}  // namespace yard::telemetry
