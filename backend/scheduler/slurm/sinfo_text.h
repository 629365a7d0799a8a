#pragma once

#include <string_view>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Output of sinfo that somebody else has formatted: with a header, or `-h -N -O
/// NodeList,AllocMem,Memory,CPUsState,StateLong` in its columns of 20. A node is printed once for
/// each of its partitions and counted once. A value that fills its column may be cut: its line is
/// bad.
StatusOr<NodesRead> readSinfoText(std::string_view output);

}  // namespace yard::scheduler::slurm
