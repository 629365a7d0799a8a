#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace yard::domain {

enum class ActionKind : uint8_t {
    Drain,
    Resume,
    Down,
    Reboot,
    Hold,
    Release,
    Requeue,      ///< restart under the same job id; Slurm delays the start
    RequeueHold,  ///< as Requeue, but waits for a release
    Resubmit,     ///< restart as a new job with the same script, options and environment
    Cancel,
    Submit,  ///< a new job from a script
};

/// Bytes of a reason. Slurm takes more, and cuts it where it prints nodes.
constexpr size_t kLongestReason = 500;

struct Submission {
    std::string script;                ///< text of the batch script
    std::vector<std::string> options;  ///< for sbatch, one argument each
    std::string user;                  ///< empty: the daemon's own
    std::string workDirectory;
    bool operator==(const Submission&) const = default;
};

/// Something an operator wants done. Node actions use `nodes`, job actions `jobs` (display ids).
struct Action {
    ActionKind kind = ActionKind::Drain;
    std::vector<std::string> nodes;
    std::vector<std::string> jobs;
    std::string reason;                      ///< required for Drain and Down; no prefix
    std::vector<std::string> excludedNodes;  ///< Requeue, RequeueHold, Resubmit
    bool rebootWhenIdle = true;              ///< Reboot: wait for jobs (ASAP) or at once
    bool cancelOriginal = true;              ///< Resubmit: end the running original first
    std::optional<Submission> submission;    ///< Submit
    bool operator==(const Action&) const = default;
};

/// Lower case, as on the command line: "requeue-hold".
std::string_view name(ActionKind kind);
/// What its targets are once it is done: "drained".
std::string_view doneWord(ActionKind kind);
std::optional<ActionKind> actionKindFrom(std::string_view name);
bool isNodeAction(ActionKind kind);

}  // namespace yard::domain
