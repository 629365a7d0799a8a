#pragma once

#include <QString>
#include <QStringList>

#include "ui/model/actions.h"

namespace yard::model {

class ClusterState;

/// As on the command line and in RightInfo: "requeue-hold".
QString actionName(ActionKind kind);
bool isNodeAction(ActionKind kind);

/// Why this action cannot be asked for now, as a sentence: no connection, role, a right lacking in
/// the scheduler, nothing marked, wrong state. Empty if it can. The daemon decides; this only
/// spares a useless click.
QString refusalFor(const ClusterState& state, ActionKind kind, const QStringList& targets);

}  // namespace yard::model
