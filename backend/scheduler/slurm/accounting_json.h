#pragma once

#include "backend/base/status.h"
#include "backend/scheduler/slurm/json_reply.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Jobs and steps of `sacct --json` and slurmrestd's slurmdb, 21.08 to 24.11. Success is a matter
/// of the state: 22.05 and 23.02 claim exit code 0 for every process that exited by itself.
StatusOr<JobsRead> readAccountingJson(const JsonReply& reply);

}  // namespace yard::scheduler::slurm
