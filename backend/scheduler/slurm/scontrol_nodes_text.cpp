#include <charconv>
#include <unordered_set>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using Fields = std::map<std::string, std::string, std::less<>>;

const std::vector<std::string_view>& nodeKeys()
{
    static const std::vector<std::string_view> keys{"NodeName",
                                                    "Arch",
                                                    "CoresPerSocket",
                                                    "CPUAlloc",
                                                    "CPUEfctv",
                                                    "CPUErr",
                                                    "CPUTot",
                                                    "CPULoad",
                                                    "AvailableFeatures",
                                                    "ActiveFeatures",
                                                    "Features",
                                                    "Gres",
                                                    "GresDrain",
                                                    "GresUsed",
                                                    "NodeAddr",
                                                    "NodeHostName",
                                                    "Port",
                                                    "Version",
                                                    "OS",
                                                    "RealMemory",
                                                    "AllocMem",
                                                    "FreeMem",
                                                    "Sockets",
                                                    "Boards",
                                                    "CoreSpecCount",
                                                    "CPUSpecList",
                                                    "MemSpecLimit",
                                                    "State",
                                                    "NextState",
                                                    "ThreadsPerCore",
                                                    "TmpDisk",
                                                    "Weight",
                                                    "Owner",
                                                    "MCS_label",
                                                    "Partitions",
                                                    "BootTime",
                                                    "SlurmdStartTime",
                                                    "LastBusyTime",
                                                    "ResumeAfterTime",
                                                    "CfgTRES",
                                                    "AllocTRES",
                                                    "CapWatts",
                                                    "CurrentWatts",
                                                    "AveWatts",
                                                    "LowestJoules",
                                                    "ConsumedJoules",
                                                    "ExtSensorsJoules",
                                                    "ExtSensorsWatts",
                                                    "ExtSensorsTemp",
                                                    "Reason",
                                                    "Comment",
                                                    "Extra",
                                                    "InstanceId",
                                                    "InstanceType",
                                                    "ReservationName",
                                                    "BcastAddr",
                                                    "Topology",
                                                    "GpuSpec",
                                                    "ResCoresPerGPU"};
    return keys;
}

std::string_view get(const Fields& fields, std::string_view key)
{
    const auto found = fields.find(key);
    if (found == fields.end() || found->second == "N/A" || found->second == "(null)" ||
        found->second == "n/a" || found->second == "n/s")
        return {};
    return found->second;
}

/// "Not responding [slurm@2024-02-11T06:01:02]": text, who and when.
void readReason(std::string_view text, NodeRecord& record)
{
    domain::Node& node = record.node;
    node.reason = std::string(text);
    const size_t open = text.rfind(" [");
    if (open == std::string_view::npos || !text.ends_with(']'))
        return;
    const std::string_view inner = text.substr(open + 2, text.size() - open - 3);
    const size_t at = inner.rfind('@');
    if (at == std::string_view::npos)
        return;
    const TimeText time = readTime(inner.substr(at + 1));
    node.reason = std::string(text::trimmed(text.substr(0, open)));
    node.reasonUser = std::string(inner.substr(0, at));
    node.reasonTime = time.at;
    record.reasonTimeLocal = time.local;
}

void readGpus(const Fields& fields, NodeRecord& record)
{
    domain::Node& node = record.node;
    const Gres gres = readGres(get(fields, "Gres"));
    node.gpusTotal = gres.gpus();
    node.gpuType = gres.gpuType();
    record.knowsGpusTotal = fields.contains("Gres");
    if (fields.contains("GresUsed")) {
        const Gres used = readGres(get(fields, "GresUsed"));
        node.gpusAllocated = used.gpus();
        node.gpuIndicesInUse = used.gpuIndices();
        record.knowsGpusAllocated = true;
    } else if (fields.contains("AllocTRES")) {
        // Without accounting of GPUs no TRES string names them; then only a node in use is unclear.
        const Tres used = readTres(get(fields, "AllocTRES"));
        const Tres all = readTres(get(fields, "CfgTRES"));
        node.gpusAllocated = used.gpus();
        record.knowsGpusAllocated = all.gpus() > 0 || node.gpusTotal == 0 || !used.cpus.value_or(0);
    }
}

NodeRecord recordOf(const Fields& fields)
{
    NodeRecord record;
    domain::Node& node = record.node;
    const NodeWords words = readNodeState(get(fields, "State"));
    node.name = std::string(get(fields, "NodeName"));
    node.state = words.state;
    node.flags = words.flags;
    node.stateText = std::string(get(fields, "State"));
    record.category = words.category;
    node.cpusTotal = text::number<int>(get(fields, "CPUTot"));
    node.cpusAllocated = text::number<int>(get(fields, "CPUAlloc"));
    const std::string_view load = get(fields, "CPULoad");
    double value = 0;
    if (!load.empty() && text::isDigit(load.front()) &&
        std::from_chars(load.data(), load.data() + load.size(), value).ec == std::errc())
        node.cpuLoad = value;
    node.memoryTotalMib = text::number<int64_t>(get(fields, "RealMemory"));
    node.memoryAllocatedMib = text::number<int64_t>(get(fields, "AllocMem"));
    node.memoryFreeMib = text::number<int64_t>(get(fields, "FreeMem"));
    readGpus(fields, record);
    readReason(get(fields, "Reason"), record);
    record.gpusReported = node.hasFlag("INVALID_REG") ? gpusReportedIn(node.reason) : std::nullopt;
    for (const std::string_view partition : text::split(get(fields, "Partitions"), ",")) {
        if (!partition.empty())
            node.partitions.emplace_back(partition);
    }
    node.reservation = std::string(get(fields, "ReservationName"));
    node.comment = std::string(get(fields, "Comment"));
    node.version = std::string(get(fields, "Version"));
    const TimeText boot = readTime(get(fields, "BootTime"));
    node.bootTime = boot.at;
    record.bootTimeLocal = boot.local;
    const auto watts = text::number<int>(get(fields, "CurrentWatts"));
    if (watts && *watts > 0)
        record.powerWatts = *watts;
    return record;
}

}  // namespace

StatusOr<NodesRead> readScontrolNodes(std::string_view output)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    NodesRead result;
    std::unordered_set<std::string> seen;
    for (const std::string_view record : recordsOf(output, "NodeName=")) {
        NodeRecord node = recordOf(readScontrolFields(record, nodeKeys()));
        if (node.node.name.empty() || node.node.stateText.empty())
            result.notes.add("scontrol: a node without name or state. It was skipped.");
        else if (seen.insert(node.node.name).second)
            result.nodes.push_back(std::move(node));
    }
    if (result.nodes.empty())
        return absl::InvalidArgumentError("the output is no list of nodes");
    return result;
}

}  // namespace yard::scheduler::slurm
