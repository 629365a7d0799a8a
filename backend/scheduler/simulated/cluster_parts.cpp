#include "backend/scheduler/simulated/cluster_parts.h"

#include <array>
#include <bit>

namespace yard::scheduler {
namespace {

constexpr std::array<const char*, 8> kFlagNames{
    "DRAIN",   "NOT_RESPONDING",   "MAINTENANCE",   "RESERVED",
    "PLANNED", "REBOOT_REQUESTED", "REBOOT_ISSUED", "INVALID_REG"};
constexpr int kCpusPerGpu = 16;
constexpr int64_t kMemoryPerGpuMib = 120'000;

domain::NodeState stateOf(const SimNode& node, int gpusPerNode)
{
    if (node.down)
        return domain::NodeState::Down;
    if (node.jobs.empty())
        return domain::NodeState::Idle;
    return std::popcount(node.used) == gpusPerNode ? domain::NodeState::Allocated
                                                   : domain::NodeState::Mixed;
}

const char* word(domain::NodeState state)
{
    switch (state) {
        case domain::NodeState::Down:
            return "DOWN";
        case domain::NodeState::Idle:
            return "IDLE";
        case domain::NodeState::Allocated:
            return "ALLOCATED";
        default:
            return "MIXED";
    }
}

}  // namespace

void SimNode::refresh(int gpusPerNode)
{
    shown.state = stateOf(*this, gpusPerNode);
    shown.stateText = word(shown.state);
    if (flags & kNotResponding)
        shown.stateText += '*';
    shown.flags.clear();
    for (size_t i = 0; i < kFlagNames.size(); ++i) {
        if ((flags >> i & 1) == 0)
            continue;
        shown.flags.emplace_back(kFlagNames[i]);
        if (1u << i != kNotResponding)
            shown.stateText += std::string("+") + kFlagNames[i];
    }
    shown.gpusAllocated = std::popcount(used);
    shown.gpuIndicesInUse.clear();
    for (int i = 0; i < gpusPerNode; ++i)
        if (used >> i & 1)
            shown.gpuIndicesInUse.push_back(i);
    shown.cpusAllocated = shown.gpusAllocated * kCpusPerGpu;
    shown.memoryAllocatedMib = shown.gpusAllocated * kMemoryPerGpuMib;
    shown.memoryFreeMib = shown.memoryTotalMib.value_or(0) - 30'000 - *shown.memoryAllocatedMib / 3;
    shown.cpuLoad = 0.4 + 5.5 * shown.gpusAllocated;
    if (down || flags & kNotResponding)
        shown.cpuLoad.reset();
}

}  // namespace yard::scheduler
