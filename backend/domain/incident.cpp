#include "backend/domain/incident.h"

#include <algorithm>
#include <array>

namespace yard::domain {

std::string_view name(IncidentState state)
{
    constexpr std::array<std::string_view, 3> kNames{"open", "acknowledged", "closed"};
    return kNames.at(size_t(state));
}

std::string_view name(Severity severity)
{
    constexpr std::array<std::string_view, 4> kNames{"critical", "fault", "warning", "note"};
    return kNames.at(size_t(severity));
}

std::string_view name(Witness witness)
{
    constexpr std::array<std::string_view, 3> kNames{"log", "hardware", "scheduler"};
    return kNames.at(size_t(witness));
}

std::string_view name(IncidentChange::Kind kind)
{
    constexpr std::array<std::string_view, 5> kNames{"acknowledge", "assign", "note", "close",
                                                     "reopen"};
    return kNames.at(size_t(kind));
}

std::string words(const IncidentChange& change)
{
    using Kind = IncidentChange::Kind;
    std::string text;
    switch (change.kind) {
        case Kind::Acknowledge:
            text = "acknowledged";
            break;
        case Kind::Assign:
            text =
                change.assignee.empty() ? "assigned to nobody" : "assigned to " + change.assignee;
            break;
        case Kind::Note:
            return change.note;
        case Kind::Close:
            text = "closed";
            break;
        case Kind::Reopen:
            text = "reopened";
            break;
    }
    return change.note.empty() ? text : text + ": " + change.note;
}

void apply(const IncidentChange& change, const std::string& by, Time at, Incident& incident)
{
    using Kind = IncidentChange::Kind;
    switch (change.kind) {
        case Kind::Acknowledge:
            incident.state = IncidentState::Acknowledged;
            break;
        case Kind::Assign:
            incident.assignee = change.assignee;
            break;
        case Kind::Note:
            break;
        case Kind::Close:
            incident.state = IncidentState::Closed;
            break;
        case Kind::Reopen:
            incident.state = IncidentState::Open;
            break;
    }
    incident.notes.push_back({at, by, words(change)});
}

Severity severityOf(const Incident& incident)
{
    switch (categoryOf(incident.reason)) {
        case Category::Infrastructure: {
            const bool holdsGpus = std::any_of(incident.jobs.begin(), incident.jobs.end(),
                                               [](const IncidentJob& job) { return job.gpus > 0; });
            if (holdsGpus)
                return Severity::Critical;
            return incident.nodes.empty() && incident.jobs.empty() ? Severity::Warning
                                                                   : Severity::Fault;
        }
        case Category::Anomaly:
            return Severity::Warning;
        default:
            return Severity::Note;
    }
}

}  // namespace yard::domain
