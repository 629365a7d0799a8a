#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/domain/fault.h"
#include "backend/domain/operation.h"
#include "backend/store/state_body.h"

namespace yard::store {

enum class StateKind : uint8_t { Node, Job, Parts };

/// From now on this is what the scheduler says of a node, a job or the rest; until the next version
/// under the same key. Without a body it is gone.
struct StateVersion {
    StateKind kind = StateKind::Node;
    std::string key;
    std::optional<std::string> body;  ///< packBody()
};

/// One look at the scheduler, as the journal takes it in.
struct StatesSeen {
    bool isAnew = false;  ///< nobody has looked for a while: what was open ends when it was last
                          ///< seen, and `versions` are all there are
    std::vector<StateVersion> versions;
};

/// A stretch of time over which the states are known without a gap.
struct KnownSpan {
    Time from;
    Time to;
    bool operator==(const KnownSpan&) const = default;
};

/// The cluster as it was. Nodes in natural order of their names, with what the jobs there had of
/// them; jobs by id.
struct Moment {
    Time at;
    std::optional<KnownSpan> known;       ///< around the moment; without it there are no states
    std::optional<KnownSpan> lastBefore;  ///< while `known` is empty: what came before
    std::vector<domain::Node> nodes;
    std::vector<KeptJob> jobs;
    KeptParts parts;
    std::vector<domain::Fault> faults;          ///< of the day before, newest last
    std::vector<domain::Operation> operations;  ///< asked for in the day before, as they stood
    uint32_t unreadable = 0;                    ///< states whose bytes are damaged
};

/// What happened in one stretch of the time line.
struct TimelineBucket {
    uint32_t faults = 0;
    uint32_t failedJobs = 0;
    uint32_t operations = 0;
    bool operator==(const TimelineBucket&) const = default;
};

struct Timeline {
    std::optional<KnownSpan> extent;  ///< of all states ever kept; empty: none
    std::vector<KnownSpan> known;     ///< within what was asked for, oldest first
    Time from;
    Time to;
    std::vector<TimelineBucket> buckets;  ///< of equal length
};

}  // namespace yard::store
