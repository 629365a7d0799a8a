#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Output of sacct that somebody else has formatted (-P, -p, --delimiter, or the default columns).
/// `fields` are the names given to -o; empty: from the header, or guessed from well-known lists.
/// The records of one job that was requeued become its runs.
StatusOr<JobsRead> readSacctText(std::string_view output,
                                 const std::vector<std::string>& fields = {});

}  // namespace yard::scheduler::slurm
