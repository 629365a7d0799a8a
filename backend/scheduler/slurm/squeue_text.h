#pragma once

#include <string_view>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Output of squeue that somebody else has formatted: the default columns, `-o` with a delimiter, a
/// hand-made JSON line a job, several clusters (-M). One bad line costs that line.
StatusOr<JobsRead> readSqueueText(std::string_view output);

}  // namespace yard::scheduler::slurm
