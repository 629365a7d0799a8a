#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/action.h"

namespace yard::scheduler::slurm {

/// Nodes that a job excludes already, by display id: an exclusion is added to, not replaced.
using Exclusions = std::map<std::string, std::string, std::less<>>;

/// INVALID_ARGUMENT if a name could mean anything but one node or job to Slurm's commands.
Status checkNames(const domain::Action& action);

/// The Slurm commands that carry an action out, in order. Pure; names must have been checked.
///
/// A requeue with excluded nodes is held, told, and released, so that it cannot start on an
/// excluded node in between. A resubmission submits the copy on hold before it cancels the
/// original, so that a refused copy costs nothing; "NEW_JOB" stands for an id that only sbatch can
/// tell.
std::vector<std::vector<std::string>> actionCommands(const domain::Action& action,
                                                     std::string_view operationId,
                                                     const Exclusions& exclusions = {});

/// "yard:17 bad fan"; control characters become blanks. Empty if there is nothing to say.
std::string markedReason(std::string_view reason, std::string_view operationId);

/// "yard:17", or empty without an operation.
std::string mark(std::string_view operationId);

/// `existing` and `more` as one folded hostlist.
std::string joinHosts(std::string_view existing, const std::vector<std::string>& more);

/// Heterogeneous jobs are held, requeued and cancelled as a whole: "7+1" is job 7.
std::string wholeJob(std::string_view displayId);

constexpr std::string_view kNewJob = "NEW_JOB";

}  // namespace yard::scheduler::slurm
