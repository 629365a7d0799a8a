#include <fmt/format.h>

#include <algorithm>

#include "backend/store/incident_json.h"
#include "backend/store/journal_reader.h"
#include "backend/store/journal_writer.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr uint32_t kMostRows = 10'000;

StatusOr<std::vector<domain::Incident>> allOf(Statement& statement)
{
    std::vector<domain::Incident> incidents;
    for (;;) {
        const StatusOr<bool> row = statement.step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return incidents;
        StatusOr<domain::Incident> incident = incidentFromJson(statement.text(0));
        if (!incident.ok())
            return incident.status();
        incidents.push_back(*std::move(incident));
    }
}

}  // namespace

Status Journal::Writer::writeIncidents(const JournalEntry& entry)
{
    if (entry.incidents.empty())
        return absl::OkStatus();
    auto incidents = m_database.prepare(
        "INSERT INTO incidents(id,state,joined_to,first_us,last_us,assignee,body) "
        "VALUES(?1,?2,?3,?4,?5,?6,?7) ON CONFLICT(id) DO UPDATE SET "
        "state=?2, joined_to=?3, first_us=?4, last_us=?5, assignee=?6, body=?7");
    if (!incidents.ok())
        return incidents.status();
    // Repeats that change nothing but a count are no step.
    auto changes = m_database.prepare(
        "INSERT INTO incident_changes SELECT ?1,?2,?3,?4,?5 WHERE NOT EXISTS (SELECT 1 FROM "
        "(SELECT state,reason,certainty FROM incident_changes WHERE incident_id=?1 ORDER BY rowid "
        "DESC LIMIT 1) WHERE state=?3 AND reason=?4 AND certainty=?5)");
    if (!changes.ok())
        return changes.status();
    for (const domain::Incident& incident : entry.incidents) {
        incidents->bind(1, int64_t(incident.id)).bind(2, int64_t(incident.state));
        incidents->bind(3, int64_t(incident.joinedTo)).bind(4, toMicroseconds(incident.first));
        incidents->bind(5, toMicroseconds(incident.last)).bind(6, incident.assignee);
        incidents->bind(7, toJson(incident));
        YARD_RETURN_IF_ERROR(incidents->run());
        changes->bind(1, int64_t(incident.id)).bind(2, toMicroseconds(entry.at));
        changes->bind(3, int64_t(incident.state)).bind(4, int64_t(incident.reason));
        changes->bind(5, int64_t(incident.certainty));
        YARD_RETURN_IF_ERROR(changes->run());
    }
    return absl::OkStatus();
}

StatusOr<std::vector<domain::Incident>> Journal::Reader::incidents(uint32_t limit,
                                                                   uint64_t beforeId)
{
    auto statement = m_database.prepare(
        "SELECT body FROM incidents WHERE ?1=0 OR id<?1 ORDER BY id DESC LIMIT ?2");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(beforeId));
    statement->bind(2, int64_t(limit == 0 ? kMostRows : std::min(limit, kMostRows)));
    return allOf(*statement);
}

StatusOr<domain::Incident> Journal::Reader::incident(uint64_t id)
{
    auto statement = m_database.prepare("SELECT body FROM incidents WHERE id=?1");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(id));
    auto found = allOf(*statement);
    if (!found.ok())
        return found.status();
    if (found->empty())
        return absl::NotFoundError(fmt::format("There is no incident {}.", id));
    return std::move(found->front());
}

StatusOr<std::vector<domain::Incident>> Journal::Reader::loadIncidents(Time since)
{
    auto statement = m_database.prepare(
        "SELECT body FROM incidents WHERE state IN (?1,?2) OR last_us>=?3 ORDER BY id");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(domain::IncidentState::Open));
    statement->bind(2, int64_t(domain::IncidentState::Acknowledged));
    statement->bind(3, toMicroseconds(since));
    return allOf(*statement);
}

StatusOr<uint64_t> Journal::Reader::lastIncidentId()
{
    const StatusOr<int64_t> last = m_database.integer("SELECT coalesce(max(id),0) FROM incidents");
    if (!last.ok())
        return last.status();
    return uint64_t(*last);
}

}  // namespace yard::store
