#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"
#include "backend/domain/job.h"
#include "backend/scheduler/slurm/text_marks.h"

namespace yard::scheduler::slurm {

/// A job as squeue prints it. The free texts are kept byte for byte: they are what tells the rest
/// of a record from a forgery in the other command that prints jobs.
struct QueueRecord {
    domain::Job job;
    std::string name;
    std::string comment;
    std::string command;
    std::string workDirectory;
};

/// The squeue call: all jobs that slurmctld knows, ended ones too, one record each. With `jobs`
/// (raw ids of jobs and arrays) only those.
std::vector<std::string> queueCommand(const TextMarks& marks,
                                      const std::vector<uint64_t>& jobs = {});

/// A record with a wrong number of fields or without a job id costs that record.
std::vector<QueueRecord> readQueue(std::string_view output, const TextMarks& marks,
                                   domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
