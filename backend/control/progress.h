#pragma once

#include <string>

#include "backend/control/cluster_snapshot.h"
#include "backend/store/journal.h"

namespace yard::control {

/// What is still to come of an operation that was observed: a drain is accepted long before the
/// last job has left, a reboot before the node is back. Empty at its end, and for what has no such
/// wait.
std::string progressOf(const store::OperationRecord& record, const ClusterSnapshot& snapshot);

}  // namespace yard::control
