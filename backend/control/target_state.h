#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/control/cluster_snapshot.h"
#include "backend/control/job_tracker.h"
#include "backend/domain/action.h"

namespace yard::control {

/// What a preview was made from, of one node or job: it must be the same when it is carried out.
struct TargetState {
    std::string name;
    std::string words;           ///< "idle", "draining (bad link)", "RUNNING on gpu[1-2]"
    std::set<std::string> jobs;  ///< of a node: running there
    bool operator==(const TargetState&) const = default;
};

using JobsByNode = std::unordered_map<std::string, std::vector<const TrackedJob*>>;

/// Active jobs on any of `nodes`.
JobsByNode jobsOn(const ClusterSnapshot& snapshot, const std::vector<std::string>& nodes);

/// Its targets as they are now, in the order of the action.
std::vector<TargetState> targetStates(const domain::Action& action, const ClusterSnapshot& snapshot,
                                      const JobTracker& jobs);

/// A sentence that names the first differences; empty if there are none.
std::string difference(const std::vector<TargetState>& before, const std::vector<TargetState>& now);

std::string wordsFor(const domain::Node& node);
std::string wordsFor(const domain::Job& job);
bool isOut(const domain::Node& node);  ///< drained, draining, down or failed

}  // namespace yard::control
