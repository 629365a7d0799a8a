#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/domain/cluster.h"
#include "backend/domain/fault.h"
#include "backend/domain/health.h"
#include "backend/domain/operation.h"
#include "backend/domain/readings.h"

namespace yard::control {

/// What one reader of the stream asked for.
struct Interest {
    std::vector<domain::GpuMetric> gpuMetrics;  ///< empty: all
    bool withReadings = true;
    std::chrono::milliseconds minInterval{0};
};

/// Which GPU identities an update with readings carries.
enum class Identities : uint8_t {
    Usual,      ///< those that changed; in a full update all
    NotInFull,  ///< those that changed; in a full update none
    All,
};

/// A metric in column order. `index` empty: the whole column, else the positions of `values`.
struct Column {
    uint32_t metric = 0;
    std::vector<float> values;
    std::vector<uint32_t> index;
};

struct GpuIdentity {
    uint32_t nodeIndex = 0;
    std::vector<domain::SharedText> uuid;  ///< by GPU index; empty: not known
    std::vector<domain::SharedText> pci;
    domain::SharedText model;
};

struct JobKey {
    uint64_t id = 0;
    int64_t submitTimeUs = 0;
    auto operator<=>(const JobKey&) const = default;
};

/// A job as the desk shows it: with its links to other attempts.
struct TrackedJob {
    domain::Job job;
    std::string previousJob;
    std::string nextJob;
    bool operator==(const TrackedJob&) const = default;
};

/// Cluster-wide figures of one minute. Negative: not known.
struct TrendPoint {
    Time at;
    float gpusInUse = -1;
    float smActivityMedian = -1;  ///< percent, of GPUs in use
    float jobsWaiting = -1;
    float powerKw = -1;
    float faults = -1;
    float nodesOut = -1;
    float jobsRunning = -1;
    bool operator==(const TrendPoint&) const = default;
};

struct DaemonHealth {
    std::string version;
    bool journalOk = true;
    std::string journalError;
    std::string
        auditError;  ///< the chain does not verify, and where; empty: nothing is known against it
    std::string historyError;  ///< why readings are not being kept; empty: they are
    uint64_t readingsDropped = 0;
    uint32_t clients = 0;
    bool operator==(const DaemonHealth&) const = default;
};

/// What changed in the cluster between two revisions, or all of it (baseRevision 0). Plain values,
/// made on the core loop, read anywhere.
struct ClusterDelta {
    uint64_t revision = 0;
    uint64_t baseRevision = 0;
    Time at;
    bool isFull() const { return baseRevision == 0; }

    std::string cluster;  // full only
    std::string timeZone;
    bool demo = false;

    std::vector<domain::Node> nodes;
    std::vector<uint64_t> ownedByOperation;  ///< parallel to nodes; 0: not drained by us
    std::vector<uint32_t> nodeIndex;         ///< deltas only: position of each of `nodes`
    std::vector<TrackedJob> jobs;
    std::vector<JobKey> removedJobs;
    bool hasClusterParts = false;
    std::vector<domain::Partition> partitions;
    std::vector<domain::Reservation> reservations;
    std::vector<domain::Switch> switches;

    std::vector<Column> gpuColumns;
    std::vector<Column> nodeColumns;
    std::vector<float> readingAgeSeconds;  ///< by node, at `at`; negative: never; empty: not sent
    float readingIntervalSeconds = 0;
    std::vector<GpuIdentity> gpuIdentities;

    bool hasFaults = false;
    std::vector<domain::Fault> faults;
    std::vector<domain::TargetHealth> targets;
    std::vector<std::string> removedTargets;
    std::optional<domain::SchedulerHealth> scheduler;
    bool hasRights = false;
    std::vector<domain::Right> rights;
    std::optional<DaemonHealth> daemon;

    std::vector<domain::Operation> operations;
    std::vector<TrendPoint> trend;
};

}  // namespace yard::control
