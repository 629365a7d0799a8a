#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/job.h"
#include "backend/domain/node.h"

namespace yard::scheduler::slurm {

/// A node state as any release and command writes it: `idle*`, `MIXED#+CLOUD`, `drng`,
/// `DOWN+DRAIN`.
struct NodeWords {
    domain::NodeState state = domain::NodeState::Unknown;
    std::vector<std::string> flags;  ///< spelled as 23.11 prints them in JSON
    /// Only for words that hide the base state: `drained` may be idle or down.
    std::optional<domain::NodeCategory> category;
    bool isKnown = false;  ///< false if a word is none of Slurm's
};
NodeWords readNodeState(std::string_view text);

/// One word of a JSON list of states, a base state or a flag.
void addNodeStateWord(NodeWords& words, std::string_view word);

/// A job state in words: `RUNNING`, `CG`, `CANCELLED by 20144`, `COMPLETED,COMPLETING`.
struct JobWords {
    domain::JobState state = domain::JobState::Unknown;
    std::vector<std::string> flags;  ///< COMPLETING, CONFIGURING, REQUEUED …
    std::optional<uint32_t> cancelledByUid;
    std::string word;      ///< the first word, in full: "COMPLETING" for "CG"
    bool isKnown = false;  ///< false if a word is none of Slurm's
};
JobWords readJobState(std::string_view text);
void addJobStateWord(JobWords& words, std::string_view word);

/// squeue's text shows a flag in place of the base state. What it implies: a job that is completing
/// or configuring holds nodes (Running), one that is requeued waits. Unknown if it implies nothing.
domain::JobState stateImpliedByFlag(std::string_view flag);

}  // namespace yard::scheduler::slurm
