#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/action.h"

namespace yard::control {

/// Above this many targets the operator types the count.
constexpr size_t kTypedCountAbove = 8;

struct AffectedJob {
    std::string displayId;
    std::string name;
    std::string user;
    std::vector<std::string> nodes;
    int gpusHere = 0;
    int gpusAll = 0;
    std::optional<Time> endsBy;  ///< by its time limit; empty: no limit
    double gpuHoursAtRisk = 0;   ///< since it started; since its last checkpoint once that is known
    bool killed = false;
};

/// The damage before the click. Its token is bound to the action and to the state it was made from.
struct Preview {
    std::string token;
    Time made;
    Time expires;
    domain::Action action;
    std::string targets;  ///< folded
    size_t targetCount = 0;
    std::vector<std::string> commands;  ///< quoted for a shell, to read and to copy
    std::vector<AffectedJob> jobs;
    int jobsKilled = 0;
    int users = 0;
    int gpus = 0;
    double gpuHoursAtRisk = 0;
    std::optional<Time> emptyBy;
    int freeReplacements = 0;
    std::vector<std::string> warnings;
    bool reasonRequired = false;
    bool reasonPossible = false;
    uint32_t typedCountRequired = 0;
    std::string refusal;  ///< not empty: it cannot be executed, and why
    std::optional<uint64_t> undoes;
};

}  // namespace yard::control
