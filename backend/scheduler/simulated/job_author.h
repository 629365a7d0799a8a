#pragma once

#include <string>

#include "backend/scheduler/simulated/cluster_parts.h"
#include "backend/scheduler/simulated/random.h"

namespace yard::scheduler {

/// Partitions of the simulated cluster, in the order of GpuPool.
enum SimPartition { kTrain, kEval, kBatch, kPartitionCount };
constexpr const char* kPartitionNames[kPartitionCount]{"train", "eval", "batch"};

/// Gives drawn jobs people, names, queues and limits, as the lab's own would have.
class JobAuthor {
public:
    explicit JobAuthor(uint64_t seed)
        : m_seed(mix(seed + 11))
    {
    }
    /// Fills everything but ids, times and state.
    void write(Random& random, const JobDraw& draw, SimJob& job) const;
    /// Paths that contain the id.
    static void writePaths(SimJob& job);

private:
    std::string user(Random& random) const;

    const uint64_t m_seed;
};

}  // namespace yard::scheduler
