#include "backend/store/journal.h"

#include <future>

#include "backend/store/journal_reader.h"
#include "backend/store/journal_writer.h"
#include "backend/store/migrations.h"

namespace yard::store {
namespace {

constexpr uint32_t kAuditPage = 5000;

Status tooManyReads()
{
    return absl::ResourceExhaustedError("Too many reads of the journal wait. Try again.");
}

// Runs `read` on the reader's thread and waits for it.
template <typename T, typename Reader>
StatusOr<T> readNow(Reader& reader, std::function<StatusOr<T>()> read)
{
    std::promise<StatusOr<T>> promise;
    if (!reader.post([&] { promise.set_value(read()); }))
        return tooManyReads();
    return promise.get_future().get();
}

}  // namespace

Journal::Journal() = default;

Journal::~Journal() = default;

StatusOr<std::unique_ptr<Journal>> Journal::open(const std::string& path)
{
    StatusOr<Database> writing = Database::open(path, Database::Mode::ReadWrite);
    if (!writing.ok())
        return writing.status();
    YARD_RETURN_IF_ERROR(migrate(*writing, path));
    const StatusOr<int64_t> sound = writing->integer("SELECT count(*) FROM operations");
    if (!sound.ok())
        return sound.status();
    StatusOr<Database> reading = Database::open(path, Database::Mode::ReadOnly);
    if (!reading.ok())
        return reading.status();
    std::unique_ptr<Journal> journal(new Journal);
    journal->m_writer = std::make_unique<Writer>(std::move(*writing));
    journal->m_reader = std::make_unique<Reader>(std::move(*reading));
    return journal;
}

void Journal::write(JournalEntry entry, std::function<void(Status)> done)
{
    m_writer->write(std::move(entry), std::move(done));
}

void Journal::onHealth(std::function<void(JournalHealth)> changed)
{
    m_writer->onHealth(std::move(changed));
}

void Journal::probe(Time now)
{
    m_writer->probe(now);
}

void Journal::operations(uint32_t limit, uint64_t beforeId,
                         Answer<std::vector<domain::Operation>> answer)
{
    if (!m_reader->post(
            [this, limit, beforeId, answer] { answer(m_reader->operations(limit, beforeId)); }))
        answer(tooManyReads());
}

void Journal::audit(uint64_t afterSequence, uint32_t limit, Answer<AuditPage> answer)
{
    if (!m_reader->post([this, afterSequence, limit, answer] {
            answer(m_reader->audit(afterSequence, limit));
        }))
        answer(tooManyReads());
}

void Journal::verifyAudit(std::function<void(Status)> answer)
{
    verifyAuditAfter(0, std::move(answer));
}

// Page by page, so that other reads get their turn.
void Journal::verifyAuditAfter(uint64_t sequence, std::function<void(Status)> answer)
{
    audit(sequence, kAuditPage, [this, answer](const StatusOr<AuditPage>& page) {
        if (!page.ok())
            return answer(page.status());
        if (!page->chainOk)
            return answer(absl::DataLossError(page->chainError));
        if (page->records.size() < kAuditPage)
            return answer(absl::OkStatus());
        verifyAuditAfter(page->records.back().sequence, answer);
    });
}

void Journal::changes(std::string what, std::string name, uint32_t limit,
                      Answer<std::vector<StateChange>> answer)
{
    if (!m_reader->post([this, what = std::move(what), name = std::move(name), limit, answer] {
            answer(m_reader->changes(what, name, limit));
        }))
        answer(tooManyReads());
}

void Journal::moment(Time at, Answer<Moment> answer)
{
    if (!m_reader->post([this, at, answer] { answer(m_reader->moment(at)); }))
        answer(tooManyReads());
}

void Journal::timeline(Time from, Time to, uint32_t buckets, Answer<Timeline> answer)
{
    if (!m_reader->post(
            [this, from, to, buckets, answer] { answer(m_reader->timeline(from, to, buckets)); }))
        answer(tooManyReads());
}

void Journal::incidents(uint32_t limit, uint64_t beforeId,
                        Answer<std::vector<domain::Incident>> answer)
{
    if (!m_reader->post(
            [this, limit, beforeId, answer] { answer(m_reader->incidents(limit, beforeId)); }))
        answer(tooManyReads());
}

void Journal::incident(uint64_t id, Answer<domain::Incident> answer)
{
    if (!m_reader->post([this, id, answer] { answer(m_reader->incident(id)); }))
        answer(tooManyReads());
}

StatusOr<std::vector<domain::Incident>> Journal::loadIncidents(Time since)
{
    return readNow<std::vector<domain::Incident>>(*m_reader,
                                                  [&] { return m_reader->loadIncidents(since); });
}

StatusOr<uint64_t> Journal::lastIncidentId()
{
    return readNow<uint64_t>(*m_reader, [&] { return m_reader->lastIncidentId(); });
}

StatusOr<std::vector<OperationRecord>> Journal::loadOperations(Time since)
{
    return readNow<std::vector<OperationRecord>>(*m_reader, [&] { return m_reader->load(since); });
}

StatusOr<uint64_t> Journal::lastOperationId()
{
    return readNow<uint64_t>(*m_reader, [&] { return m_reader->lastOperationId(); });
}

StatusOr<std::optional<domain::Operation>> Journal::byRequestId(const std::string& requestId)
{
    return readNow<std::optional<domain::Operation>>(
        *m_reader, [&] { return m_reader->byRequestId(requestId); });
}

}  // namespace yard::store
