#pragma once

#include "ui/model/actions.h"
#include "ui/widgets/toast.h"

namespace yard::model {
class ClusterState;
}

namespace yard::widgets {

/// What is told once of an operation that has settled: what was observed, or refused, in words.
/// Without the undo.
ToastText outcomeToast(const model::ClusterState& state, const model::OperationInfo& operation);

}  // namespace yard::widgets
