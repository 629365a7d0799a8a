#pragma once

#include "backend/base/status.h"
#include "backend/scheduler/slurm/json_reply.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Jobs of `squeue --json`, `scontrol show jobs --json` and slurmrestd, 21.08 to 24.11.
StatusOr<JobsRead> readJobsJson(const JsonReply& reply);

}  // namespace yard::scheduler::slurm
