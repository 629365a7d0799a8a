#include "backend/telemetry/sources/page_interpreter.h"

#include <cmath>

#include "backend/telemetry/dcgm_reader.h"
#include "backend/telemetry/ipmi_reader.h"
#include "backend/telemetry/nvidia_smi_reader.h"

namespace yard::telemetry {
namespace {

using domain::GpuMetric;

// The unit of DCGM's NVLink counter. Exporters with the PROF fields, which have bytes per second
// themselves, do not come here.
constexpr double kLinkCounterBytes = 1024.0 * 1024.0;
constexpr size_t kMaxLinks = 4096;

void fillGaps(std::array<float, domain::kNodeMetricCount>& into,
              const std::array<float, domain::kNodeMetricCount>& from)
{
    for (size_t i = 0; i < into.size(); ++i)
        if (std::isnan(into[i]))
            into[i] = from[i];
}

double secondsBetween(Time before, Time now)
{
    return std::chrono::duration<double>(now - before).count();
}

}  // namespace

StatusOr<domain::HostReadings> PageInterpreter::read(const Exposition& exposition,
                                                     std::string_view host, Time at)
{
    domain::HostReadings readings;
    readings.host = std::string(host);
    readings.at = at;
    std::string_view kind;
    const auto found = [&kind](std::string_view name) {
        if (kind.empty())
            kind = name;
    };
    if (isDcgm(exposition)) {
        found("dcgm");
        const GpuPage page = readDcgm(exposition);
        readings = gpuReadings(page, host, at);
        for (size_t i = 0; i < readings.gpus.size(); ++i) {
            const auto total = page.gpus[i][GpuField::NvlinkTotal];
            if (total && std::isnan(readings.gpus[i][GpuMetric::NvlinkBandwidth]))
                addLinkRate(readings.gpus[i], *total, at);
        }
    } else if (isNvidiaSmi(exposition)) {
        found("nvidia_smi");
        readings = gpuReadings(readNvidiaSmi(exposition), host, at);
    }
    if (isNodeExporter(exposition)) {
        found("node");
        addNode(exposition, readings);
    }
    if (isIpmi(exposition)) {
        found("ipmi");
        fillGaps(readings.node, ipmiReadings(readIpmi(exposition)));
    }
    if (kind.empty())
        return absl::InvalidArgumentError(
            "the page holds no family of dcgm-exporter, nvidia_gpu_exporter, node_exporter or "
            "ipmi_exporter");
    m_kind = kind;
    return readings;
}

void PageInterpreter::addNode(const Exposition& exposition, domain::HostReadings& readings)
{
    const NodePage page = readNodeExporter(exposition);
    const double seconds = m_nodeBefore ? secondsBetween(m_nodeBeforeAt, readings.at) : 0;
    const bool isNew = !m_nodeBefore || seconds > 0;
    fillGaps(readings.node,
             nodeReadings(page, m_nodeBefore && isNew ? &*m_nodeBefore : nullptr, seconds));
    if (!isNew) {
        // The same measurement once more, as a server gives it between two scrapes of its own.
        fillGaps(readings.node, m_nodeRates);
        return;
    }
    m_nodeRates = readings.node;
    m_nodeBefore = page;
    m_nodeBeforeAt = readings.at;
}

void PageInterpreter::addLinkRate(domain::GpuReading& reading, double total, Time at)
{
    const std::string key =
        reading.uuid.empty() ? std::to_string(reading.index) : reading.uuid.str();
    const auto found = m_links.find(key);
    if (found == m_links.end()) {
        if (m_links.size() < kMaxLinks)
            m_links.emplace(key, Link{total, at});
        return;
    }
    Link& link = found->second;
    const double seconds = secondsBetween(link.at, at);
    if (seconds > 0) {
        // A counter that fell was set to zero, by a reboot or a reload of the driver.
        link.bytesPerSecond = total >= link.total
                                  ? float((total - link.total) * kLinkCounterBytes / seconds)
                                  : domain::kNoReading;
        link.total = total;
        link.at = at;
    }
    reading[GpuMetric::NvlinkBandwidth] = link.bytesPerSecond;
}

}  // namespace yard::telemetry
