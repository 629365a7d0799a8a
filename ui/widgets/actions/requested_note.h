#pragma once

#include <QString>

#include "ui/model/actions.h"

namespace yard::model {
class ClusterState;
}

namespace yard::widgets {

/// "drain requested, 1 s" of the open operation on a node or job; empty if there is none. Never a
/// fact: it stands beside the scheduler's words.
QString requestedNote(const model::ClusterState& state, const QString& target);

/// An operation in one line: "drained, 2.4 s after the request".
QString operationOutcome(const model::OperationInfo& operation);

}  // namespace yard::widgets
