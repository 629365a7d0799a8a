#pragma once

#include <string>

#include "backend/control/cluster_snapshot.h"
#include "backend/domain/incident.h"

namespace yard::control {

/// "FAILED, exit code 1", "TIMEOUT", "CANCELLED by uid 1001".
std::string endOf(const domain::Job& job);

/// What happened: a sentence or two over all that was folded.
std::string happenedWords(const domain::Incident& incident);

/// A fresh look: how its nodes and jobs are now, and so whether what should happen did.
std::string seenNow(const domain::Incident& incident, const ClusterSnapshot& snapshot);

}  // namespace yard::control
