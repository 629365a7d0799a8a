#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"

namespace yard::domain {

/// Slurm's base states. Everything else Slurm says of a node is kept in Node::flags.
enum class NodeState : uint8_t { Unknown, Down, Idle, Allocated, Error, Mixed, Future };

/// What an operator calls it: base state and flags in one word. Draining is drain and still busy,
/// drained is drain and not busy.
enum class NodeCategory : uint8_t {
    Idle,
    Mixed,
    Allocated,
    Completing,
    Draining,
    Drained,
    Down,
    Fail,
    Maintenance,
    Reserved,
    Planned,
    Rebooting,
    PoweredOff,
    Invalid,
    Future,
    Unknown
};

struct Node {
    std::string name;
    NodeState state = NodeState::Unknown;
    std::vector<std::string>
        flags;  ///< spelled as Slurm 23.11 prints them in JSON: DRAIN, NOT_RESPONDING …
    std::string stateText;  ///< Slurm's own words: "IDLE+DRAIN", "DOWN*"

    std::string reason;
    std::string reasonUser;
    std::optional<Time> reasonTime;

    std::vector<std::string> partitions;
    std::string switchName;  ///< leaf switch; empty if Slurm has no topology
    std::string rack;        ///< from configuration; empty if not configured
    std::string reservation;
    std::string comment;
    std::string version;  ///< of its slurmd
    std::optional<Time> bootTime;

    std::optional<int> cpusTotal;
    std::optional<int> cpusAllocated;
    std::optional<double> cpuLoad;
    std::optional<int64_t> memoryTotalMib;
    std::optional<int64_t> memoryAllocatedMib;
    std::optional<int64_t> memoryFreeMib;

    int gpusTotal = 0;  ///< GRES gpu only
    int gpusAllocated = 0;
    std::string gpuType;
    std::vector<int> gpuIndicesInUse;  ///< empty if Slurm gives counts only

    bool operator==(const Node&) const = default;
    bool hasFlag(std::string_view flag) const;
};

/// Upper case, as Slurm: "IDLE".
std::string_view name(NodeState state);
/// Lower case, ours: "draining".
std::string_view name(NodeCategory category);
NodeCategory categoryOf(const Node& node);
/// True where a new job could start: not down, draining, failed, powered off, unknown.
bool isUsable(const Node& node);

}  // namespace yard::domain
