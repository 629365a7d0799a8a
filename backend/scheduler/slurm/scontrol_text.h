#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Output of `scontrol show nodes`, with or without -o and -d, 20.11 to 24.11.
StatusOr<NodesRead> readScontrolNodes(std::string_view output);

/// The same for readers to whom an output without nodes is no error.
NodesRead readNodeRecords(std::string_view output);

/// Output of `scontrol show jobs`, with or without -o and -d.
StatusOr<JobsRead> readScontrolJobs(std::string_view output);

/// `Key=value` pairs of one record. A key is only a known key, and only once: values hold blanks
/// and
/// "=" of their own. In the form of many lines a value ends with its line.
std::map<std::string, std::string, std::less<>> readScontrolFields(
    std::string_view record, const std::vector<std::string_view>& knownKeys);

/// A record that was cut: the first of `needed` that it lacks, each a list of keys of which one is
/// enough. Empty if it has all.
std::string cutAt(const std::map<std::string, std::string, std::less<>>& fields,
                  const std::vector<std::vector<std::string_view>>& needed);

/// Whether a record ends with the output and not with a line: then its last value may be half of
/// one.
bool isOpen(std::string_view record, std::string_view output);

}  // namespace yard::scheduler::slurm
