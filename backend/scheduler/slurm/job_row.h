#pragma once

#include <optional>
#include <string_view>

#include "backend/scheduler/slurm/records.h"
#include "backend/scheduler/slurm/table_text.h"

namespace yard::scheduler::slurm {

/// "12345", "12345_7", "12345_[1-10%2]", "7+1", any of them with ".batch" behind it.
struct JobIdText {
    uint64_t id = 0;
    std::optional<domain::ArrayPlace> array;
    std::optional<domain::HetPlace> het;
    std::string_view step;  ///< "batch"; empty for the job itself
};
std::optional<JobIdText> readJobId(std::string_view text);
bool isJobId(std::string_view text);

/// A job from one row of sacct or squeue, columns named as sacct's -o or squeue's header has them,
/// in lower case. Nothing without a job id. `command` names it in the notes.
std::optional<JobRecord> jobOf(const TableRow& row, std::string_view command,
                               domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
