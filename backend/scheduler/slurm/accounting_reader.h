#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"
#include "backend/scheduler/slurm/text_marks.h"

namespace yard::scheduler::slurm {

/// The sacct call for runs that ended in the last `window`: one row a run, requeued ones too.
std::vector<std::string> accountingCommand(const TextMarks& marks, std::chrono::seconds window);

/// Ended runs as jobs. A run that was requeued has the id of its successor and a submit time of its
/// own; its state is that of the run ("NODE_FAIL"), or Cancelled with the flag REQUEUED.
std::vector<domain::Job> readAccounting(std::string_view output, const TextMarks& marks,
                                        domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
