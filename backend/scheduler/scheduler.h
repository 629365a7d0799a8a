#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/base/deadline.h"
#include "backend/base/status.h"
#include "backend/domain/action.h"
#include "backend/domain/cluster.h"
#include "backend/domain/health.h"

namespace yard::scheduler {

/// What the scheduler answered to an action.
struct Receipt {
    std::string message;  ///< its own words, verbatim; empty if it said nothing
    std::string newJob;   ///< Resubmit, Submit: display id of the new job
};

/// A batch system: read as one view, written by actions. It holds no history and takes no
/// decisions.
///
/// `operationId` marks what is ours where the scheduler can carry it: drain reasons read
/// "yard:<id> <reason>", new jobs have the comment "yard:<id>". Empty: unmarked.
///
/// Thread: the scheduler worker only, one call at a time; commands() from any.
class Scheduler {
public:
    virtual ~Scheduler() = default;

    /// "slurm" or "simulated".
    virtual std::string_view name() const = 0;

    /// One complete look, or UNAVAILABLE / DEADLINE_EXCEEDED with the scheduler's words. Never
    /// half.
    virtual StatusOr<domain::SchedulerView> poll(Deadline deadline) = 0;

    /// The calls that execute() will make, as argument vectors. For the preview and for copying.
    virtual std::vector<std::vector<std::string>> commands(const domain::Action& action,
                                                           std::string_view operationId) const = 0;

    /// Carries the action out. Errors keep the scheduler's text verbatim: PERMISSION_DENIED,
    /// INVALID_ARGUMENT (unknown node or job), FAILED_PRECONDITION (not in that state), UNAVAILABLE
    /// (not reached: nothing was changed), DEADLINE_EXCEEDED (in doubt: read the state back).
    virtual StatusOr<Receipt> execute(const domain::Action& action, std::string_view operationId,
                                      Deadline deadline) = 0;

    /// Which actions this account may take. Changes nothing in the scheduler.
    virtual StatusOr<std::vector<domain::Right>> rights(Deadline deadline) = 0;

    /// Seconds that a requeued job must wait before it may start again.
    virtual int requeueDelaySeconds() const = 0;

    /// Calls made since construction: what we cost the scheduler.
    virtual uint64_t callsMade() const = 0;
};

}  // namespace yard::scheduler
