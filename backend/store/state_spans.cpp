#include "backend/store/state_spans.h"

#include <bit>
#include <limits>

#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr int kOpenClass = 63;
constexpr int kLastClass = 52;  // 142 years
constexpr int64_t kNoEnd = std::numeric_limits<int64_t>::max();
// The last look still holds until the next one is due.
constexpr int64_t kLookHoldsUs = 30'000'000;

// A span of length [2^(k-1), 2^k) microseconds has class k. Whoever covers a moment began within
// 2^k before it, so that each class is a short range of its index.
int64_t classOf(int64_t fromUs, int64_t toUs)
{
    return std::bit_width(uint64_t(std::max<int64_t>(toUs - fromUs, 0)));
}

struct OpenSpan {
    int64_t id;
    int64_t fromUs;
};

Status close(Statement& update, Statement& remove, const OpenSpan& span, int64_t toUs)
{
    if (toUs <= span.fromUs)
        return remove.bind(1, span.id).run();
    update.bind(1, span.id).bind(2, toUs).bind(3, classOf(span.fromUs, toUs));
    return update.run();
}

class SpanWriter {
public:
    static StatusOr<SpanWriter> make(Database& database)
    {
        SpanWriter writer;
        const std::pair<Statement*, const char*> all[] = {
            {&writer.m_find,
             "SELECT id, from_us FROM state_spans WHERE kind=?1 AND key=?2 AND span_class=63"},
            {&writer.m_open, "SELECT id, from_us FROM state_spans WHERE span_class=63"},
            {&writer.m_close, "UPDATE state_spans SET to_us=?2, span_class=?3 WHERE id=?1"},
            {&writer.m_remove, "DELETE FROM state_spans WHERE id=?1"},
            {&writer.m_insert,
             "INSERT INTO state_spans(kind, key, span_class, from_us, to_us, body) "
             "VALUES(?1,?2,63,?3,?4,?5)"}};
        for (const auto& [statement, sql] : all) {
            StatusOr<Statement> prepared = database.prepare(sql);
            if (!prepared.ok())
                return prepared.status();
            *statement = *std::move(prepared);
        }
        return writer;
    }

    Status closeAll(int64_t toUs)
    {
        std::vector<OpenSpan> open;
        for (;;) {
            const StatusOr<bool> row = m_open.step();
            if (!row.ok())
                return row.status();
            if (!*row)
                break;
            open.push_back({m_open.integer(0), m_open.integer(1)});
        }
        m_open.reset();
        for (const OpenSpan& span : open)
            YARD_RETURN_IF_ERROR(close(m_close, m_remove, span, toUs));
        return absl::OkStatus();
    }

    Status put(const StateVersion& version, int64_t atUs)
    {
        m_find.bind(1, int64_t(version.kind)).bind(2, version.key);
        const StatusOr<bool> row = m_find.step();
        if (!row.ok())
            return row.status();
        std::optional<OpenSpan> before;
        if (*row)
            before = OpenSpan{m_find.integer(0), m_find.integer(1)};
        m_find.reset();
        if (before)
            YARD_RETURN_IF_ERROR(close(m_close, m_remove, *before, atUs));
        if (!version.body)
            return absl::OkStatus();
        m_insert.bind(1, int64_t(version.kind)).bind(2, version.key).bind(3, atUs);
        return m_insert.bind(4, kNoEnd).bindBlob(5, *version.body).run();
    }

private:
    Statement m_find;
    Statement m_open;
    Statement m_close;
    Statement m_remove;
    Statement m_insert;
};

StatusOr<std::vector<KnownSpan>> spansFrom(StatusOr<Statement> statement,
                                           std::initializer_list<int64_t> values)
{
    if (!statement.ok())
        return statement.status();
    int parameter = 0;
    for (const int64_t value : values)
        statement->bind(++parameter, value);
    std::vector<KnownSpan> spans;
    for (;;) {
        const StatusOr<bool> row = statement->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return spans;
        if (!statement->isNull(0))
            spans.push_back(
                {fromMicroseconds(statement->integer(0)), fromMicroseconds(statement->integer(1))});
    }
}

StatusOr<std::optional<KnownSpan>> firstOf(StatusOr<std::vector<KnownSpan>> spans)
{
    if (!spans.ok())
        return spans.status();
    return spans->empty() ? std::nullopt : std::optional(spans->front());
}

// The end of what was known, now that somebody looks again.
StatusOr<int64_t> lastSeen(Database& database)
{
    return database.integer("SELECT coalesce(max(to_us), 0) FROM known_spans");
}

}  // namespace

Status writeSeen(Database& database, const StatesSeen& seen, Time at)
{
    const int64_t atUs = toMicroseconds(at);
    StatusOr<SpanWriter> writer = SpanWriter::make(database);
    if (!writer.ok())
        return writer.status();
    if (seen.isAnew) {
        const StatusOr<int64_t> last = lastSeen(database);
        if (!last.ok())
            return last.status();
        YARD_RETURN_IF_ERROR(writer->closeAll(std::min(*last + 1, atUs)));
    }
    for (const StateVersion& version : seen.versions)
        YARD_RETURN_IF_ERROR(writer->put(version, atUs));
    StatusOr<Statement> known = database.prepare(
        seen.isAnew ? "INSERT INTO known_spans(from_us, to_us) VALUES(?1, ?1)"
                    : "UPDATE known_spans SET to_us=max(to_us, ?1) WHERE id=(SELECT max(id) FROM "
                      "known_spans)");
    if (!known.ok())
        return known.status();
    return known->bind(1, atUs).run();
}

Status readSpans(Database& database, StateKind kind, int64_t atUs,
                 const std::function<void(std::string_view body)>& each)
{
    StatusOr<Statement> covering = database.prepare(
        "SELECT body FROM state_spans WHERE kind=?1 AND span_class=?2 AND from_us>?3 AND "
        "from_us<=?4 AND to_us>?4");
    if (!covering.ok())
        return covering.status();
    for (int spanClass = 1; spanClass <= kOpenClass;
         spanClass = spanClass == kLastClass ? kOpenClass : spanClass + 1) {
        const int64_t reach = spanClass == kOpenClass ? atUs : int64_t(1) << spanClass;
        covering->bind(1, int64_t(kind)).bind(2, int64_t(spanClass));
        covering->bind(3, atUs - reach - 1).bind(4, atUs);
        for (;;) {
            const StatusOr<bool> row = covering->step();
            if (!row.ok())
                return row.status();
            if (!*row)
                break;
            each(covering->blob(0));
        }
        covering->reset();
    }
    return absl::OkStatus();
}

StatusOr<std::optional<KnownSpan>> knownAround(Database& database, int64_t atUs)
{
    return firstOf(spansFrom(
        database.prepare("SELECT from_us, to_us FROM known_spans WHERE from_us<=?1 AND "
                         "(to_us>=?1 OR (to_us>=?2 AND id=(SELECT max(id) FROM known_spans))) "
                         "ORDER BY id DESC LIMIT 1"),
        {atUs, atUs - kLookHoldsUs}));
}

StatusOr<std::optional<KnownSpan>> knownBefore(Database& database, int64_t atUs)
{
    return firstOf(spansFrom(database.prepare("SELECT from_us, to_us FROM known_spans WHERE "
                                              "to_us<?1 ORDER BY id DESC LIMIT 1"),
                             {atUs}));
}

StatusOr<std::vector<KnownSpan>> knownWithin(Database& database, int64_t fromUs, int64_t toUs,
                                             int64_t most)
{
    return spansFrom(database.prepare("SELECT from_us, to_us FROM known_spans WHERE to_us>=?1 AND "
                                      "from_us<=?2 ORDER BY id LIMIT ?3"),
                     {fromUs, toUs, most});
}

StatusOr<std::optional<KnownSpan>> knownExtent(Database& database)
{
    return firstOf(
        spansFrom(database.prepare("SELECT min(from_us), max(to_us) FROM known_spans"), {}));
}

}  // namespace yard::store
