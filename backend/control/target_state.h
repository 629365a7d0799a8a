#pragma once

#include <set>
#include <string>
#include <string_view>
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
/// "COMPLETED at 2025-03-01 14:03:22 UTC": how and when it ended.
std::string endWords(const domain::Job& job);
/// "3 waiting, held; 2 running": several records of one array.
std::string wordsFor(const std::vector<const TrackedJob*>& parts);
/// "18_[2-9]": tasks that wait as one record, until they start.
bool isRestOfArray(std::string_view name);
bool isOut(const domain::Node& node);  ///< drained, draining, down or failed

}  // namespace yard::control
