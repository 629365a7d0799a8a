#include "backend/scheduler/slurm/node_reader.h"

#include <algorithm>
#include <set>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/key_values.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Node;
using std::string_view;

constexpr string_view kLetters = "NuHE";
enum Field : uint8_t { Name, User, At, Reason, FieldCount };
static_assert(kLetters.size() == FieldCount);

/// "bad fan [root@1796034954]", for a node that sinfo does not list.
NodeReason splitReason(string_view text)
{
    NodeReason reason{.text = text::validUtf8(text), .user = {}, .at = {}};
    const size_t bracket = text.rfind(" [");
    const size_t at = text.rfind('@');
    if (!text.ends_with(']') || bracket == string_view::npos || at == string_view::npos ||
        at < bracket)
        return reason;
    reason.text = text::validUtf8(text.substr(0, bracket));
    reason.user = text::validUtf8(text.substr(bracket + 2, at - bracket - 2));
    reason.at = readTime(text.substr(at + 1, text.size() - at - 2)).at;
    return reason;
}

/// Free text at the end of a record: up to the next of its kind.
string_view freeText(string_view record, string_view key)
{
    const size_t at = record.find(key);
    if (at == string_view::npos)
        return {};
    string_view value = record.substr(at + key.size());
    for (const string_view next : {" Reason=", " Comment=", " Extra="})
        value = value.substr(0, value.find(next));
    return text::trimmed(value);
}

std::optional<double> readLoad(string_view text)
{
    // Always with two decimals and a point; a locale cannot matter.
    const size_t dot = text.find('.');
    const auto whole = text::number<int64_t>(text.substr(0, dot));
    if (!whole || *whole < 0)
        return std::nullopt;
    const string_view decimals = dot == string_view::npos ? "" : text.substr(dot + 1, 2);
    return double(*whole) + double(text::number<int64_t>(decimals).value_or(0)) / 100;
}

void readHardware(string_view record, Node& node, domain::ReadNotes& notes)
{
    node.cpusTotal = numberOf<int>(record, "CPUTot");
    node.cpusAllocated = numberOf<int>(record, "CPUAlloc");
    node.cpuLoad = readLoad(textOf(record, "CPULoad"));
    node.memoryTotalMib = numberOf<int64_t>(record, "RealMemory");
    node.memoryAllocatedMib = numberOf<int64_t>(record, "AllocMem");
    node.memoryFreeMib = numberOf<int64_t>(record, "FreeMem");
    const Gres gres = readGres(textOf(record, "Gres"));
    const Gres used = readGres(textOf(record, "GresUsed"));
    const std::string where = "scontrol show node, " + node.name;
    noteOdd(gres, where, notes);
    noteOdd(used, where, notes);
    node.gpusTotal = gres.gpus();
    node.gpuType = gres.gpuType();
    node.gpusAllocated = used.gpus();
    node.gpuIndicesInUse = used.gpuIndices();
}

void readNodeReason(string_view record, const NodeReasons& reasons, Node& node)
{
    const auto known = reasons.find(node.name);
    const NodeReason reason =
        known != reasons.end() ? known->second : splitReason(freeText(record, " Reason="));
    node.reason = reason.text;
    node.reasonUser = reason.user;
    node.reasonTime = reason.at;
}

std::optional<Node> readNode(string_view record, const NodeReasons& reasons,
                             domain::ReadNotes& notes)
{
    Node node;
    node.name = std::string(textOf(record, "NodeName"));
    node.stateText = std::string(textOf(record, "State"));
    if (node.name.empty() || node.stateText.empty())
        return std::nullopt;
    const NodeWords words = readNodeState(node.stateText);
    node.state = words.state;
    node.flags = words.flags;
    for (const string_view name : text::split(textOf(record, "Partitions"), ",")) {
        if (!name.empty())
            node.partitions.emplace_back(name);
    }
    node.version = std::string(textOf(record, "Version"));
    node.bootTime = readTime(textOf(record, "BootTime")).at;
    node.reservation = std::string(textOf(record, "ReservationName"));
    node.comment = text::validUtf8(freeText(record, " Comment="));
    readHardware(record, node, notes);
    readNodeReason(record, reasons, node);
    return node;
}

}  // namespace

std::vector<std::string> nodesCommand()
{
    return {"scontrol", "-a", "-d", "-o", "show", "node"};
}

std::vector<std::string> reasonsCommand(const TextMarks& marks)
{
    return {"sinfo", "-h", "-a", "-N", "-o", marks.format(kLetters)};
}

NodeReasons readReasons(string_view output, const TextMarks& marks, domain::ReadNotes& notes)
{
    NodeReasons reasons;
    for (const auto& fields : marks.read(output)) {
        if (fields.size() != FieldCount) {
            notes.add("sinfo: a record has " + std::to_string(fields.size()) +
                      " fields, not 4: " + text::validUtf8(fields.front().substr(0, 60)));
            continue;
        }
        NodeReason reason;
        const bool isSet = fields[At] != "Unknown" || fields[Reason] != "none";
        if (isSet) {
            reason.text = text::validUtf8(fields[Reason]);
            reason.user = text::validUtf8(fields[User]);
            reason.at = readTime(fields[At]).at;
        }
        reasons[std::string(fields[Name])] = std::move(reason);
    }
    return reasons;
}

std::vector<Node> readNodes(string_view output, const NodeReasons& reasons,
                            domain::ReadNotes& notes)
{
    std::vector<Node> nodes;
    std::set<std::string, std::less<>> seen;
    for (const string_view record : recordsOf(output, "NodeName=")) {
        auto node = readNode(record, reasons, notes);
        if (!node)
            notes.add("scontrol show node: a record has no state: " +
                      text::validUtf8(record.substr(0, 60)));
        else if (!seen.insert(node->name).second)
            notes.add("scontrol show node: " + node->name + " appears twice.");
        else
            nodes.push_back(*std::move(node));
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const Node& a, const Node& b) { return domain::naturalLess(a.name, b.name); });
    return nodes;
}

}  // namespace yard::scheduler::slurm
