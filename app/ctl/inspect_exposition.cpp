#include <algorithm>
#include <set>

#include "app/ctl/inspect_gpus.h"
#include "app/ctl/inspect_values.h"
#include "backend/telemetry/dcgm_reader.h"
#include "backend/telemetry/ipmi_reader.h"
#include "backend/telemetry/node_exporter_reader.h"
#include "backend/telemetry/nvidia_smi_reader.h"

namespace yard::ctl {
namespace {

using namespace telemetry;

constexpr size_t kMaxListedSamples = 10'000;

Json sampleJson(const Exposition& exposition, const ExpositionSample& sample)
{
    Json out;
    Json labels = Json::object();
    for (const Label& label : exposition.labels(sample))
        labels[text::validUtf8(label.name)] = textJson(label.value);
    out["name"] = textJson(sample.name);
    out["value"] = numberJson(sample.value);
    if (sample.timestampMs)
        out["ts_ms"] = *sample.timestampMs;
    for (const auto& [key, value] : labels.items()) {
        if (!out.contains(key) && key != "labels")
            out[key] = value;
    }
    out["labels"] = std::move(labels);
    return out;
}

void writeSamples(const Exposition& exposition, bool isList, Json& out)
{
    double sum = 0;
    std::set<std::string_view> families;
    for (const ExpositionSample& sample : exposition.samples) {
        sum += sample.value;
        families.insert(sample.name);
    }
    const size_t count = exposition.samples.size();
    if (isList && count <= kMaxListedSamples) {
        out["samples"] = Json::array();
        for (const ExpositionSample& sample : exposition.samples)
            out["samples"].push_back(sampleJson(exposition, sample));
    } else {
        out["samples"] = count;
    }
    out["count"] = count;
    out["families"] = families.size();
    out["sum"] = numberJson(sum);
    Json help = Json::object();
    for (const FamilyHelp& family : exposition.help)
        help[text::validUtf8(family.name)] = textJson(family.text);
    if (isList)
        out["help"] = help;
}

void writeBadLines(const Exposition& exposition, Json& out)
{
    if (exposition.badLines > exposition.firstBad.size()) {
        out["bad_lines"] = exposition.badLines;
    } else {
        out["bad_lines"] = Json::array();
        for (const BadLine& bad : exposition.firstBad)
            out["bad_lines"].push_back(bad.line);
    }
    if (exposition.badLines > 0)
        out["first_bad"] = textJson(firstBadSentence(exposition));
}

/// A family that is named but has no sample was not read: its value is null, never 0.
void addCutGpu(const Exposition& exposition, Exposition& shown)
{
    if (!exposition.cutSample)
        return;
    shown.samples.push_back(*exposition.cutSample);
}

void writeIpmi(const Exposition& exposition, Json& out)
{
    const IpmiPage page = readIpmi(exposition);
    out["inlet_c"] = valueJson(page.inletCelsius);
    out["node_power_w"] = valueJson(page.powerWatts);
    out["up"] = page.isUp();
    out["collectors"] = page.collectors;
    out["sensors"] = Json::object();
    out["fan_rpm"] = Json::object();
    for (const IpmiSensor& sensor : page.sensors) {
        const std::string name = text::validUtf8(sensor.name);
        out["sensors"][name] = textJson(telemetry::name(sensor.state));
        if (sensor.type == "fan")
            out["fan_rpm"][name] = valueJson(sensor.value);
        std::string lower = text::lowerCase(name);
        if (sensor.type == "temperature" && lower.starts_with("gpu")) {
            lower = lower.substr(0, lower.find(' '));
            out[lower + "_temp_c"] = valueJson(sensor.value);
        }
    }
}

void writeNode(const Exposition& exposition, Json& out)
{
    const NodePage page = readNodeExporter(exposition);
    out["load1"] = valueJson(page.load1);
    out["mem_total_mib"] = valueJson(page.memoryTotalMib);
    out["mem_available_mib"] = valueJson(page.memoryAvailableMib);
    out["boot_time"] = valueJson(page.bootTimeSeconds);
    out["cpu_s"] = valueJson(page.cpuSeconds);
    out["cpu_idle_s"] = valueJson(page.cpuIdleSeconds);
    out["ib_rx_bytes"] = valueJson(page.infinibandReceivedBytes);
    out["ib_tx_bytes"] = valueJson(page.infinibandTransmittedBytes);
}

void writeContent(std::string_view kind, const Exposition& exposition, Json& out)
{
    const bool isText = kind == "expo.text";
    writeSamples(exposition, isText, out);
    writeBadLines(exposition, out);
    out["complete"] = exposition.isComplete;
    if (isText)
        return;
    Exposition withCut = exposition;
    addCutGpu(exposition, withCut);
    if (kind == "expo.ipmi" || isIpmi(exposition))
        writeIpmi(exposition, out);
    else if (kind == "expo.node" || isNodeExporter(exposition))
        writeNode(exposition, out);
    else if (kind == "expo.nvidia_smi" || isNvidiaSmi(withCut))
        writeGpus(readNvidiaSmi(withCut), out);
    else
        writeGpus(readDcgm(withCut), out);
}

}  // namespace

void inspectExposition(std::string_view kind, const Input& input, Json& out)
{
    const Exposition exposition = scanExposition(input.body);
    const Status status = checkExposition(input.body, exposition);
    if (!status.ok())
        out["error"] = textJson(std::string(status.message()));
    if (status.ok() || absl::IsDataLoss(status)) {
        writeContent(kind, exposition, out);
        return;
    }
    out["samples"] = Json::array();
    out["gpus"] = Json::array();
    out["bad_lines"] = exposition.badLines;
}

}  // namespace yard::ctl
