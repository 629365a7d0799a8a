#pragma once

#include <QVector>

#include "ui/model/cluster_state.h"
#include "ui/widgets/facts/fact_sheet.h"

namespace yard::pages {

/// What the detail says of one job. `attempts` empty: not known yet. Links: "job:ID", "nodes:LIST".
QVector<widgets::Fact> jobFacts(const model::ClusterState& state, const model::JobInfo& job,
                                const QVector<model::JobAttemptInfo>& attempts,
                                const QString& attemptsError);

}  // namespace yard::pages
