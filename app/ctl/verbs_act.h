#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/ctl/connection.h"
#include "backend/domain/action.h"

namespace yard::ctl {

/// A write, as asked for on the command line.
struct ActRequest {
    domain::ActionKind kind = domain::ActionKind::Drain;
    std::vector<std::string> targets;  ///< hostlist expressions or job ids
    std::string reason;
    std::string exclude;  ///< hostlist expression
    bool rebootNow = false;
    bool keepOriginal = false;
    std::optional<uint64_t> undoOperation;  ///< take this operation back; all above is ignored

    bool yes = false;
    bool dryRun = false;
    bool noWait = false;
    uint32_t count = 0;  ///< the typed count
    int waitSeconds = 300;
    std::string requestId;  ///< empty: a new one
};

/// Preview, show, confirm, execute, wait until the scheduler reports it as done.
int act(const CommonOptions& options, const ActRequest& request);

}  // namespace yard::ctl
