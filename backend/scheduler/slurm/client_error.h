#pragma once

#include <string_view>

#include "backend/base/status.h"

namespace yard::scheduler::slurm {

/// Fails if a command's output is empty or is the client's own message ("sacct: fatal: …") in place
/// of a table. An empty output never means an empty cluster.
Status checkOutput(std::string_view output);

}  // namespace yard::scheduler::slurm
