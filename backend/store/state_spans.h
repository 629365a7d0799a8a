#pragma once

#include <functional>

#include "backend/store/sqlite.h"
#include "backend/store/state_history.h"

namespace yard::store {

/// Takes one look at the scheduler into the journal, within the caller's transaction.
Status writeSeen(Database& database, const StatesSeen& seen, Time at);

/// Calls `each` with the body of every version of a kind that was in force at a moment.
Status readSpans(Database& database, StateKind kind, int64_t atUs,
                 const std::function<void(std::string_view body)>& each);

/// The known span around a moment, or the last one before it.
StatusOr<std::optional<KnownSpan>> knownAround(Database& database, int64_t atUs);
StatusOr<std::optional<KnownSpan>> knownBefore(Database& database, int64_t atUs);
/// At most `most`, oldest first: of many short gaps the later ones are left out.
StatusOr<std::vector<KnownSpan>> knownWithin(Database& database, int64_t fromUs, int64_t toUs,
                                             int64_t most);
StatusOr<std::optional<KnownSpan>> knownExtent(Database& database);

}  // namespace yard::store
