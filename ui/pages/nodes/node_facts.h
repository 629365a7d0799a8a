#pragma once

#include <QVector>

#include "ui/widgets/facts/fact_sheet.h"

namespace yard::model {
class ClusterState;
}

namespace yard::pages {

/// What the inspector says of one node: state, GPUs with readings and ages, jobs there, sources,
/// the last operations on it. Links: "job:ID".
QVector<widgets::Fact> nodeFacts(const model::ClusterState& state, int node);

}  // namespace yard::pages
