#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"

namespace yard::domain {

/// How a source of readings is doing; itself shown.
struct TargetHealth {
    std::string target;  ///< "gpu031:9400", "kernel:gpu031"
    std::string kind;    ///< "dcgm", "node", "ipmi", "kernel", "prometheus"
    std::string host;
    bool up = false;
    std::optional<Time> lastSuccess;
    std::string error;  ///< a sentence; empty while up
    float seconds = 0;  ///< duration of the last read
    uint64_t samples = 0;
    uint64_t badLines = 0;
    std::string firstBadLine;
    bool operator==(const TargetHealth&) const = default;
};

/// The scheduler as seen from here, and what we cost it.
struct SchedulerHealth {
    std::string kind;  ///< "slurm", "simulated"
    std::string version;
    bool up = false;
    std::optional<Time> lastSuccess;
    std::string error;
    float replySeconds = 0;    ///< the last poll
    float callsPerMinute = 0;  ///< ours, all kinds
    float pollSeconds = 0;     ///< current interval, longer when it slows
    bool backedOff = false;
    uint64_t badRecords = 0;
    std::string firstBadRecord;
    bool operator==(const SchedulerHealth&) const = default;
};

/// Which actions the daemon's own account may take in the scheduler, checked at start.
struct Right {
    std::string action;  ///< name(ActionKind)
    bool allowed = false;
    std::string detail;  ///< why not, or how it was established
    bool operator==(const Right&) const = default;
};

}  // namespace yard::domain
