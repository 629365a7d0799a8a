#pragma once

#include <optional>

#include "backend/control/cluster_snapshot.h"

namespace yard::control {

/// Adds one point a minute to the snapshot's trend.
///
/// Thread: core loop.
class TrendRecorder {
public:
    explicit TrendRecorder(ClusterSnapshot& snapshot)
        : m_snapshot(snapshot)
    {
    }
    /// Call as often as you like; true if a point was due.
    bool tick(Time now);

private:
    ClusterSnapshot& m_snapshot;
    std::optional<Time> m_last;
};

/// The figures of now. What nothing is known of stays negative.
TrendPoint measure(const ClusterSnapshot& snapshot, Time now);

}  // namespace yard::control
