#include <set>

#include "app/ctl/inspect_values.h"
#include "backend/telemetry/dcgm_reader.h"
#include "backend/telemetry/kernel_lines.h"
#include "backend/telemetry/xid_table.h"

namespace yard::ctl {
namespace {

using namespace telemetry;
using domain::FaultKind;

Json timeJson(const KernelEvent& event)
{
    if (event.at)
        return utcText(*event.at);
    if (event.bootMicroseconds)
        return {{"boot_us", *event.bootMicroseconds}};
    return event.localTime.empty() ? Json(nullptr) : Json{{"local", event.localTime}};
}

Json xidJson(const KernelEvent& event)
{
    const XidMeaning* const meaning = xidMeaning(event.code);
    Json out;
    out["line"] = event.line;
    out["xid"] = event.code;
    out["pci"] = textJson(event.pci);
    out["host"] = textOrNull(event.host);
    out["pid"] = valueJson(event.pid);
    out["name"] = textOrNull(event.process);
    out["text"] = textJson(event.text);
    out["time"] = timeJson(event);
    out["known"] = meaning != nullptr;
    out["meaning"] = meaning != nullptr ? textJson(meaning->meaning) : Json(nullptr);
    out["severity"] = textOrNull(event.severity);
    out["unit"] = textOrNull(event.unit);
    out["link"] = valueJson(event.link);
    if (event.code == 154) {
        out["action_from"] = textOrNull(event.actionFrom);
        out["action_to"] = textOrNull(event.actionTo);
        out["action_code"] = valueJson(event.actionCode);
    }
    return out;
}

Json sxidJson(const KernelEvent& event)
{
    return {{"line", event.line},
            {"code", event.code},
            {"severity", textOrNull(event.severity)},
            {"switch", textOrNull(event.device)},
            {"pci", textJson(event.pci)},
            {"host", textOrNull(event.host)},
            {"link", valueJson(event.link)},
            {"text", textJson(event.text)}};
}

Json incidentJson(const KernelIncident& incident)
{
    const domain::Fault& fault = incident.fault;
    const char* const kind = fault.kind == FaultKind::Sxid      ? "sxid"
                             : fault.kind == FaultKind::GpuLost ? "gpu_lost"
                                                                : "xid";
    return {{"kind", kind},
            {"xids", incident.xids},
            {"code", fault.code},
            {"pci", textJson(fault.pci)},
            {"host", textOrNull(fault.host)},
            {"pid", valueJson(fault.pid)},
            {"action", textOrNull(incident.action)},
            {"severity", textOrNull(incident.severity)},
            {"count", fault.count},
            {"text", textJson(fault.text)}};
}

/// What all lines have in common.
Json commonJson(const Json& lines)
{
    Json all = lines.empty() ? Json::object() : lines.front();
    for (const Json& line : lines) {
        for (auto it = all.begin(); it != all.end();) {
            if (line.contains(it.key()) && line[it.key()] == it.value())
                ++it;
            else
                it = all.erase(it);
        }
    }
    return all;
}

void writeEvents(const KernelRead& read, Json& out)
{
    Json lines = Json::array();
    Json sxids = Json::array();
    Json pids = Json::array();
    Json hosts = Json::array();
    Json times = Json::object();
    std::set<std::string> affected;
    std::set<std::string> lost;
    bool has79 = false;
    for (const KernelEvent& event : read.events) {
        if (event.kind == FaultKind::Sxid) {
            if (!event.isContinuation)
                sxids.push_back(sxidJson(event));
            continue;
        }
        affected.insert(event.pci);
        has79 = has79 || event.code == 79;
        if (event.kind == FaultKind::GpuLost || event.code == 79)
            lost.insert(event.pci);
        if (event.kind != FaultKind::Xid)
            continue;
        lines.push_back(xidJson(event));
        pids.push_back(valueJson(event.pid));
        hosts.push_back(textOrNull(event.host));
        times[std::to_string(event.line)] = timeJson(event);
    }
    out["lines"] = lines;
    out["lines_total"] = lines.size();
    out["all"] = commonJson(lines);
    out["pids"] = pids;
    out["hosts"] = hosts;
    out["time"] = times;
    out["xid"] = lines;
    out["sxid"] = sxids;
    out["gpus_affected"] = affected;
    out["gpu_lost"] = lost;
    out["no_79"] = !has79;
}

void writeIncidents(const std::vector<KernelIncident>& incidents, Json& out)
{
    size_t sxids = 0;
    out["incidents"] = Json::array();
    for (const KernelIncident& incident : incidents) {
        out["incidents"].push_back(incidentJson(incident));
        sxids += incident.fault.kind == FaultKind::Sxid ? 1 : 0;
    }
    out["incidents_total"] = incidents.size();
    out["sxid_incidents"] = sxids;
    out["action"] = incidents.empty() ? Json(nullptr) : textOrNull(incidents.front().action);
}

void writeKernel(const KernelRead& read, const std::vector<KernelIncident>& incidents, Json& out)
{
    writeEvents(read, out);
    writeIncidents(incidents, out);
    out["other_lines"] = read.otherLines;
    if (read.badLines == read.badLineNumbers.size())
        out["bad_lines"] = read.badLineNumbers;
    else
        out["bad_lines"] = read.badLines;
    if (read.badLines > 0)
        out["first_bad"] = textJson(read.firstBad);
    if (read.events.empty())
        return;
    const KernelEvent& first = read.events.front();
    out["first_time"] = first.at ? Json(utcText(*first.at)) : Json(nullptr);
    out["time_local"] = textOrNull(first.localTime);
}

}  // namespace

void inspectKernel(const Input& input, Json& out)
{
    const KernelRead read = readKernelLines(input.body);
    writeKernel(read, foldIncidents(read.events), out);
}

/// A kernel log and the exporter's page of the same host: the address tells which card it is.
void inspectKernelJoin(const std::vector<Input>& inputs, Json& out)
{
    inspectKernel(inputs.front(), out);
    if (inputs.size() < 2)
        return;
    const auto exposition = readExposition(inputs[1].body);
    if (!exposition.ok()) {
        out["error"] = textJson(inputs[1].name + ": " + std::string(exposition.status().message()));
        return;
    }
    const GpuPage page = readDcgm(*exposition);
    for (Json& incident : out["incidents"]) {
        incident["gpu"] = nullptr;
        incident["uuid"] = nullptr;
        for (const GpuRecord& gpu : page.gpus) {
            if (gpu.pci.empty() || gpu.pci.substr(0, gpu.pci.rfind('.')) != incident["pci"])
                continue;
            incident["gpu"] = gpu.index >= 0 ? Json(gpu.index) : Json(nullptr);
            incident["uuid"] = textOrNull(gpu.uuid);
        }
    }
}

}  // namespace yard::ctl
