#include "backend/scheduler/slurm/node_reader.h"

#include <algorithm>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

using domain::Node;
using std::string_view;

constexpr string_view kLetters = "NuHE";
enum Field : uint8_t { Name, User, At, Reason, FieldCount };
static_assert(kLetters.size() == FieldCount);

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
    NodesRead read = readNodeRecords(output);
    notes.add(std::move(read.notes));
    std::vector<Node> nodes;
    nodes.reserve(read.nodes.size());
    for (NodeRecord& record : read.nodes) {
        Node& node = nodes.emplace_back(std::move(record.node));
        const auto known = reasons.find(node.name);
        if (known == reasons.end())
            continue;
        node.reason = known->second.text;
        node.reasonUser = known->second.user;
        node.reasonTime = known->second.at;
    }
    std::sort(nodes.begin(), nodes.end(),
              [](const Node& a, const Node& b) { return domain::naturalLess(a.name, b.name); });
    return nodes;
}

}  // namespace yard::scheduler::slurm
