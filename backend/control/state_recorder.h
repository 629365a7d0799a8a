#pragma once

#include <map>
#include <optional>
#include <unordered_map>

#include "backend/control/cluster_snapshot.h"
#include "backend/store/state_history.h"

namespace yard::control {

/// Tells after each look at the scheduler which nodes and jobs are different from how they were
/// last kept, so that the journal can show the cluster of any moment.
///
/// Thread: core loop.
class StateRecorder {
public:
    explicit StateRecorder(const ClusterSnapshot& snapshot)
        : m_snapshot(snapshot)
    {
    }
    /// Call after every view. Empty: nothing is new, and that somebody looked was told recently.
    std::optional<store::StatesSeen> look(Time now);
    /// The next look tells everything.
    void beginAnew() { m_lastLook.reset(); }

private:
    using Versions = std::vector<store::StateVersion>;
    void lookAtNodes(Versions& versions);
    void lookAtJobs(Versions& versions);
    void lookAtParts(Versions& versions);
    void forgetAll();

    /// Of the bytes that were kept last.
    using Print = size_t;
    const ClusterSnapshot& m_snapshot;
    std::optional<Time> m_lastLook;
    Time m_lastTold{};
    uint64_t m_revision = 0;  ///< whatever is older was the same at the last look
    std::unordered_map<std::string, Print> m_nodes;
    std::map<JobKey, Print> m_jobs;
    Print m_parts = 0;
};

}  // namespace yard::control
