#include "backend/store/job_states.h"

#include <unordered_set>

#include "backend/store/sqlite.h"
#include "backend/store/state_spans.h"
#include "backend/store/time_us.h"

namespace yard::store {

Status lastJobStates(const std::string& journal, Time from, Time to,
                     const std::function<bool(const KeptJob& job)>& each, uint64_t& unreadable)
{
    StatusOr<Database> database = Database::open(journal, Database::Mode::ReadOnly);
    if (!database.ok())
        return database.status();
    // By number, which is by time: no sorting of what may be gigabytes.
    StatusOr<Statement> spans = database->prepare(
        "SELECT key, body FROM state_spans WHERE kind=?1 AND to_us>=?2 AND from_us<=?3 "
        "ORDER BY id DESC");
    if (!spans.ok())
        return spans.status();
    spans->bind(1, int64_t(StateKind::Job));
    spans->bind(2, toMicroseconds(from)).bind(3, toMicroseconds(to));
    std::unordered_set<std::string> seen;
    for (;;) {
        const StatusOr<bool> row = spans->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return absl::OkStatus();
        if (!seen.insert(spans->text(0)).second)
            continue;
        const StatusOr<KeptJob> job = unpackJob(spans->blob(1));
        if (!job.ok())
            ++unreadable;
        else if (!each(*job))
            return absl::OkStatus();
    }
}

StatusOr<std::optional<KnownSpan>> knownJobs(const std::string& journal)
{
    StatusOr<Database> database = Database::open(journal, Database::Mode::ReadOnly);
    if (!database.ok())
        return database.status();
    return knownExtent(*database);
}

}  // namespace yard::store
