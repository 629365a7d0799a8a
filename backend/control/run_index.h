#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/base/clock.h"
#include "backend/control/cluster_snapshot.h"

namespace yard::control {

/// This run of the job, and no other under its id.
std::string runOf(const domain::Job& job);

/// Who runs on which node, and who ran there lately.
///
/// Thread: core loop.
class RunIndex {
public:
    using JobPtr = std::shared_ptr<const domain::Job>;

    explicit RunIndex(const ClusterSnapshot& snapshot)
        : m_snapshot(snapshot)
    {
    }

    /// The snapshot's jobs are others now.
    void noteView() { m_isStale = true; }
    void noteEnd(const domain::Job& job, Time at);
    void dropOld(Time now);

    /// Running there now.
    const std::vector<JobPtr>& runningOn(const std::string& node);
    /// Ended there lately, newest last.
    const std::vector<JobPtr>& endedOn(const std::string& node) const;

private:
    void build();

    const ClusterSnapshot& m_snapshot;
    bool m_isStale = true;
    std::unordered_map<std::string, std::vector<JobPtr>> m_running;
    std::unordered_map<std::string, std::vector<JobPtr>> m_ended;
    std::deque<std::pair<Time, JobPtr>> m_order;
};

/// Whether the job held GPU `gpu` (an index in digits) of the node, as far as the scheduler says.
bool mayHaveHeld(const domain::Job& job, const std::string& node, const std::string& gpu);

}  // namespace yard::control
