#pragma once

#include <functional>
#include <optional>
#include <string>

#include "backend/store/state_history.h"

namespace yard::store {

/// What the journal knows of jobs, read with a connection of its own: a look through all of them
/// takes a second, and must not keep those waiting who ask for a moment.
///
/// Calls `each` with every job that was seen between the two times, as it was last seen then, the
/// newest first, until it returns false. Damaged states are left out and counted in `unreadable`.
Status lastJobStates(const std::string& journal, Time from, Time to,
                     const std::function<bool(const KeptJob& job)>& each, uint64_t& unreadable);

/// How far back the scheduler has been looked at; empty: not yet.
StatusOr<std::optional<KnownSpan>> knownJobs(const std::string& journal);

}  // namespace yard::store
