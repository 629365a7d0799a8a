#pragma once

#include "backend/base/task_loop.h"
#include "backend/store/journal.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// The reading connection: long reads never hold up a write.
class Journal::Reader {
public:
    explicit Reader(Database database);

    /// Runs `read` on the reader's thread. False: too much is waiting.
    bool post(std::function<void()> read);

    StatusOr<std::vector<domain::Operation>> operations(uint32_t limit, uint64_t beforeId);
    StatusOr<AuditPage> audit(uint64_t afterSequence, uint32_t limit);
    StatusOr<std::vector<StateChange>> changes(const std::string& what, const std::string& name,
                                               uint32_t limit);
    StatusOr<Moment> moment(Time at);
    StatusOr<Timeline> timeline(Time from, Time to, uint32_t buckets);
    StatusOr<std::vector<OperationRecord>> load(Time since);
    StatusOr<std::vector<domain::Incident>> incidents(uint32_t limit, uint64_t beforeId);
    StatusOr<domain::Incident> incident(uint64_t id);
    StatusOr<std::vector<domain::Incident>> loadIncidents(Time since);
    StatusOr<uint64_t> lastIncidentId();
    StatusOr<uint64_t> lastOperationId();
    StatusOr<std::optional<domain::Operation>> byRequestId(const std::string& requestId);

private:
    Database m_database;
    TaskLoop m_loop{1024};  ///< last: ends before what its tasks use
};

}  // namespace yard::store
