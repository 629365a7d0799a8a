#include "backend/store/journal_writer.h"

#include <fmt/format.h>

#include "backend/base/log.h"
#include "backend/store/operation_json.h"
#include "backend/store/state_spans.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr std::chrono::milliseconds kRetryEvery{500};
constexpr size_t kMostBacklog = 2000;
// Taking it back writes a mark and nothing else.
constexpr uint64_t kNoOperation = INT64_MAX;

bool canBeLost(const JournalEntry& entry)
{
    return entry.operations.empty() && entry.audit.empty() && entry.incidents.empty();
}

void bindAudit(Statement& statement, const AuditRecord& record)
{
    statement.bind(1, int64_t(record.sequence))
        .bind(2, toMicroseconds(record.at))
        .bind(3, record.by.user)
        .bind(4, int64_t(record.by.uid))
        .bind(5, int64_t(record.by.role))
        .bind(6, record.by.from)
        .bind(7, record.event)
        .bind(8, int64_t(record.operationId))
        .bind(9, record.action)
        .bind(10, record.targets)
        .bind(11, record.reason)
        .bind(12, record.command)
        .bind(13, record.detail)
        .bind(14, record.previousHash)
        .bind(15, record.hash);
}

void makeValidUtf8(AuditRecord& record)
{
    for (std::string* text : {&record.by.user, &record.by.from, &record.event, &record.action,
                              &record.targets, &record.reason, &record.command, &record.detail})
        *text = validUtf8(std::move(*text));
}

int64_t observedTargets(const domain::Operation& operation)
{
    int64_t count = 0;
    for (const domain::Target& target : operation.targets)
        count += target.state == domain::TargetState::Observed ? 1 : 0;
    return count;
}

}  // namespace

Journal::Writer::Writer(Database database)
    : m_database(std::move(database))
{
}

// A disk that is full from the start is known before anybody relies on it.
void Journal::Writer::probe(Time now)
{
    (void)m_loop.post([this, now] {
        if (!m_backlog.empty())
            return;
        m_backlog.push_back({{.at = now}, {}, kNoOperation});
        retry();
    });
}

Journal::Writer::~Writer()
{
    // Whatever still waits gets one last try on the writer's own thread.
    (void)m_loop.post([this] { retry(); });
    (void)m_loop.post([this] {
        for (Pending& pending : m_backlog)
            if (pending.done)
                pending.done(
                    absl::UnavailableError("The journal was closed before it was written."));
        if (!m_backlog.empty())
            log::error(fmt::format("{} journal entries could not be written.", m_backlog.size()));
    });
}

void Journal::Writer::write(JournalEntry entry, std::function<void(Status)> done)
{
    auto pending = std::make_shared<Pending>(Pending{std::move(entry), std::move(done), 0});
    if (!m_loop.post([this, pending] { accept(std::move(*pending)); }) && pending->done)
        pending->done(absl::ResourceExhaustedError("The journal is behind: nothing was written."));
}

void Journal::Writer::onHealth(std::function<void(JournalHealth)> changed)
{
    const std::lock_guard lock(m_healthMutex);
    m_changed = std::move(changed);
    if (m_changed)
        m_changed(m_health);
}

void Journal::Writer::accept(Pending pending)
{
    if (!m_backlog.empty()) {
        if (pending.entry.isIntent)
            refuse(pending, absl::UnavailableError(m_health.error));
        else
            keep(std::move(pending));
        return;
    }
    const Status status = commit(pending);
    // A request id that was used before says nothing about the disk.
    const bool isRepeat = pending.entry.isIntent && absl::IsAlreadyExists(status);
    if (!isRepeat)
        report(status);
    if (status.ok() || isRepeat) {
        if (pending.done)
            pending.done(status);
        return;
    }
    if (pending.entry.isIntent) {
        for (const OperationRecord& record : pending.entry.operations)
            m_backlog.push_back({{.at = pending.entry.at}, {}, record.operation.id});
        refuse(pending, status);
    } else {
        keep(std::move(pending));
    }
    m_loop.postAfter(kRetryEvery, [this] { retry(); });
}

void Journal::Writer::refuse(Pending& pending, const Status& why)
{
    if (pending.done)
        pending.done(
            absl::UnavailableError(fmt::format("The journal cannot be written, so nothing was "
                                               "done. {} Try again when the disk is back.",
                                               std::string(why.message()))));
}

void Journal::Writer::keep(Pending pending)
{
    if (m_backlog.size() < kMostBacklog || !canBeLost(pending.entry)) {
        m_backlog.push_back(std::move(pending));
        return;
    }
    const std::lock_guard lock(m_healthMutex);
    m_health.lost += pending.entry.changes.size() + pending.entry.faults.size();
    m_health.statesLost += pending.entry.states ? 1 : 0;
}

void Journal::Writer::retry()
{
    while (!m_backlog.empty()) {
        const Status status = commit(m_backlog.front());
        report(status);
        if (!status.ok()) {
            m_loop.postAfter(kRetryEvery, [this] { retry(); });
            return;
        }
        if (m_backlog.front().done)
            m_backlog.front().done(status);
        m_backlog.pop_front();
    }
}

Status Journal::Writer::commit(Pending& pending)
{
    YARD_RETURN_IF_ERROR(m_database.begin());
    Status status = m_chainKnown ? absl::OkStatus() : loadChainEnd();
    if (status.ok())
        status = pending.withdraw != 0 ? withdraw(pending.withdraw) : writeAll(pending.entry);
    if (status.ok())
        status = m_database.commit();
    if (!status.ok()) {
        m_database.rollback();
        m_chainKnown = false;
    }
    return status;
}

Status Journal::Writer::writeAll(JournalEntry& entry)
{
    YARD_RETURN_IF_ERROR(writeOperations(entry));
    YARD_RETURN_IF_ERROR(writeAudit(entry));
    YARD_RETURN_IF_ERROR(writeChanges(entry));
    YARD_RETURN_IF_ERROR(writeFaults(entry));
    YARD_RETURN_IF_ERROR(writeIncidents(entry));
    return writeStates(entry);
}

Status Journal::Writer::writeOperations(const JournalEntry& entry)
{
    if (entry.operations.empty())
        return absl::OkStatus();
    auto operations = m_database.prepare(
        "INSERT INTO operations(id,request_id,state,requested_us,body) VALUES(?1,?2,?3,?4,?5) "
        "ON CONFLICT(id) DO UPDATE SET state=?3, body=?5");
    if (!operations.ok())
        return operations.status();
    auto changes = m_database.prepare("INSERT INTO operation_changes VALUES(?1,?2,?3,?4,?5)");
    if (!changes.ok())
        return changes.status();
    for (const OperationRecord& record : entry.operations) {
        const domain::Operation& operation = record.operation;
        operations->bind(1, int64_t(operation.id)).bind(3, int64_t(operation.state));
        if (!operation.requestId.empty())
            operations->bind(2, operation.requestId);
        operations->bind(4, toMicroseconds(operation.requestedAt)).bind(5, toJson(record));
        YARD_RETURN_IF_ERROR(operations->run());
        changes->bind(1, int64_t(operation.id)).bind(2, toMicroseconds(entry.at));
        changes->bind(3, int64_t(operation.state)).bind(4, observedTargets(operation));
        changes->bind(5, operation.message);
        YARD_RETURN_IF_ERROR(changes->run());
    }
    return absl::OkStatus();
}

Status Journal::Writer::writeAudit(JournalEntry& entry)
{
    if (entry.audit.empty())
        return absl::OkStatus();
    auto statement = m_database.prepare(
        "INSERT INTO audit VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15)");
    if (!statement.ok())
        return statement.status();
    for (AuditRecord& record : entry.audit) {
        makeValidUtf8(record);
        record.sequence = m_lastSequence + 1;
        record.previousHash = m_lastHash;
        record.at = fromMicroseconds(toMicroseconds(record.at));
        record.hash = auditHash(record);
        bindAudit(*statement, record);
        YARD_RETURN_IF_ERROR(statement->run());
        m_lastSequence = record.sequence;
        m_lastHash = record.hash;
    }
    return absl::OkStatus();
}

Status Journal::Writer::writeChanges(const JournalEntry& entry)
{
    if (entry.changes.empty())
        return absl::OkStatus();
    auto statement = m_database.prepare("INSERT INTO state_changes VALUES(?1,?2,?3,?4,?5,?6)");
    if (!statement.ok())
        return statement.status();
    for (const StateChange& change : entry.changes) {
        statement->bind(1, toMicroseconds(change.at)).bind(2, change.what).bind(3, change.name);
        statement->bind(4, change.before).bind(5, change.after).bind(6, change.detail);
        YARD_RETURN_IF_ERROR(statement->run());
    }
    return absl::OkStatus();
}

Status Journal::Writer::writeFaults(const JournalEntry& entry)
{
    if (entry.faults.empty())
        return absl::OkStatus();
    auto statement = m_database.prepare("INSERT INTO faults VALUES(?1,?2,?3,?4,?5,?6,?7,?8)");
    if (!statement.ok())
        return statement.status();
    for (const domain::Fault& fault : entry.faults) {
        statement->bind(1, toMicroseconds(fault.at.value_or(entry.at)));
        statement->bind(2, int64_t(fault.kind)).bind(3, fault.host).bind(4, fault.pci);
        if (fault.gpuIndex)
            statement->bind(5, int64_t(*fault.gpuIndex));
        statement->bind(6, int64_t(fault.code)).bind(7, fault.text).bind(8, int64_t(fault.count));
        YARD_RETURN_IF_ERROR(statement->run());
    }
    return absl::OkStatus();
}

Status Journal::Writer::writeStates(const JournalEntry& entry)
{
    return entry.states ? writeSeen(m_database, *entry.states, entry.at) : absl::OkStatus();
}

// The requester was told that nothing was done; a restart must not do it after all.
Status Journal::Writer::withdraw(uint64_t operationId)
{
    auto probe = m_database.prepare("INSERT OR REPLACE INTO probe VALUES(1,?1)");
    if (!probe.ok())
        return probe.status();
    probe->bind(1, toMicroseconds(m_backlog.front().entry.at));
    YARD_RETURN_IF_ERROR(probe->run());
    auto found = m_database.prepare("SELECT body FROM operations WHERE id=?1");
    if (!found.ok())
        return found.status();
    found->bind(1, int64_t(operationId));
    const StatusOr<bool> row = found->step();
    if (!row.ok() || !*row)
        return row.status();
    StatusOr<OperationRecord> record = operationFromJson(found->text(0));
    if (!record.ok())
        return record.status();
    found->reset();
    record->operation.state = domain::OperationState::Refused;
    record->operation.message = "The journal could not be written: nothing was done.";
    return writeOperations({.at = record->operation.requestedAt, .operations = {*record}});
}

Status Journal::Writer::loadChainEnd()
{
    auto statement =
        m_database.prepare("SELECT sequence,hash FROM audit ORDER BY sequence DESC LIMIT 1");
    if (!statement.ok())
        return statement.status();
    const StatusOr<bool> row = statement->step();
    if (!row.ok())
        return row.status();
    m_lastSequence = *row ? uint64_t(statement->integer(0)) : 0;
    m_lastHash = *row ? statement->text(1) : kFirstPreviousHash;
    m_chainKnown = true;
    return absl::OkStatus();
}

void Journal::Writer::report(const Status& status)
{
    const std::lock_guard lock(m_healthMutex);
    const std::string error = status.ok() ? std::string() : std::string(status.message());
    if (m_health.ok == status.ok() && m_health.error == error)
        return;
    m_health.ok = status.ok();
    m_health.error = error;
    if (status.ok())
        log::info("The journal can be written again.");
    else
        log::error(error);
    if (m_changed)
        m_changed(m_health);
}

}  // namespace yard::store
