#include "backend/store/series/subject_book.h"

#include "backend/store/series/series_schema.h"

namespace yard::store {

// A node has few GPUs: no index below it, which would weigh more than the subjects.
std::optional<uint32_t> SubjectBook::Kind::lane(const domain::SeriesSubject& wanted) const
{
    const auto found = lanes.find(wanted.node);
    if (found == lanes.end())
        return std::nullopt;
    for (auto at = found->second.rbegin(); at != found->second.rend(); ++at) {
        const domain::SeriesSubject& subject = (*subjects)[*at];
        if (wanted.uuid.empty() ? subject.gpu == wanted.gpu : subject.uuid == wanted.uuid)
            return *at;
    }
    return std::nullopt;
}

Status SubjectBook::load(Database& database)
{
    for (const auto kind : {domain::SeriesKind::Gpu, domain::SeriesKind::Node}) {
        StatusOr<std::vector<domain::SeriesSubject>> subjects = loadSubjects(database, kind);
        if (!subjects.ok())
            return subjects.status();
        const std::lock_guard lock(m_mutex);
        Kind& book = m_kinds[size_t(kind)];
        book.lanes.clear();
        for (uint32_t lane = 0; lane < subjects->size(); ++lane)
            book.lanes[(*subjects)[lane].node].push_back(lane);
        book.subjects =
            std::make_shared<const std::vector<domain::SeriesSubject>>(*std::move(subjects));
    }
    return absl::OkStatus();
}

StatusOr<std::vector<uint32_t>> SubjectBook::assign(
    Database& database, domain::SeriesKind kind, const std::vector<domain::SeriesSubject>& wanted)
{
    StatusOr<Statement> insert =
        database.prepare("INSERT INTO subject(kind, lane, node, gpu, uuid) VALUES(?,?,?,?,?)");
    if (!insert.ok())
        return insert.status();
    Kind book;
    {
        const std::lock_guard lock(m_mutex);
        book = m_kinds[size_t(kind)];
    }
    auto subjects = std::make_shared<std::vector<domain::SeriesSubject>>(*book.subjects);
    book.subjects = subjects;
    std::vector<uint32_t> lanes;
    lanes.reserve(wanted.size());
    YARD_RETURN_IF_ERROR(database.begin());
    for (const domain::SeriesSubject& subject : wanted) {
        if (const auto known = book.lane(subject)) {
            lanes.push_back(*known);
            continue;
        }
        const auto lane = uint32_t(subjects->size());
        insert->bind(1, int64_t(kind)).bind(2, int64_t(lane)).bind(3, subject.node);
        insert->bind(4, int64_t(subject.gpu)).bind(5, subject.uuid.str());
        if (const Status status = insert->run(); !status.ok()) {
            database.rollback();
            return status;
        }
        subjects->push_back(subject);
        book.lanes[subject.node].push_back(lane);
        lanes.push_back(lane);
    }
    if (const Status status = database.commit(); !status.ok()) {
        database.rollback();
        return status;
    }
    const std::lock_guard lock(m_mutex);
    m_kinds[size_t(kind)] = std::move(book);
    return lanes;
}

SubjectBook::Subjects SubjectBook::all(domain::SeriesKind kind) const
{
    const std::lock_guard lock(m_mutex);
    return m_kinds[size_t(kind)].subjects;
}

std::optional<uint32_t> SubjectBook::lane(domain::SeriesKind kind,
                                          const domain::SeriesSubject& subject) const
{
    const std::lock_guard lock(m_mutex);
    return m_kinds[size_t(kind)].lane(subject);
}

}  // namespace yard::store
