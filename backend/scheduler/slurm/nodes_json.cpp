#include "backend/scheduler/slurm/nodes_json.h"

#include <algorithm>
#include <unordered_set>

#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/json_values.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/tres.h"

namespace yard::scheduler::slurm {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

/// state as one word with state_flags beside it, or as a list with the base state in it.
void readState(object from, domain::Node& node)
{
    NodeWords words;
    for (const std::string_view key : {"state", "state_flags"}) {
        for (const std::string& text : textsAt(from, key)) {
            const NodeWords part = readNodeState(text);
            if (part.state != domain::NodeState::Unknown)
                words.state = part.state;
            for (const std::string& flag : part.flags) {
                if (std::find(words.flags.begin(), words.flags.end(), flag) == words.flags.end())
                    words.flags.push_back(flag);
            }
        }
    }
    node.state = words.state;
    node.flags = std::move(words.flags);
    node.stateText = domain::name(node.state);
    for (const std::string& flag : node.flags)
        node.stateText += "+" + flag;
}

/// Configured and used GPUs. The counts in use need the detail flag; without it TRES says as much.
void readGpus(std::string_view total, std::string_view used, std::optional<std::string> tresUsed,
              NodeRecord& record, domain::ReadNotes& notes)
{
    const Gres configured = readGres(total);
    const Gres inUse = readGres(used);
    const Tres tres = readTres(tresUsed.value_or(std::string()));
    domain::Node& node = record.node;
    const std::string where = node.name.empty() ? std::string("sinfo") : "nodes, " + node.name;
    noteOdd(configured, where, notes);
    noteOdd(inUse, where, notes);
    noteOdd(tres, where, notes);
    node.gpusTotal = configured.gpus();
    node.gpuType = configured.gpuType();
    record.knowsGpusTotal = configured.isGood || node.gpusTotal > 0;
    node.gpuIndicesInUse = inUse.gpuIndices();
    node.gpusAllocated = !used.empty() ? inUse.gpus() : tres.gpus();
    const bool isGood = inUse.isGood && tres.isGood;
    record.knowsGpusAllocated =
        node.gpusAllocated > 0 || (isGood && (!used.empty() || tresUsed || node.gpusTotal == 0));
}

std::optional<double> load(object from)
{
    const auto hundredfold = numberAt(from, "cpu_load").value;
    return hundredfold && *hundredfold >= 0 ? std::optional(*hundredfold / 100) : std::nullopt;
}

std::optional<int64_t> freeMemory(object from)
{
    const auto memory = countAt(from, "free_mem");
    return memory ? memory : countAt(from, "free_memory");
}

std::string version(object from)
{
    std::string text = textAt(from, "version");
    return text.empty() ? textAt(from, "slurmd_version") : text;
}

NodeRecord readNode(object from, domain::ReadNotes& notes)
{
    NodeRecord record;
    domain::Node& node = record.node;
    node.name = textAt(from, "name");
    readState(from, node);
    node.reason = textAt(from, "reason");
    node.reasonUser = textAt(from, "reason_set_by_user");
    node.reasonTime = timeAt(from, "reason_changed_at");
    node.partitions = textsAt(from, "partitions");
    node.reservation = textAt(from, "reservation");
    node.comment = textAt(from, "comment");
    node.version = version(from);
    node.bootTime = timeAt(from, "boot_time");
    node.cpusTotal = intAt(from, "cpus");
    node.cpusAllocated = intAt(from, "alloc_cpus");
    record.cpusIdle =
        intAt(from, elementAt(from, "alloc_idle_cpus") ? "alloc_idle_cpus" : "idle_cpus");
    node.cpuLoad = load(from);
    node.memoryTotalMib = countAt(from, "real_memory");
    node.memoryAllocatedMib = countAt(from, "alloc_memory");
    node.memoryFreeMib = freeMemory(from);
    const auto tresUsed = elementAt(from, "tres_used");
    readGpus(textAt(from, "gres"), textAt(from, "gres_used"),
             tresUsed ? std::optional(textAt(from, "tres_used")) : std::nullopt, record, notes);
    record.gresDrained = textAt(from, "gres_drained");
    if (record.gresDrained == "N/A")
        record.gresDrained.clear();
    record.gpusReported = node.hasFlag("INVALID_REG") ? gpusReportedIn(node.reason) : std::nullopt;
    if (const auto energy = objectAt(from, "energy")) {
        const auto watts = numberAt(*energy, "current_watts").value;
        if (watts && *watts > 0)
            record.powerWatts = watts;
    }
    return record;
}

class GroupReader {
public:
    explicit GroupReader(NodesRead& result)
        : m_result(result)
    {
    }
    void add(object group);

private:
    NodeRecord pattern(object group) const;
    NodesRead& m_result;
    std::unordered_set<std::string> m_seen;
};

/// What all nodes of a group have in common.
NodeRecord GroupReader::pattern(object group) const
{
    NodeRecord record;
    domain::Node& node = record.node;
    if (const auto state = objectAt(group, "node"))
        readState(*state, node);
    if (const auto reason = objectAt(group, "reason")) {
        node.reason = textAt(*reason, "description");
        node.reasonUser = textAt(*reason, "user");
        node.reasonTime = timeAt(*reason, "time");
    }
    if (const auto gres = objectAt(group, "gres"))
        readGpus(textAt(*gres, "total"), textAt(*gres, "used"), std::nullopt, record,
                 m_result.notes);
    if (const auto partition = objectAt(group, "partition"))
        node.partitions = {textAt(*partition, "name")};
    if (const auto cpus = objectAt(group, "cpus");
        cpus && intAt(*cpus, "minimum") == intAt(*cpus, "maximum"))
        node.cpusTotal = intAt(*cpus, "maximum");
    if (const auto memory = objectAt(group, "memory");
        memory && countAt(*memory, "minimum") == countAt(*memory, "maximum"))
        node.memoryTotalMib = countAt(*memory, "maximum");
    node.reservation = textAt(group, "reservation");
    node.comment = textAt(group, "comment");
    return record;
}

void GroupReader::add(object group)
{
    const auto nodes = objectAt(group, "nodes");
    const auto names = nodes ? textsAt(*nodes, "nodes") : std::vector<std::string>{};
    if (names.empty()) {
        m_result.notes.add("sinfo: a group without node names. It was skipped.");
        return;
    }
    const NodeRecord common = pattern(group);
    size_t added = 0;
    for (const std::string& name : names) {
        if (!m_seen.insert(name).second) {
            // A group is of one partition; a node in two partitions comes twice.
            auto& partitions =
                std::find_if(m_result.nodes.begin(), m_result.nodes.end(),
                             [&](const NodeRecord& record) { return record.node.name == name; })
                    ->node.partitions;
            partitions.insert(partitions.end(), common.node.partitions.begin(),
                              common.node.partitions.end());
            continue;
        }
        ++added;
        m_result.nodes.push_back(common);
        m_result.nodes.back().node.name = name;
    }
    const auto cpus = objectAt(group, "cpus");
    if (!cpus || added == 0)
        return;
    // A group that shares some of its nodes with an earlier one adds their part alone.
    const double share = double(added) / double(names.size());
    const auto addTo = [&](std::optional<int64_t>& sum, std::string_view key) {
        if (const auto count = countAt(*cpus, key))
            sum = sum.value_or(0) + int64_t(double(*count) * share);
    };
    addTo(m_result.groupCpusTotal, "total");
    addTo(m_result.groupCpusAllocated, "allocated");
    if (names.size() == 1)
        m_result.nodes.back().node.cpusAllocated = intAt(*cpus, "allocated");
}

}  // namespace

StatusOr<NodesRead> readNodesJson(const JsonReply& reply)
{
    YARD_RETURN_IF_ERROR(checkReply(reply));
    NodesRead result;
    result.version = reply.version;
    result.cluster = reply.cluster;
    const auto nodes = arrayAt(reply.root, "nodes");
    const auto groups = arrayAt(reply.root, "sinfo");
    if (!nodes && !groups)
        return absl::InvalidArgumentError("the reply has no list of nodes");
    object from;
    if (nodes) {
        for (const element item : *nodes) {
            if (item.get(from) == simdjson::SUCCESS && !textAt(from, "name").empty())
                result.nodes.push_back(readNode(from, result.notes));
            else
                result.notes.add("nodes: a record without a name. It was skipped.");
        }
        return result;
    }
    GroupReader reader(result);
    for (const element item : *groups) {
        if (item.get(from) == simdjson::SUCCESS)
            reader.add(from);
        else
            result.notes.add("sinfo: a group that is no object. It was skipped.");
    }
    return result;
}

}  // namespace yard::scheduler::slurm
