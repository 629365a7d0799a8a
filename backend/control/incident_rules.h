#pragma once

#include <optional>
#include <string>

#include "backend/domain/incident.h"
#include "backend/domain/job.h"
#include "backend/domain/node.h"

namespace yard::control {

/// How a run of a job ended, and what its log says of it.
struct JobEnd {
    domain::Job job;
    std::optional<domain::Verdict> verdict = {};
    std::string logTrouble = {};  ///< why there is no verdict, a sentence; empty: nobody looked
};

/// Whether a broken part or a lost node may stand behind what a log or the scheduler says.
bool mayBeConsequence(domain::Reason reason, domain::Certainty certainty);

/// Whether the scheduler calls the end a failure, or may: its log is worth reading.
bool mayBeFailure(const domain::Job& job);
/// The scheduler itself says that the job lost a node.
bool isLossSaid(const domain::Job& job);
/// Whether it is an end that somebody must know of.
bool isFailedEnd(const JobEnd& end);

/// Whether the node has left service by a fault; what a person took out is not.
bool isLost(const domain::Node& node);

/// What a new incident takes from an end.
void adoptEnd(domain::Incident& incident, const JobEnd& end);

/// The same for ends that are repeats of one another: tasks of an array, a script submitted again,
/// a service that is away. Empty: it is like no other.
std::string repeatKey(const JobEnd& end);

inline bool isClosed(const domain::Incident& incident)
{
    return incident.state == domain::IncidentState::Closed;
}

}  // namespace yard::control
