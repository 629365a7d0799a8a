#pragma once

#include <QString>

namespace yard::model {
class ClusterState;
}

namespace yard::theme {

/// Stands for a figure that was never known; 0 would be a claim.
QString unknownFigure();
/// False: the daemon has not read its scheduler yet, or had not at that moment of the past, so that
/// no nodes and no jobs means nothing.
bool isSchedulerKnown(const model::ClusterState& state);
/// Why there are no nodes and jobs to show, a sentence; empty while the scheduler has been read.
QString whyUnknown(const model::ClusterState& state);
/// Why no GPU can have a reading, and where that is configured; empty if a source is.
QString whyNoTelemetry(const model::ClusterState& state);

}  // namespace yard::theme
