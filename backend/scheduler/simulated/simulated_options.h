#pragma once

#include <cstdint>
#include <string_view>

#include "backend/base/status.h"

namespace yard::scheduler {

enum class WorkloadProfile : uint8_t { Seren, Kalos };

/// The simulated cluster: its shape, its pace and what happens in it.
struct SimulatedOptions {
    int nodes = 286;
    int gpus = 8;          ///< a node
    int switchNodes = 16;  ///< nodes behind one leaf switch
    int rackNodes = 4;
    uint64_t seed = 7;
    double speed = 1;      ///< how much faster than the clock things happen
    double load = 0.78;    ///< share of the GPUs that the arriving jobs would keep busy; 0: no jobs
    bool failures = true;  ///< faults of nodes and GPUs
    bool oddities = true;  ///< a few nodes that are drained, down, reserved … from the start
    WorkloadProfile profile = WorkloadProfile::Seren;
    bool operator==(const SimulatedOptions&) const = default;
};

/// Reads "nodes=12500,gpus=8,seed=7,speed=60,load=0.7,failures=off,oddities=off,profile=kalos".
/// Empty text is the default. INVALID_ARGUMENT names the key and says what it may be.
StatusOr<SimulatedOptions> parseSimulatedOptions(std::string_view text);

}  // namespace yard::scheduler
