#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"
#include "backend/scheduler/slurm/text_marks.h"

namespace yard::scheduler::slurm {

/// Why a node is out, byte for byte; `scontrol show node` mangles a reason of several lines.
struct NodeReason {
    std::string text;
    std::string user;
    std::optional<Time> at;
};
using NodeReasons = std::map<std::string, NodeReason, std::less<>>;

std::vector<std::string> nodesCommand();
std::vector<std::string> reasonsCommand(const TextMarks& marks);

/// From sinfo: nodes in a partition that have a reason.
NodeReasons readReasons(std::string_view output, const TextMarks& marks, domain::ReadNotes& notes);

/// From `scontrol -d -o show node`, in natural order. A record without a state or a name that was
/// seen before costs that record.
std::vector<domain::Node> readNodes(std::string_view output, const NodeReasons& reasons,
                                    domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
