#pragma once

#include <string>

#include "backend/control/cluster_snapshot.h"
#include "backend/control/job_tracker.h"
#include "backend/store/journal.h"

namespace yard::control {

/// What the scheduler shows of one target of an operation.
struct Effect {
    bool done = false;      ///< it shows that it was carried out
    bool undoable = false;  ///< … and is still as the operation left it
    bool gone = false;      ///< the target is not known any more, or is another one now
    std::string missed;     ///< not empty: it will never show, and why
    bool sawReboot = false;
    bool onlyCancelLeft = false;  ///< Resubmit: the new job is there, the original still runs
    std::string words;
    std::string newJob;
};

/// The look before the first send: what tells later whether it was carried out.
store::Evidence evidenceFor(const domain::Action& action, const std::string& target,
                            const ClusterSnapshot& snapshot, const JobTracker& jobs);

/// Compares a target with its evidence. Reads the snapshot, asks nobody.
Effect effectOn(const store::OperationRecord& record, size_t target,
                const ClusterSnapshot& snapshot, const JobTracker& jobs);

/// What marks this target in the scheduler: "17", or "17.2" for the second of several
/// resubmissions.
std::string markFor(uint64_t operationId, const domain::Action& action, size_t target);
std::string markFor(const domain::Operation& operation, size_t target);

}  // namespace yard::control
