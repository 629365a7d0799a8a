#pragma once

#include "backend/base/status.h"
#include "backend/scheduler/slurm/json_reply.h"
#include "backend/scheduler/slurm/records.h"

namespace yard::scheduler::slurm {

/// Nodes of `scontrol show nodes --json`, `sinfo --json` and slurmrestd, 21.08 to 24.11: a list of
/// nodes, or (sinfo from 23.02 on) groups of like nodes. Chosen by shape.
StatusOr<NodesRead> readNodesJson(const JsonReply& reply);

}  // namespace yard::scheduler::slurm
