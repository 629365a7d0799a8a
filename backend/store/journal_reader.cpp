#include "backend/store/journal_reader.h"

#include "backend/store/operation_json.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr uint32_t kMostRows = 100'000;

int64_t bounded(uint32_t limit)
{
    return limit == 0 || limit > kMostRows ? kMostRows : limit;
}

AuditRecord auditFrom(const Statement& row)
{
    AuditRecord record;
    record.sequence = uint64_t(row.integer(0));
    record.at = fromMicroseconds(row.integer(1));
    record.by = {.user = row.text(2),
                 .uid = uint32_t(row.integer(3)),
                 .role = domain::Role(row.integer(4)),
                 .from = row.text(5)};
    record.event = row.text(6);
    record.operationId = uint64_t(row.integer(7));
    record.action = row.text(8);
    record.targets = row.text(9);
    record.reason = row.text(10);
    record.command = row.text(11);
    record.detail = row.text(12);
    record.previousHash = row.text(13);
    record.hash = row.text(14);
    return record;
}

StateChange changeFrom(const Statement& row)
{
    return {.at = fromMicroseconds(row.integer(0)),
            .what = row.text(1),
            .name = row.text(2),
            .before = row.text(3),
            .after = row.text(4),
            .detail = row.text(5)};
}

template <typename T, typename Convert>
StatusOr<std::vector<T>> allRows(Statement& statement, Convert convert)
{
    std::vector<T> rows;
    for (;;) {
        const StatusOr<bool> row = statement.step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return rows;
        StatusOr<T> value = convert(statement);
        if (!value.ok())
            return value.status();
        rows.push_back(std::move(*value));
    }
}

}  // namespace

Journal::Reader::Reader(Database database)
    : m_database(std::move(database))
{
}

bool Journal::Reader::post(std::function<void()> read)
{
    return m_loop.post(std::move(read));
}

StatusOr<std::vector<domain::Operation>> Journal::Reader::operations(uint32_t limit,
                                                                     uint64_t beforeId)
{
    auto statement = m_database.prepare(
        "SELECT body FROM operations WHERE ?1=0 OR id<?1 ORDER BY id DESC LIMIT ?2");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(beforeId)).bind(2, bounded(limit));
    return allRows<domain::Operation>(
        *statement, [](const Statement& row) -> StatusOr<domain::Operation> {
            StatusOr<OperationRecord> record = operationFromJson(row.text(0));
            if (!record.ok())
                return record.status();
            return std::move(record->operation);
        });
}

StatusOr<AuditPage> Journal::Reader::audit(uint64_t afterSequence, uint32_t limit)
{
    // The record before the page comes along, so that the page's first link is checked too.
    auto statement =
        m_database.prepare("SELECT * FROM audit WHERE sequence>=?1 ORDER BY sequence LIMIT ?2");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(afterSequence)).bind(2, bounded(limit) + 1);
    auto rows = allRows<AuditRecord>(
        *statement, [](const Statement& row) -> StatusOr<AuditRecord> { return auditFrom(row); });
    if (!rows.ok())
        return rows.status();
    AuditPage page;
    Status verdict = verifyChain(*rows);
    const uint64_t first = std::max<uint64_t>(afterSequence, 1);
    if (verdict.ok() && !rows->empty() && rows->front().sequence != first)
        verdict = absl::DataLossError("The audit chain is broken: its beginning is missing.");
    page.chainOk = verdict.ok();
    page.chainError = std::string(verdict.message());
    if (!rows->empty() && rows->front().sequence == afterSequence)
        rows->erase(rows->begin());
    if (rows->size() > size_t(bounded(limit)))
        rows->pop_back();
    page.records = std::move(*rows);
    return page;
}

StatusOr<std::vector<StateChange>> Journal::Reader::changes(const std::string& what,
                                                            const std::string& name, uint32_t limit)
{
    auto statement = m_database.prepare(
        "SELECT * FROM state_changes WHERE what=?1 AND name=?2 ORDER BY rowid LIMIT ?3");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, what).bind(2, name).bind(3, bounded(limit));
    return allRows<StateChange>(
        *statement, [](const Statement& row) -> StatusOr<StateChange> { return changeFrom(row); });
}

StatusOr<std::vector<OperationRecord>> Journal::Reader::load(Time since)
{
    auto statement = m_database.prepare(
        "SELECT body FROM operations WHERE state IN (?1,?2,?3) OR requested_us>=?4 ORDER BY id");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(domain::OperationState::Requested))
        .bind(2, int64_t(domain::OperationState::Sent))
        .bind(3, int64_t(domain::OperationState::InDoubt))
        .bind(4, toMicroseconds(since));
    return allRows<OperationRecord>(
        *statement, [](const Statement& row) { return operationFromJson(row.text(0)); });
}

StatusOr<uint64_t> Journal::Reader::lastOperationId()
{
    const StatusOr<int64_t> id = m_database.integer("SELECT coalesce(max(id),0) FROM operations");
    if (!id.ok())
        return id.status();
    return uint64_t(*id);
}

StatusOr<std::optional<domain::Operation>> Journal::Reader::byRequestId(
    const std::string& requestId)
{
    auto statement = m_database.prepare("SELECT body FROM operations WHERE request_id=?1");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, requestId);
    const StatusOr<bool> row = statement->step();
    if (!row.ok())
        return row.status();
    if (!*row)
        return std::nullopt;
    StatusOr<OperationRecord> record = operationFromJson(statement->text(0));
    if (!record.ok())
        return record.status();
    return std::move(record->operation);
}

}  // namespace yard::store
