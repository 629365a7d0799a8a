#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"
#include "backend/scheduler/slurm/queue_reader.h"

namespace yard::scheduler::slurm {

/// The call for what squeue cannot print: GPU indices, restarts, exit code, output file.
std::vector<std::string> detailsCommand();

/// Adds what `scontrol -d -o show job` says to the jobs that squeue named.
///
/// That output is not one line a job, and a name or comment can hold what looks like another
/// record. So each record is read along the free texts known from squeue, and a job that still
/// appears twice keeps its details unknown.
void addDetails(std::string_view output, std::vector<QueueRecord>& records,
                domain::ReadNotes& notes);

/// One job's record in two parts: what Slurm alone writes, and what follows the free texts.
struct DetailRecord {
    std::string_view body;
    std::string_view tail;
};

/// The record of `known` in that output; nothing if it is not there, or twice.
std::optional<DetailRecord> findDetails(std::string_view output, const QueueRecord& known);

/// The output file of a job.
std::string standardOutputOf(const DetailRecord& details);

/// Exit status from "3:0".
domain::ExitStatus readExit(std::string_view text);

}  // namespace yard::scheduler::slurm
