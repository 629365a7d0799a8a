#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/action.h"

namespace yard::domain {

/// Who asks, as the server established it; never taken from the request itself.
enum class Role : uint8_t { None, Viewer, Operator, Admin };
std::string_view name(Role role);

struct Identity {
    std::string user;
    uint32_t uid = 0;
    Role role = Role::None;
    std::string from;  ///< "unix pid 4711"
    bool operator==(const Identity&) const = default;
};

/// The life of an operation. Requested: in the journal, the scheduler has not heard of it.
/// Sent: the scheduler was called. Observed: the scheduler reports it as done, for all targets.
/// Refused: the scheduler said no; nothing or only a part was changed. InDoubt: no answer in time;
/// it is being read back.
enum class OperationState : uint8_t { Requested, Sent, Observed, Refused, InDoubt, Superseded };
std::string_view name(OperationState state);

enum class TargetState : uint8_t { Requested, Observed, Refused };

/// One node or job of an operation.
struct Target {
    std::string name;  ///< node name or display id
    TargetState state = TargetState::Requested;
    std::string before;       ///< the scheduler's words when it was requested
    std::string observed;     ///< the scheduler's words at the last look
    std::string newJob = {};  ///< Resubmit, Submit: display id of the job that takes its place
    bool operator==(const Target&) const = default;
};

struct Operation {
    uint64_t id = 0;        ///< in drain reasons: "yard:<id> <reason>"
    std::string requestId;  ///< chosen by the client; the same id is the same operation
    Action action;
    Identity by;
    Time requestedAt;
    std::optional<Time> sentAt;
    std::optional<Time> finishedAt;
    OperationState state = OperationState::Requested;
    std::vector<Target> targets;
    std::vector<std::string> commands;  ///< exactly what was run, quoted for a shell
    std::string message;                ///< the scheduler's own words, verbatim
    std::string newJob;                 ///< of the targets, "17, 18" if there are several
    std::optional<uint64_t> undoes;     ///< the operation this one takes back
    std::string progress;   ///< observed, but not at its end: "gpu003 drains …"; not kept
    bool undoable = false;  ///< its reverse exists and the state is still as it left it
    bool operator==(const Operation&) const = default;
};

bool isOpen(OperationState state);

}  // namespace yard::domain
