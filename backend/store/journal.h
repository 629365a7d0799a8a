#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/domain/fault.h"
#include "backend/domain/incident.h"
#include "backend/domain/operation.h"
#include "backend/store/audit.h"
#include "backend/store/state_history.h"

namespace yard::store {

/// What a target looked like before we touched it; tells later whether it has been carried out.
struct Evidence {
    std::string target;
    uint64_t jobId = 0;
    int64_t submitTimeUs = 0;
    int64_t startTimeUs = 0;
    int restarts = 0;
    int64_t bootTimeUs = 0;
    bool wasOut = false;  ///< the node was drained or down already
    std::string reason;   ///< of the node
    bool sawReboot = false;
    bool accepted = false;  ///< the scheduler answered yes: it is never asked again
    bool operator==(const Evidence&) const = default;
};

struct OperationRecord {
    domain::Operation operation;
    std::vector<Evidence> evidence;  ///< parallel to the operation's targets
    bool operator==(const OperationRecord&) const = default;
};

/// A node or job that is different now.
struct StateChange {
    Time at;
    std::string what;  ///< "node" or "job"
    std::string name;
    std::string before;
    std::string after;
    std::string detail;  ///< reason, user
};

/// Written as one transaction, or not at all.
struct JournalEntry {
    Time at = {};
    std::vector<OperationRecord> operations = {};
    std::vector<AuditRecord> audit = {};  ///< sequence and hashes are filled in by the journal
    std::vector<StateChange> changes = {};
    std::vector<domain::Fault> faults = {};
    std::optional<StatesSeen> states = {};
    std::vector<domain::Incident> incidents = {};
    bool isIntent = false;  ///< refused at once if it cannot be written; all else is tried again
};

struct JournalHealth {
    bool ok = true;
    std::string error;        ///< a sentence; empty while ok
    uint64_t lost = 0;        ///< changes and faults dropped while the disk was away
    uint64_t statesLost = 0;  ///< likewise looks at the scheduler: the next must be anew
};

/// The history that survives: operations, state changes, faults, incidents and the audit chain, in
/// one SQLite file. One writing connection on its own thread, one reading connection on another.
///
/// A file that is damaged, foreign or of a newer version is refused with a sentence and left alone.
///
/// Thread: any. Callbacks run on threads of the journal and must only hand over.
class Journal {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    static StatusOr<std::unique_ptr<Journal>> open(const std::string& path);
    /// Writes what is queued, then closes.
    ~Journal();

    /// `done` may be empty. OK means: on the disk.
    void write(JournalEntry entry, std::function<void(Status)> done);
    /// Called whenever health changes. Set it before the first write; pass nullptr to stop.
    void onHealth(std::function<void(JournalHealth)> changed);

    /// Writes a mark, so that a disk that is full or read-only shows in the health at once and not
    /// with the next entry.
    void probe(Time now);

    /// Newest first, at most `limit`, ids below `beforeId` (0: from the newest).
    void operations(uint32_t limit, uint64_t beforeId,
                    Answer<std::vector<domain::Operation>> answer);
    /// In order, with the verdict over the page and its link to the record before.
    void audit(uint64_t afterSequence, uint32_t limit, Answer<AuditPage> answer);
    /// Checks the whole chain; DATA_LOSS names the first broken record.
    void verifyAudit(std::function<void(Status)> answer);
    /// State changes of one node or job, oldest first.
    void changes(std::string what, std::string name, uint32_t limit,
                 Answer<std::vector<StateChange>> answer);

    /// The cluster as it was; of now, as it was last seen.
    void moment(Time at, Answer<Moment> answer);
    /// Counts of what happened from `from` to `to`, in equal stretches. Extents are always those of
    /// all that is kept.
    void timeline(Time from, Time to, uint32_t buckets, Answer<Timeline> answer);

    /// Newest first, at most `limit`, ids below `beforeId` (0: from the newest).
    void incidents(uint32_t limit, uint64_t beforeId, Answer<std::vector<domain::Incident>> answer);
    void incident(uint64_t id, Answer<domain::Incident> answer);

    /// Read when it was opened: every open operation, and the finished ones since `since`.
    StatusOr<std::vector<OperationRecord>> loadOperations(Time since);
    /// Highest operation id ever written.
    StatusOr<uint64_t> lastOperationId();
    /// Every incident that is not closed, and those that went on after `since`; oldest first.
    StatusOr<std::vector<domain::Incident>> loadIncidents(Time since);
    StatusOr<uint64_t> lastIncidentId();
    StatusOr<std::optional<domain::Operation>> byRequestId(const std::string& requestId);

private:
    void verifyAuditAfter(uint64_t sequence, std::function<void(Status)> answer);

    class Writer;
    class Reader;
    Journal();
    std::unique_ptr<Writer> m_writer;
    std::unique_ptr<Reader> m_reader;
};

}  // namespace yard::store
