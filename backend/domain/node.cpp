#include "backend/domain/node.h"

#include <algorithm>
#include <array>

namespace yard::domain {
namespace {

constexpr std::array<std::string_view, 7> kStates{"UNKNOWN", "DOWN",  "IDLE",  "ALLOCATED",
                                                  "ERROR",   "MIXED", "FUTURE"};
constexpr std::array<std::string_view, 16> kCategories{
    "idle",  "mixed",    "allocated", "completing", "draining",    "drained", "down",   "fail",
    "maint", "reserved", "planned",   "reboot",     "powered_off", "invalid", "future", "unknown"};

bool isBusy(const Node& node)
{
    return node.state == NodeState::Allocated || node.state == NodeState::Mixed ||
           node.hasFlag("COMPLETING") || node.cpusAllocated.value_or(0) > 0 ||
           node.gpusAllocated > 0;
}

bool isPoweredOff(const Node& node)
{
    return node.hasFlag("POWERED_DOWN") || node.hasFlag("POWERING_DOWN");
}

/// Slurm computes MIXED in the client, so a node may be called ALLOCATED with CPUs to spare.
NodeCategory busyCategory(const Node& node)
{
    const bool isPartial = node.cpusAllocated && node.cpusTotal && *node.cpusAllocated > 0 &&
                           *node.cpusAllocated < *node.cpusTotal;
    return node.state == NodeState::Mixed || isPartial ? NodeCategory::Mixed
                                                       : NodeCategory::Allocated;
}

NodeCategory idleCategory(const Node& node)
{
    if (node.hasFlag("COMPLETING"))
        return NodeCategory::Completing;
    if (node.hasFlag("MAINTENANCE"))
        return NodeCategory::Maintenance;
    if (node.hasFlag("RESERVED"))
        return NodeCategory::Reserved;
    return node.hasFlag("PLANNED") ? NodeCategory::Planned : NodeCategory::Idle;
}

}  // namespace

bool Node::hasFlag(std::string_view flag) const
{
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

std::string_view name(NodeState state)
{
    return kStates.at(size_t(state));
}

std::string_view name(NodeCategory category)
{
    return kCategories.at(size_t(category));
}

NodeCategory categoryOf(const Node& node)
{
    if (node.hasFlag("REBOOT_ISSUED"))
        return NodeCategory::Rebooting;
    if (node.state == NodeState::Down || node.state == NodeState::Error)
        return NodeCategory::Down;
    if (node.state == NodeState::Future)
        return NodeCategory::Future;
    if (node.hasFlag("DRAIN"))
        return isBusy(node) ? NodeCategory::Draining : NodeCategory::Drained;
    if (node.hasFlag("FAIL"))
        return NodeCategory::Fail;
    if (node.hasFlag("INVALID_REG"))
        return NodeCategory::Invalid;
    if (node.state == NodeState::Allocated || node.state == NodeState::Mixed)
        return busyCategory(node);
    if (isPoweredOff(node))
        return NodeCategory::PoweredOff;
    if (node.hasFlag("REBOOT_REQUESTED"))
        return NodeCategory::Rebooting;
    return node.state == NodeState::Idle ? idleCategory(node) : NodeCategory::Unknown;
}

bool isUsable(const Node& node)
{
    if (node.hasFlag("NOT_RESPONDING") || node.hasFlag("BLOCKED") || isPoweredOff(node))
        return false;
    switch (categoryOf(node)) {
        case NodeCategory::Idle:
        case NodeCategory::Mixed:
        case NodeCategory::Completing:
        case NodeCategory::Reserved:
        case NodeCategory::Planned:
            return true;
        default:
            return false;
    }
}

}  // namespace yard::domain
