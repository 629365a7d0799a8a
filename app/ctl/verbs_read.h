#pragma once

#include <string>
#include <vector>

#include "app/ctl/connection.h"

namespace yard::ctl {

/// What narrows a list. Words may be several, parted by commas.
struct Filter {
    std::vector<std::string> names;  ///< hostlist expressions or job ids; empty: all
    std::string state;
    std::string partition;
    std::string user;
};

int showNodes(const CommonOptions& options, const Filter& filter);
int showJobs(const CommonOptions& options, const Filter& filter);
int showGpus(const CommonOptions& options, const Filter& filter);
int showOperations(const CommonOptions& options, uint32_t limit);
/// One JSON object a line with --json: the form that `audit verify` reads.
int showAudit(const CommonOptions& options, uint64_t afterSequence);

}  // namespace yard::ctl
