#include "app/ctl/incident_json.h"

#include "app/ctl/json_output.h"
#include "backend/domain/incident.h"

namespace yard::ctl {
namespace {

using nlohmann::json;

template <typename Enum>
std::string word(uint32_t value)
{
    return std::string(domain::name(Enum(value)));
}

json orNull(const std::string& text)
{
    return text.empty() ? json() : json(text);
}

json toJson(const v1::IncidentJob& job)
{
    return {{"id", job.display_id()}, {"name", job.name()}, {"user", job.user()},
            {"nodes", job.nodes()},   {"gpus", job.gpus()}, {"end", orNull(job.end())}};
}

json toJson(const v1::IncidentEvidence& evidence)
{
    return {{"witness", word<domain::Witness>(evidence.witness())},
            {"at", seconds(evidence.at_us())},
            {"last", seconds(evidence.last_us())},
            {"source", evidence.source()},
            {"line", evidence.line() == 0 ? json() : json(evidence.line())},
            {"text", evidence.text()},
            {"note", evidence.note()},
            {"count", evidence.count()},
            {"consequence", evidence.follows()}};
}

json toJson(const v1::IncidentNote& note)
{
    return {{"at", seconds(note.at_us())}, {"by", note.by()}, {"text", note.text()}};
}

template <typename Field>
json list(const Field& field)
{
    json values = json::array();
    for (const auto& value : field)
        values.push_back(toJson(value));
    return values;
}

}  // namespace

json toJson(const v1::Incident& incident)
{
    return {{"id", incident.id()},
            {"state", word<domain::IncidentState>(incident.state())},
            {"severity", word<domain::Severity>(incident.severity())},
            {"reason", incident.reason()},
            {"category", incident.category()},
            {"certainty", word<domain::Certainty>(incident.certainty())},
            {"happened", incident.happened()},
            {"why", incident.why()},
            {"advice", incident.advice()},
            {"seen", orNull(incident.seen())},
            {"restart", incident.should_restart()},
            {"cordon", orNull(incident.cordon_node())},
            {"node", orNull(incident.node())},
            {"rank", incident.has_rank() ? json(incident.rank()) : json()},
            {"gpu", orNull(incident.gpu())},
            {"nodes", incident.nodes()},
            {"switch", orNull(incident.switch_name())},
            {"jobs", list(incident.jobs())},
            {"rule", orNull(incident.rule())},
            {"first", seconds(incident.first_us())},
            {"last", seconds(incident.last_us())},
            {"events", incident.events()},
            {"consequences", incident.followers()},
            {"evidence_not_kept", incident.evidence_left()},
            {"assignee", orNull(incident.assignee())},
            {"evidence", list(incident.evidence())},
            {"notes", list(incident.notes())},
            {"part_of", incident.joined_to() == 0 ? json() : json(incident.joined_to())}};
}

json toJson(const v1::ListIncidentsReply& reply)
{
    json incidents = json::array();
    for (const v1::Incident& incident : reply.incidents())
        incidents.push_back(toJson(incident));
    return {{"incidents", std::move(incidents)}, {"suppressed", reply.suppressed()}};
}

}  // namespace yard::ctl
