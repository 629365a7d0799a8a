#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

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
    node.reason = text::validUtf8(text);
    const size_t open = text.rfind(" [");
    if (open == std::string_view::npos || !text.ends_with(']'))
        return;
    const std::string_view inner = text.substr(open + 2, text.size() - open - 3);
    const size_t at = inner.rfind('@');
    if (at == std::string_view::npos)
        return;
    const TimeText time = readTime(inner.substr(at + 1));
    node.reason = text::validUtf8(text::trimmed(text.substr(0, open)));
    node.reasonUser = text::validUtf8(inner.substr(0, at));
    node.reasonTime = time.at;
    record.reasonTimeLocal = time.local;
}

/// All but the TRES stand before the state. With an open end the last value may be half, and the
/// TRES in use must have their end.
std::vector<std::vector<std::string_view>> neededKeys(bool isOpen)
{
    if (!isOpen)
        return {};
    return {{"CapWatts", "CurrentWatts", "ExtSensorsJoules", "Reason", "Comment", "Extra"}};
}

void readGpus(const Fields& fields, const std::string& where, NodeRecord& record,
              domain::ReadNotes& notes)
{
    domain::Node& node = record.node;
    const Gres gres = readGres(get(fields, "Gres"));
    node.gpusTotal = gres.gpus();
    node.gpuType = gres.gpuType();
    noteOdd(gres, where, notes);
    record.knowsGpusTotal = fields.contains("Gres") && (gres.isGood || node.gpusTotal > 0);
    if (fields.contains("GresUsed")) {
        const Gres used = readGres(get(fields, "GresUsed"));
        noteOdd(used, where, notes);
        node.gpusAllocated = used.gpus();
        node.gpuIndicesInUse = used.gpuIndices();
        record.knowsGpusAllocated = used.isGood || node.gpusAllocated > 0;
    } else if (fields.contains("AllocTRES")) {
        // Without accounting of GPUs no TRES string names them; then only a node in use is unclear.
        const Tres used = readTres(get(fields, "AllocTRES"));
        const Tres all = readTres(get(fields, "CfgTRES"));
        noteOdd(used, where, notes);
        noteOdd(all, where, notes);
        node.gpusAllocated = used.gpus();
        record.knowsGpusAllocated =
            (used.isGood || node.gpusAllocated > 0) &&
            (all.gpus() > 0 || node.gpusTotal == 0 || !used.cpus.value_or(0));
    }
}

NodeRecord recordOf(const Fields& fields, const std::string& where, domain::ReadNotes& notes)
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
    readGpus(fields, where, record, notes);
    readReason(get(fields, "Reason"), record);
    record.gpusReported = node.hasFlag("INVALID_REG") ? gpusReportedIn(node.reason) : std::nullopt;
    for (const std::string_view partition : text::split(get(fields, "Partitions"), ",")) {
        if (!partition.empty())
            node.partitions.emplace_back(partition);
    }
    node.reservation = std::string(get(fields, "ReservationName"));
    node.comment = text::validUtf8(get(fields, "Comment"));
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

NodesRead readNodeRecords(std::string_view output)
{
    NodesRead result;
    RecordLines lines(output);
    std::unordered_map<std::string, uint32_t> seen;
    for (const std::string_view text : recordsOf(output, "NodeName=")) {
        const uint32_t line = lines.of(text);
        const std::string where = fmt::format("scontrol show node, line {}", line);
        const Fields fields = readScontrolFields(text, nodeKeys());
        const std::string missing = get(fields, "State").empty()
                                        ? "State"
                                        : cutAt(fields, neededKeys(isOpen(text, output)));
        const std::string name(get(fields, "NodeName"));
        const auto skip = [&](const std::string& why) {
            result.badLines.push_back(line);
            result.notes.add(fmt::format("{}: {} It was skipped.", where, why));
        };
        if (name.empty())
            skip("a node without a name.");
        else if (!missing.empty())
            skip(fmt::format("the record of {} is cut: it has no {}.", text::validUtf8(name),
                             missing));
        else if (const auto [first, isNew] = seen.emplace(name, line); !isNew)
            skip(fmt::format("{} again, as in line {}.", text::validUtf8(name), first->second));
        else
            result.nodes.push_back(recordOf(fields, where, result.notes));
    }
    return result;
}

StatusOr<NodesRead> readScontrolNodes(std::string_view output)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    NodesRead result = readNodeRecords(output);
    if (result.nodes.empty())
        return absl::InvalidArgumentError(result.badLines.empty() ? "the output is no list of nodes"
                                                                  : result.notes.firstBad);
    return result;
}

}  // namespace yard::scheduler::slurm
