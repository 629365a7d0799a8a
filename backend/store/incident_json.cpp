#include "backend/store/incident_json.h"

#include <nlohmann/json.hpp>

#include "backend/store/time_us.h"

namespace yard::store {
namespace {

using domain::Incident;
using domain::IncidentEvidence;
using domain::IncidentJob;
using domain::IncidentNote;
using nlohmann::json;

json fromEvidence(const IncidentEvidence& evidence)
{
    return {{"witness", int(evidence.witness)},
            {"at", toMicroseconds(evidence.at)},
            {"last", toMicroseconds(evidence.lastAt)},
            {"source", evidence.source},
            {"line", evidence.line},
            {"text", evidence.text},
            {"note", evidence.note},
            {"count", evidence.count},
            {"follows", evidence.follows},
            {"key", evidence.key}};
}

IncidentEvidence toEvidence(const json& value)
{
    IncidentEvidence evidence;
    evidence.witness = domain::Witness(value.at("witness").get<int>());
    evidence.at = fromMicroseconds(value.at("at").get<int64_t>());
    evidence.lastAt = fromMicroseconds(value.at("last").get<int64_t>());
    value.at("source").get_to(evidence.source);
    value.at("line").get_to(evidence.line);
    value.at("text").get_to(evidence.text);
    value.at("note").get_to(evidence.note);
    value.at("count").get_to(evidence.count);
    value.at("follows").get_to(evidence.follows);
    value.at("key").get_to(evidence.key);
    return evidence;
}

json fromJob(const IncidentJob& job)
{
    return {{"id", job.displayId}, {"run", job.run},   {"name", job.name}, {"user", job.user},
            {"nodes", job.nodes},  {"gpus", job.gpus}, {"end", job.end}};
}

IncidentJob toJob(const json& value)
{
    IncidentJob job;
    value.at("id").get_to(job.displayId);
    value.at("run").get_to(job.run);
    value.at("name").get_to(job.name);
    value.at("user").get_to(job.user);
    value.at("nodes").get_to(job.nodes);
    value.at("gpus").get_to(job.gpus);
    value.at("end").get_to(job.end);
    return job;
}

json fromNote(const IncidentNote& note)
{
    return {{"at", toMicroseconds(note.at)}, {"by", note.by}, {"text", note.text}};
}

IncidentNote toNote(const json& value)
{
    IncidentNote note;
    note.at = fromMicroseconds(value.at("at").get<int64_t>());
    value.at("by").get_to(note.by);
    value.at("text").get_to(note.text);
    return note;
}

template <typename T, typename Convert>
json listOf(const std::vector<T>& values, Convert convert)
{
    json list = json::array();
    for (const T& value : values)
        list.push_back(convert(value));
    return list;
}

Incident toIncident(const json& value)
{
    Incident incident;
    value.at("id").get_to(incident.id);
    incident.state = domain::IncidentState(value.at("state").get<int>());
    incident.severity = domain::Severity(value.at("severity").get<int>());
    incident.reason = domain::Reason(value.at("reason").get<int>());
    incident.certainty = domain::Certainty(value.at("certainty").get<int>());
    value.at("happened").get_to(incident.happened);
    value.at("why").get_to(incident.why);
    value.at("advice").get_to(incident.advice);
    value.at("restart").get_to(incident.shouldRestart);
    value.at("cordon").get_to(incident.cordonNode);
    value.at("node").get_to(incident.node);
    if (!value.at("rank").is_null())
        incident.rank = value.at("rank").get<int>();
    value.at("gpu").get_to(incident.gpu);
    value.at("nodes").get_to(incident.nodes);
    value.at("switch").get_to(incident.switchName);
    value.at("rule").get_to(incident.rule);
    incident.first = fromMicroseconds(value.at("first").get<int64_t>());
    incident.last = fromMicroseconds(value.at("last").get<int64_t>());
    value.at("events").get_to(incident.events);
    value.at("followers").get_to(incident.followers);
    value.at("evidence_left").get_to(incident.evidenceLeft);
    value.at("assignee").get_to(incident.assignee);
    value.at("joined_to").get_to(incident.joinedTo);
    for (const json& job : value.at("jobs"))
        incident.jobs.push_back(toJob(job));
    for (const json& evidence : value.at("evidence"))
        incident.evidence.push_back(toEvidence(evidence));
    for (const json& note : value.at("notes"))
        incident.notes.push_back(toNote(note));
    return incident;
}

}  // namespace

std::string toJson(const Incident& incident)
{
    const json value = {{"id", incident.id},
                        {"state", int(incident.state)},
                        {"severity", int(incident.severity)},
                        {"reason", int(incident.reason)},
                        {"certainty", int(incident.certainty)},
                        {"happened", incident.happened},
                        {"why", incident.why},
                        {"advice", incident.advice},
                        {"restart", incident.shouldRestart},
                        {"cordon", incident.cordonNode},
                        {"node", incident.node},
                        {"rank", incident.rank ? json(*incident.rank) : json()},
                        {"gpu", incident.gpu},
                        {"nodes", incident.nodes},
                        {"switch", incident.switchName},
                        {"rule", incident.rule},
                        {"first", toMicroseconds(incident.first)},
                        {"last", toMicroseconds(incident.last)},
                        {"events", incident.events},
                        {"followers", incident.followers},
                        {"evidence_left", incident.evidenceLeft},
                        {"assignee", incident.assignee},
                        {"joined_to", incident.joinedTo},
                        {"jobs", listOf(incident.jobs, fromJob)},
                        {"evidence", listOf(incident.evidence, fromEvidence)},
                        {"notes", listOf(incident.notes, fromNote)}};
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

StatusOr<Incident> incidentFromJson(std::string_view text)
{
    // The library throws on a missing or mistyped field; it must not pass this function.
    try {
        return toIncident(json::parse(text));
    } catch (const json::exception&) {
        return absl::DataLossError("An incident in the journal cannot be read.");
    }
}

}  // namespace yard::store
