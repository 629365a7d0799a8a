#include "backend/rpc/incident_methods.h"

#include <fmt/format.h>

#include "backend/base/text.h"
#include "backend/control/incident_desk.h"
#include "backend/domain/hostlist.h"
#include "backend/rpc/answer.h"
#include "backend/rpc/convert_request.h"
#include "backend/rpc/convert_time.h"
#include "backend/rpc/wire_text.h"

namespace yard::rpc {
namespace {

constexpr size_t kLongestNote = 4000;
constexpr size_t kLongestName = 200;

void fillLook(const control::IncidentLook& look, v1::Incident* reply)
{
    toProto(look.incident, reply);
    reply->set_seen(look.seen);
    repairStrings(*reply);
}

}  // namespace

void toProto(const domain::Incident& incident, v1::Incident* out)
{
    out->set_id(incident.id);
    out->set_state(uint32_t(incident.state));
    out->set_severity(uint32_t(incident.severity));
    out->set_reason(std::string(domain::name(incident.reason)));
    out->set_category(std::string(domain::name(domain::categoryOf(incident.reason))));
    out->set_certainty(uint32_t(incident.certainty));
    out->set_happened(incident.happened);
    out->set_why(incident.why);
    out->set_advice(incident.advice);
    out->set_should_restart(incident.shouldRestart);
    out->set_cordon_node(incident.cordonNode);
    out->set_node(incident.node);
    if (incident.rank)
        out->set_rank(*incident.rank);
    out->set_gpu(incident.gpu);
    out->set_nodes(domain::foldHostlist(incident.nodes));
    out->set_switch_name(incident.switchName);
    for (const domain::IncidentJob& job : incident.jobs) {
        v1::IncidentJob* to = out->add_jobs();
        to->set_display_id(job.displayId);
        to->set_name(job.name);
        to->set_user(job.user);
        to->set_nodes(job.nodes);
        to->set_gpus(job.gpus);
        to->set_end(job.end);
    }
    out->set_rule(incident.rule);
    out->set_first_us(microseconds(incident.first));
    out->set_last_us(microseconds(incident.last));
    out->set_events(incident.events);
    out->set_followers(incident.followers);
    out->set_evidence_left(incident.evidenceLeft);
    out->set_assignee(incident.assignee);
    for (const domain::IncidentEvidence& evidence : incident.evidence) {
        v1::IncidentEvidence* to = out->add_evidence();
        to->set_witness(uint32_t(evidence.witness));
        to->set_at_us(microseconds(evidence.at));
        to->set_last_us(microseconds(evidence.lastAt));
        to->set_source(evidence.source);
        to->set_line(evidence.line);
        to->set_text(evidence.text);
        to->set_note(evidence.note);
        to->set_count(evidence.count);
        to->set_follows(evidence.follows);
    }
    for (const domain::IncidentNote& note : incident.notes) {
        v1::IncidentNote* to = out->add_notes();
        to->set_at_us(microseconds(note.at));
        to->set_by(note.by);
        to->set_text(note.text);
    }
    out->set_joined_to(incident.joinedTo);
}

StatusOr<domain::IncidentChange> changeFrom(const v1::ChangeIncidentRequest& request)
{
    using Kind = domain::IncidentChange::Kind;
    if (request.kind() > uint32_t(Kind::Reopen))
        return absl::InvalidArgumentError(
            fmt::format("kind: {} is no change of an incident; the last is {}.", request.kind(),
                        uint32_t(Kind::Reopen)));
    domain::IncidentChange change{.id = request.id(),
                                  .kind = Kind(request.kind()),
                                  .assignee = request.assignee(),
                                  .note = std::string(text::trimmed(request.note()))};
    if (change.note.size() > kLongestNote)
        return absl::InvalidArgumentError(fmt::format("note: It has {} bytes; at most {} are kept.",
                                                      change.note.size(), kLongestNote));
    if (change.assignee.size() > kLongestName)
        return absl::InvalidArgumentError("assignee: The name is too long.");
    if (change.kind == Kind::Note && change.note.empty())
        return absl::InvalidArgumentError("note: It is empty; write what is to be noted.");
    return change;
}

IncidentMethods::IncidentMethods(control::IncidentService& incidents, TaskLoop& worker)
    : m_incidents(incidents)
    , m_worker(worker)
{
}

void IncidentMethods::list(const v1::ListIncidentsRequest& request, v1::ListIncidentsReply* reply,
                           PendingCallPtr call)
{
    m_incidents.list(
        {.limit = pageLimit(request.limit()),
         .beforeId = request.before_id(),
         .withClosed = request.with_closed(),
         .node = request.node(),
         .job = request.job()},
        answerOn<control::IncidentPage>(m_worker, call, [reply](const control::IncidentPage& page) {
            for (const domain::Incident& incident : page.incidents) {
                v1::Incident* out = reply->add_incidents();
                toProto(incident, out);
                out->clear_evidence();
            }
            reply->set_suppressed(page.suppressed);
            repairStrings(*reply);
        }));
}

void IncidentMethods::get(const v1::GetIncidentRequest& request, v1::Incident* reply,
                          PendingCallPtr call)
{
    m_incidents.get(request.id(), answerOn<control::IncidentLook>(
                                      m_worker, call, [reply](const control::IncidentLook& look) {
                                          fillLook(look, reply);
                                      }));
}

void IncidentMethods::change(const domain::Identity& by, const v1::ChangeIncidentRequest& request,
                             v1::Incident* reply, PendingCallPtr call)
{
    auto change = changeFrom(request);
    if (!change.ok())
        return call->finish(change.status());
    m_incidents.change(
        by, *std::move(change),
        answerOn<control::IncidentLook>(
            m_worker, call, [reply](const control::IncidentLook& look) { fillLook(look, reply); }));
}

}  // namespace yard::rpc
