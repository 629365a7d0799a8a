#include "app/ctl/verbs_incidents.h"

#include <fmt/format.h>

#include "app/ctl/incident_json.h"
#include "app/ctl/json_output.h"
#include "app/ctl/line_check.h"
#include "app/ctl/local_time.h"
#include "app/ctl/table.h"
#include "backend/base/text.h"
#include "backend/domain/verdict.h"

namespace yard::ctl {
namespace {

std::string jobsOf(const v1::Incident& incident)
{
    if (incident.jobs_size() == 0)
        return "-";
    const std::string& first = incident.jobs(0).display_id();
    return incident.jobs_size() == 1 ? first
                                     : fmt::format("{} +{}", first, incident.jobs_size() - 1);
}

std::string placeOf(const v1::Incident& incident)
{
    if (!incident.switch_name().empty())
        return incident.switch_name();
    if (incident.node().empty())
        return incident.nodes().empty() ? "-" : incident.nodes();
    std::string place = incident.node();
    if (!incident.gpu().empty())
        place += " GPU " + incident.gpu();
    if (incident.has_rank())
        place += fmt::format(" rank {}", incident.rank());
    return place;
}

template <typename Enum>
std::string word(uint32_t value)
{
    return std::string(domain::name(Enum(value)));
}

void printList(const v1::ListIncidentsReply& reply)
{
    Table table({"ID>", "STATE", "SEVERITY", "REASON", "CERTAINTY", "WHERE", "JOB", "SINCE",
                 "EVENTS>", "ASSIGNED", "WHAT HAPPENED"});
    for (const v1::Incident& incident : reply.incidents())
        table.add({std::to_string(incident.id()), word<domain::IncidentState>(incident.state()),
                   word<domain::Severity>(incident.severity()), incident.reason(),
                   word<domain::Certainty>(incident.certainty()), placeOf(incident),
                   jobsOf(incident), localTime(incident.first_us()),
                   std::to_string(incident.events()), incident.assignee(), incident.happened()});
    table.print();
    if (reply.incidents().empty())
        fmt::print(stderr, "yardctl: There is no such incident; --all shows closed ones too.\n");
    if (reply.suppressed() > 0)
        fmt::print(stderr,
                   "yardctl: {} hardware events belong to no incident and raised none: they follow "
                   "the end of programs.\n",
                   reply.suppressed());
}

void printEvidence(const v1::IncidentEvidence& evidence)
{
    std::string source = evidence.source();
    if (evidence.line() > 0)
        source += fmt::format(":{}", evidence.line());
    fmt::print("  {:<9}  {}\n             {}{}{}\n", word<domain::Witness>(evidence.witness()),
               text::visible(evidence.text().empty() ? evidence.note() : evidence.text()),
               text::visible(source),
               evidence.text().empty() || evidence.note().empty()
                   ? ""
                   : ", " + text::visible(evidence.note()),
               evidence.count() > 1 ? fmt::format(", {} times", evidence.count()) : "");
}

void printOne(const v1::Incident& incident)
{
    fmt::print("Incident {}, {}, {}\n", incident.id(),
               word<domain::IncidentState>(incident.state()),
               word<domain::Severity>(incident.severity()));
    if (incident.reason() == domain::name(domain::Reason::Unknown))
        fmt::print("  Cause unknown\n");
    else
        fmt::print("  {} ({}), {}\n", incident.reason(), incident.category(),
                   word<domain::Certainty>(incident.certainty()));
    fmt::print("  from {} to {}\n", localTime(incident.first_us()), localTime(incident.last_us()));
    if (const std::string place = placeOf(incident); place != "-")
        fmt::print("  started at {}\n", text::visible(place));
    if (!incident.assignee().empty())
        fmt::print("  assigned to {}\n", text::visible(incident.assignee()));
    if (incident.joined_to() != 0)
        fmt::print("  a part of incident {}\n", incident.joined_to());
    fmt::print("\n  What happened: {}\n  Why: {}\n  What to do: {}\n",
               text::visible(incident.happened()), text::visible(incident.why()),
               text::visible(incident.advice()));
    fmt::print("  Restart as it is: {}. Take out: {}.\n", incident.should_restart() ? "yes" : "no",
               incident.cordon_node().empty() ? "no node" : text::visible(incident.cordon_node()));
    if (!incident.seen().empty())
        fmt::print("  Now: {}\n", text::visible(incident.seen()));
    fmt::print("\n");
    for (const v1::IncidentEvidence& evidence : incident.evidence())
        if (!evidence.follows())
            printEvidence(evidence);
    if (incident.followers() > 0 || incident.evidence_left() > 0)
        fmt::print("\n  What followed: {} of {} events raised nothing of their own.\n",
                   incident.followers(), incident.events());
    for (const v1::IncidentEvidence& evidence : incident.evidence())
        if (evidence.follows())
            printEvidence(evidence);
    for (const v1::IncidentNote& note : incident.notes())
        fmt::print("\n  {} {}: {}\n", localTime(note.at_us()), text::visible(note.by()),
                   text::visible(note.text()));
}

void show(const CommonOptions& options, const v1::Incident& incident)
{
    if (options.json)
        printJson(toJson(incident));
    else
        printOne(incident);
}

}  // namespace

int showIncidents(const CommonOptions& options, const IncidentListing& listing)
{
    using Text = std::pair<const char*, const std::string*>;
    for (const auto& [name, text] : {Text{"--node", &listing.node}, Text{"--job", &listing.job}})
        if (const ExitCode code = checkLine(name, *text); code != Done)
            return code;
    Connection connection(options);
    if (listing.id != 0) {
        v1::GetIncidentRequest request;
        request.set_id(listing.id);
        v1::Incident incident;
        const ExitCode code = connection.call(&v1::Yard::Stub::GetIncident, request, incident);
        if (code == Done)
            show(options, incident);
        return code;
    }
    v1::ListIncidentsRequest request;
    request.set_limit(listing.limit);
    request.set_with_closed(listing.all);
    request.set_node(listing.node);
    request.set_job(listing.job);
    v1::ListIncidentsReply reply;
    if (const ExitCode code = connection.call(&v1::Yard::Stub::ListIncidents, request, reply);
        code != Done)
        return code;
    if (options.json)
        printJson(toJson(reply));
    else
        printList(reply);
    return Done;
}

int changeIncident(const CommonOptions& options, const domain::IncidentChange& change)
{
    using Text = std::pair<const char*, const std::string*>;
    for (const auto& [name, text] : {Text{"WHO", &change.assignee}, Text{"The note", &change.note}})
        if (const ExitCode code = checkLine(name, *text); code != Done)
            return code;
    Connection connection(options);
    v1::ChangeIncidentRequest request;
    request.set_id(change.id);
    request.set_kind(uint32_t(change.kind));
    request.set_assignee(change.assignee);
    request.set_note(change.note);
    v1::Incident incident;
    const ExitCode code = connection.call(&v1::Yard::Stub::ChangeIncident, request, incident);
    if (code != Done)
        return code;
    if (options.json)
        printJson(toJson(incident));
    else
        fmt::print(
            "Incident {} is {}{}.\n", incident.id(), word<domain::IncidentState>(incident.state()),
            incident.assignee().empty() ? ""
                                        : ", assigned to " + text::visible(incident.assignee()));
    return Done;
}

}  // namespace yard::ctl
