#pragma once

#include "ui/model/cluster_state.h"

namespace yard::test {

/// One consistent night on a Seren-shaped cluster (286 nodes × 8 GPUs), with every state that a
/// page must be able to show. Deterministic.
struct SampleOptions {
    int nodes = 286;
    int gpusPerNode = 8;
    int nodesPerSwitch = 16;
    bool withTrouble = true;  ///< faults, down, stale and missing nodes, operations
};

/// 2026-03-11 03:14:22 +08:00
QDateTime sampleNow();
model::ClusterUpdate sampleUpdate(const SampleOptions& options = {});
/// New readings for everything: a delta on `revision`.
model::ClusterUpdate sampleReadings(const SampleOptions& options, quint64 revision, int seed);

}  // namespace yard::test
