#include "backend/telemetry/gpu_page.h"

#include <algorithm>
#include <charconv>

#include "backend/base/text.h"

namespace yard::telemetry {
namespace {

using domain::GpuMetric;

float orNoReading(std::optional<double> value, double scale = 1)
{
    return value ? float(*value * scale) : domain::kNoReading;
}

/// "3g.20gb" is three slices of a card.
double slicesOf(const MigInstance& instance)
{
    const size_t length = instance.profile.find('g');
    return text::number<int>(std::string_view(instance.profile).substr(0, length)).value_or(1);
}

/// A ratio of the card: as it stands, or the mean of its instances weighed by their size.
std::optional<double> ratioOf(const GpuRecord& gpu, GpuField field,
                              std::optional<double> MigInstance::*part)
{
    if (gpu.instances.empty())
        return gpu[field];
    double sum = 0;
    double slices = 0;
    for (const MigInstance& instance : gpu.instances) {
        if (!(instance.*part))
            continue;
        sum += *(instance.*part) * slicesOf(instance);
        slices += slicesOf(instance);
    }
    return slices > 0 ? std::optional(sum / slices) : std::nullopt;
}

std::optional<double> nvlinkRate(const GpuRecord& gpu)
{
    const auto sent = gpu[GpuField::NvlinkTransmitBytes];
    const auto received = gpu[GpuField::NvlinkReceiveBytes];
    return sent && received ? std::optional(*sent + *received) : std::nullopt;
}

domain::GpuReading readingOf(const GpuRecord& gpu)
{
    domain::GpuReading reading;
    reading.index = gpu.index;
    reading.uuid = gpu.uuid;
    reading.pci = gpu.pci;
    reading.model = gpu.model;
    const auto engine = ratioOf(gpu, GpuField::EngineActive, &MigInstance::engineActive);
    const auto utilization = gpu[GpuField::UtilizationPercent];
    const auto sm = ratioOf(gpu, GpuField::SmActive, &MigInstance::smActive);
    const auto tensor = ratioOf(gpu, GpuField::TensorActive, &MigInstance::tensorActive);
    reading[GpuMetric::SmActivity] = orNoReading(sm, 100);
    // Under MIG, GPU_UTIL is absent or 0; how long the engine was busy says the same.
    const bool useEngine = engine && (!utilization || !gpu.instances.empty());
    reading[GpuMetric::GpuUtilization] =
        useEngine ? orNoReading(engine, 100) : orNoReading(utilization);
    reading[GpuMetric::TensorActivity] = orNoReading(tensor, 100);
    reading[GpuMetric::MemoryUsed] = orNoReading(gpu[GpuField::MemoryUsedMib]);
    reading[GpuMetric::MemoryTotal] = orNoReading(gpu.memoryTotalMib());
    reading[GpuMetric::Power] = orNoReading(gpu[GpuField::PowerWatts]);
    reading[GpuMetric::CoreTemperature] = orNoReading(gpu[GpuField::CoreTemperature]);
    reading[GpuMetric::MemoryTemperature] = orNoReading(gpu[GpuField::MemoryTemperature]);
    reading[GpuMetric::SmClock] = orNoReading(gpu[GpuField::SmClockMhz]);
    reading[GpuMetric::NvlinkBandwidth] = orNoReading(nvlinkRate(gpu));
    reading[GpuMetric::Energy] = orNoReading(gpu[GpuField::EnergyJoules]);
    reading[GpuMetric::LastXid] = orNoReading(gpu[GpuField::LastXid]);
    return reading;
}

/// Hexadecimal digits up to `end`, as a number.
std::optional<unsigned> hexBefore(std::string_view& text, char end, size_t most)
{
    const size_t length = std::min(text.find(end), text.size());
    unsigned value = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + length, value, 16);
    if (length == 0 || length > most || error != std::errc() || rest != text.data() + length)
        return std::nullopt;
    text.remove_prefix(std::min(length + 1, text.size()));
    return value;
}

void appendHex(std::string& text, unsigned value, size_t width)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (; value != 0 || digits.size() < width; value >>= 4)
        digits.insert(digits.begin(), kDigits[value & 15]);
    text += digits;
}

}  // namespace

std::optional<double> GpuRecord::operator[](GpuField field) const
{
    const auto& value = values[size_t(field)];
    return value ? std::optional(value->first) : std::nullopt;
}

std::optional<double> GpuRecord::memoryTotalMib() const
{
    const GpuRecord& self = *this;
    if (const auto total = self[GpuField::MemoryTotalMib])
        return total;
    const auto free = self[GpuField::MemoryFreeMib];
    const auto used = self[GpuField::MemoryUsedMib];
    // Exporters of old have no reserved part; there it counts as used.
    return free && used
               ? std::optional(*free + *used + self[GpuField::MemoryReservedMib].value_or(0))
               : std::nullopt;
}

domain::HostReadings gpuReadings(const GpuPage& page, std::string_view host, Time at)
{
    domain::HostReadings readings;
    readings.host = std::string(host);
    readings.at = at;
    readings.gpus.reserve(page.gpus.size());
    for (const GpuRecord& gpu : page.gpus)
        readings.gpus.push_back(readingOf(gpu));
    return readings;
}

std::string pciAddress(std::string_view text)
{
    text = text::trimmed(text);
    const size_t colons = size_t(std::count(text.begin(), text.end(), ':'));
    if (colons != 1 && colons != 2)
        return {};
    const auto domain = colons == 2 ? hexBefore(text, ':', 8) : std::optional(0U);
    const auto bus = hexBefore(text, ':', 2);
    const auto device = hexBefore(text, '.', 2);
    const auto function = text.empty() ? std::optional(0U) : hexBefore(text, '.', 1);
    if (!domain || !bus || !device || !function || !text.empty())
        return {};
    std::string address;
    appendHex(address, *domain, 4);
    address += ':';
    appendHex(address, *bus, 2);
    address += ':';
    appendHex(address, *device, 2);
    address += '.';
    appendHex(address, *function, 1);
    return address;
}

}  // namespace yard::telemetry
