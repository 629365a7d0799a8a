#pragma once

#include <string_view>

#include "app/ctl/inspect.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::ctl {

/// What a read of nodes or jobs brought, with its sums.
void writeRead(const scheduler::slurm::NodesRead& read, Json& out);
void writeRead(const scheduler::slurm::JobsRead& read, Json& out);

/// Files with one word a line: slurm.gres.text, slurm.tres.text, slurm.time.text,
/// slurm.hostlist.text. False for another kind.
bool inspectWords(std::string_view kind, std::string_view body, Json& out);

}  // namespace yard::ctl
