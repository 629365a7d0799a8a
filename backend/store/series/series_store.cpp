#include "backend/store/series/series_store.h"

#include "backend/store/series/series_reader.h"
#include "backend/store/series/series_schema.h"
#include "backend/store/series/series_writer.h"

namespace yard::store {
namespace {

constexpr size_t kMostReadsWaiting = 256;

template <typename T>
void refuse(const domain::SeriesHistory::Answer<T>& answer)
{
    answer(absl::ResourceExhaustedError("Too many reads of past readings wait. Try again."));
}

}  // namespace

struct SeriesStore::Parts {
    SubjectBook book;
    SeriesBuffer buffer;
    std::unique_ptr<SeriesReader> reader;
    std::unique_ptr<SeriesWriter> writer;
    TaskLoop reading{kMostReadsWaiting};  ///< last: ends before what its tasks use
};

SeriesStore::SeriesStore(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

SeriesStore::~SeriesStore() = default;

StatusOr<std::unique_ptr<SeriesStore>> SeriesStore::open(const std::string& path,
                                                         const Clock& clock,
                                                         SeriesRetention retention)
{
    StatusOr<Database> writing = Database::open(path, Database::Mode::ReadWrite);
    if (!writing.ok())
        return writing.status();
    YARD_RETURN_IF_ERROR(prepareSeries(*writing, path));
    auto parts = std::make_unique<Parts>();
    YARD_RETURN_IF_ERROR(parts->book.load(*writing));
    StatusOr<Database> reading = Database::open(path, Database::Mode::ReadOnly);
    if (!reading.ok())
        return reading.status();
    parts->reader = std::make_unique<SeriesReader>(*std::move(reading), parts->book, parts->buffer,
                                                   clock, retention);
    YARD_RETURN_IF_ERROR(parts->reader->prepare());
    parts->writer = std::make_unique<SeriesWriter>(*std::move(writing), parts->book, parts->buffer,
                                                   clock, retention);
    return std::unique_ptr<SeriesStore>(new SeriesStore(std::move(parts)));
}

void SeriesStore::append(SeriesTick tick)
{
    m_parts->writer->append(std::move(tick));
}

void SeriesStore::flush(std::function<void(Status)> done)
{
    m_parts->writer->flush(std::move(done));
}

void SeriesStore::onHealth(std::function<void(SeriesHealth)> changed)
{
    m_parts->writer->onHealth(std::move(changed));
}

void SeriesStore::range(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer)
{
    if (!m_parts->reading.post([this, request = std::move(request), answer] {
            answer(m_parts->reader->range(request));
        }))
        refuse(answer);
}

void SeriesStore::at(domain::InstantRequest request, Answer<domain::InstantAnswer> answer)
{
    if (!m_parts->reading.post([this, request, answer] { answer(m_parts->reader->at(request)); }))
        refuse(answer);
}

}  // namespace yard::store
