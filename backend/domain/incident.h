#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/verdict.h"

namespace yard::domain {

enum class IncidentState : uint8_t { Open, Acknowledged, Closed };
/// Critical: GPUs stand still now. Note: nothing of the cluster's is broken.
enum class Severity : uint8_t { Critical, Fault, Warning, Note };
enum class Witness : uint8_t { JobLog, Hardware, Scheduler };

std::string_view name(IncidentState state);
std::string_view name(Severity severity);
std::string_view name(Witness witness);

/// What one witness says, repeats folded.
struct IncidentEvidence {
    Witness witness = Witness::Scheduler;
    Time at;
    Time lastAt;
    std::string source;  ///< file, "kernel of gpu042", "slurm"
    uint64_t line = 0;   ///< of a file, from 1
    std::string text;
    std::string note;      ///< what it shows, or why it raised nothing
    uint32_t count = 1;    ///< times that it was said
    bool follows = false;  ///< a consequence: it raised nothing of its own
    std::string key;       ///< tells repeats of a fault; empty for what comes once
    bool operator==(const IncidentEvidence&) const = default;
};

/// One run of a job that an incident hit.
struct IncidentJob {
    std::string displayId;
    std::string run;  ///< this run of it, and no other
    std::string name;
    std::string user;
    std::string nodes;  ///< folded
    int gpus = 0;
    std::string end;  ///< "FAILED, exit code 1"; empty while it runs
    bool operator==(const IncidentJob&) const = default;
};

struct IncidentNote {
    Time at;
    std::string by;
    std::string text;
    bool operator==(const IncidentNote&) const = default;
};

/// One thing that went wrong, with all that tells of it. What happened, why, and what should be
/// done are kept apart; whether it was done is a fresh look, and not kept.
struct Incident {
    uint64_t id = 0;
    IncidentState state = IncidentState::Open;
    Severity severity = Severity::Note;
    Reason reason = Reason::Unknown;
    Certainty certainty = Certainty::Unknown;

    std::string happened;
    std::string why;
    std::string advice;
    bool shouldRestart = false;
    std::string cordonNode;  ///< to take out before the restart

    std::string node;  ///< where it started; empty if nowhere in particular
    std::optional<int> rank;
    std::string gpu;                 ///< index or PCI address
    std::vector<std::string> nodes;  ///< broken themselves, in order of their failing
    std::string switchName;          ///< what they share
    std::vector<IncidentJob> jobs;
    std::string rule;  ///< signature of the job's log

    Time first;
    Time last;
    uint64_t events = 0;        ///< all that was folded into it
    uint64_t followers = 0;     ///< of them, what would have raised nothing by itself
    uint64_t evidenceLeft = 0;  ///< beyond what is kept
    std::string assignee;
    std::vector<IncidentEvidence> evidence;
    std::vector<IncidentNote> notes;
    uint64_t joinedTo = 0;  ///< closed, because it is a part of this one
    bool operator==(const Incident&) const = default;
};

/// Infrastructure outranks anomalies, and those what a program does by itself.
Severity severityOf(const Incident& incident);

/// What a person does to an incident.
struct IncidentChange {
    enum class Kind : uint8_t { Acknowledge, Assign, Note, Close, Reopen };
    uint64_t id = 0;
    Kind kind = Kind::Note;
    std::string assignee;
    std::string note;
};
std::string_view name(IncidentChange::Kind kind);

/// Makes the change and notes who made it.
void apply(const IncidentChange& change, const std::string& by, Time at, Incident& incident);
/// "assigned to bob: looks at the switch", for the notes and the audit chain.
std::string words(const IncidentChange& change);

}  // namespace yard::domain
