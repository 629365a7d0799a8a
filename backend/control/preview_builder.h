#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "backend/control/operation_service.h"
#include "backend/control/target_state.h"
#include "backend/scheduler/scheduler.h"

namespace yard::control {

/// Works out what an action would do, from the snapshot alone. It asks the scheduler nothing.
///
/// Rule for drains that are not ours (their reason lacks a `yard:` mark): Resume, and a Drain that
/// would replace their reason, leave such a node out unless the request names that node by itself,
/// outside any range and not as one of many. The preview says which were left out, and why.
///
/// So it is with jobs that an action cannot touch, or would not change: a hold is for those that
/// wait and are not held, a release for those that are, a requeue for those that have started, a
/// cancel for those that have not ended; and with a drain of ours that has the same reason.
///
/// Thread: core loop.
class PreviewBuilder {
public:
    PreviewBuilder(const ClusterSnapshot& snapshot, const JobTracker& jobs,
                   const scheduler::Scheduler& scheduler)
        : m_snapshot(snapshot)
        , m_jobs(jobs)
        , m_scheduler(scheduler)
    {
    }

    /// INVALID_ARGUMENT: a node or job that does not exist, an expression that cannot be read.
    StatusOr<Preview> build(PreviewRequest request, uint64_t operationId, Time now) const;

private:
    Status resolveNodes(PreviewRequest& request) const;
    Status resolveJobs(Preview& preview) const;
    void chooseNodes(const PreviewRequest& request, Preview& preview) const;
    void addNodeJobs(Preview& preview, Time now) const;
    void addTargetJobs(Preview& preview, Time now) const;
    void addTotals(Preview& preview) const;
    void addWarnings(Preview& preview) const;
    void addJobWarnings(Preview& preview) const;
    void addJournalWarning(Preview& preview) const;
    void addExclusionWarnings(Preview& preview) const;
    size_t nodesLeft(const domain::Job& job, const std::vector<std::string>& excluded) const;
    void addRightsWarning(Preview& preview) const;
    int freeNodes(const std::unordered_set<std::string>& partitions,
                  const std::vector<std::string>& without) const;

    const ClusterSnapshot& m_snapshot;
    const JobTracker& m_jobs;
    const scheduler::Scheduler& m_scheduler;
};

/// One command as a shell would take it.
std::string quoteCommand(const std::vector<std::string>& arguments);
/// All that the operation will call, as a shell would take it. Jobs are resubmitted one by one.
std::vector<std::string> commandsOf(const domain::Action& action, uint64_t operationId,
                                    const scheduler::Scheduler& scheduler);
/// "Requeue", "Drain" … and whether the reverse exists.
bool hasUndo(domain::ActionKind kind);

}  // namespace yard::control
