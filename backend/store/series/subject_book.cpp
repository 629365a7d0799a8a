#include "backend/store/series/subject_book.h"

#include <fmt/format.h>

#include "backend/store/series/series_schema.h"

namespace yard::store {
namespace {

std::string placeKey(const domain::SeriesSubject& subject)
{
    return fmt::format("{}\n{}", subject.node, subject.gpu);
}

std::string key(const domain::SeriesSubject& subject)
{
    return subject.uuid.empty() ? placeKey(subject)
                                : fmt::format("{}\n{}", subject.node, subject.uuid);
}

}  // namespace

Status SubjectBook::load(Database& database)
{
    for (const auto kind : {domain::SeriesKind::Gpu, domain::SeriesKind::Node}) {
        StatusOr<std::vector<domain::SeriesSubject>> subjects = loadSubjects(database, kind);
        if (!subjects.ok())
            return subjects.status();
        const std::lock_guard lock(m_mutex);
        Kind& book = m_kinds[size_t(kind)];
        for (uint32_t lane = 0; lane < subjects->size(); ++lane) {
            book.lanes[placeKey((*subjects)[lane])] = lane;
            book.lanes[key((*subjects)[lane])] = lane;
        }
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
    std::vector<uint32_t> lanes;
    lanes.reserve(wanted.size());
    YARD_RETURN_IF_ERROR(database.begin());
    for (const domain::SeriesSubject& subject : wanted) {
        const auto known = book.lanes.find(key(subject));
        if (known != book.lanes.end()) {
            lanes.push_back(known->second);
            continue;
        }
        const auto lane = uint32_t(subjects->size());
        insert->bind(1, int64_t(kind)).bind(2, int64_t(lane)).bind(3, subject.node);
        insert->bind(4, int64_t(subject.gpu)).bind(5, subject.uuid);
        if (const Status status = insert->run(); !status.ok()) {
            database.rollback();
            return status;
        }
        subjects->push_back(subject);
        book.lanes[placeKey(subject)] = lane;
        book.lanes[key(subject)] = lane;
        lanes.push_back(lane);
    }
    if (const Status status = database.commit(); !status.ok()) {
        database.rollback();
        return status;
    }
    book.subjects = std::move(subjects);
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
    const auto& lanes = m_kinds[size_t(kind)].lanes;
    auto found = lanes.find(key(subject));
    if (found == lanes.end() && subject.uuid.empty())
        found = lanes.find(placeKey(subject));
    return found == lanes.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace yard::store
