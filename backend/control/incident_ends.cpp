#include "backend/control/incident_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/control/incident_times.h"
#include "backend/control/incident_words.h"

namespace yard::control {
namespace {

using namespace incident_times;
using domain::Certainty;
using domain::Incident;
using domain::Witness;

/// A daemon that starts sees ends of an earlier life again.
bool isEndKnown(const Incident& incident, const domain::Job& job)
{
    return std::any_of(incident.jobs.begin(), incident.jobs.end(),
                       [run = runOf(job)](const domain::IncidentJob& known) {
                           return known.run == run && !known.end.empty();
                       });
}

}  // namespace

void IncidentBook::takeEnd(const JobEnd& end)
{
    const Time at = end.job.endTime.value_or(m_clock.now());
    m_runs.noteEnd(end.job, at);
    Live* home = ofRun(runOf(end.job));
    if (home && isEndKnown(home->incident, end.job))
        return;
    if (!home && !isFailedEnd(end)) {
        // A requeue is nobody's wish while a node of the run is lost.
        if (end.job.stateText != "REQUEUED")
            return;
        for (const std::string& node : end.job.nodes)
            if (const domain::Node* found = m_snapshot.node(node); found && isLost(*found) && !home)
                home = crashOn(node, at, kJoin);
        if (!home)
            return;
    }
    // Long after the fault it comes from something else.
    if (home && end.verdict && end.verdict->reason != home->incident.reason &&
        !mayBeConsequence(end.verdict->reason, end.verdict->certainty) &&
        at - home->incident.last > kFold)
        home = nullptr;
    if (!home)
        home = homeOf(end);
    if (!home)
        home = &create(at);
    addEnd(*home, end);
}

/// An incident that explains this end, or that this end is a repeat of.
IncidentBook::Live* IncidentBook::homeOf(const JobEnd& end)
{
    const Time at = end.job.endTime.value_or(m_clock.now());
    const bool mayFollow = !end.verdict || isLossSaid(end.job) ||
                           mayBeConsequence(end.verdict->reason, end.verdict->certainty);
    if (mayFollow)
        for (const std::string& node : end.job.nodes) {
            Live* const crash = crashOn(node, at, kJoin);
            if (!crash || isClosed(crash->incident) ||
                domain::categoryOf(crash->incident.reason) != domain::Category::Infrastructure)
                continue;
            const auto& nodes = crash->incident.nodes;
            const bool isBroken = std::find(nodes.begin(), nodes.end(), node) != nodes.end();
            if (isBroken &&
                (crash->incident.node != node || mayHaveHeld(end.job, node, crash->incident.gpu)))
                return crash;
        }
    const std::string repeat = repeatKey(end);
    if (repeat.empty())
        return nullptr;
    for (auto found = m_live.rbegin(); found != m_live.rend(); ++found) {
        if (found->second.repeat == repeat && !isClosed(found->second.incident) &&
            at - found->second.incident.last <= kFold)
            return &found->second;
        if (at - found->second.incident.first > kFollow)
            break;
    }
    return nullptr;
}

void IncidentBook::addEnd(Live& live, const JobEnd& end)
{
    const Time at = end.job.endTime.value_or(m_clock.now());
    addRun(live, end.job);
    for (domain::IncidentJob& job : live.incident.jobs)
        if (job.run == runOf(end.job))
            job.end = endOf(end.job);
    if (live.repeat.empty() && live.incident.nodes.empty())
        live.repeat = repeatKey(end);
    addEvidence(live, {.witness = Witness::Scheduler,
                       .at = at,
                       .lastAt = at,
                       .source = "slurm",
                       .line = 0,
                       .text = fmt::format("Job {} {}{}", end.job.displayId, endOf(end.job),
                                           end.job.reason.empty() ? "" : ", " + end.job.reason),
                       .note = "how the scheduler says it ended",
                       .count = 1,
                       .follows = false,
                       .key = {}});
    takeVerdict(live, end);
    takeHeld(live, end.job);
}

void IncidentBook::takeVerdict(Live& live, const JobEnd& end)
{
    Incident& incident = live.incident;
    const Time at = end.job.endTime.value_or(m_clock.now());
    const bool isFirst = incident.certainty == Certainty::Unknown && isFailedEnd(end);
    if (isFirst) {
        adoptEnd(incident, end);
        live.rootAt = at;
    }
    const auto add = [&](const domain::EvidenceLine& line, bool follows) {
        addEvidence(live, {.witness = Witness::JobLog,
                           .at = at,
                           .lastAt = at,
                           .source = end.job.standardOutput,
                           .line = line.line,
                           .text = line.text,
                           .note = line.note,
                           .count = 1,
                           .follows = follows,
                           .key = {}});
    };
    if (!end.verdict && !end.logTrouble.empty())
        return add({0, end.logTrouble, "", "the log tells nothing"}, false);
    if (!end.verdict)
        return;
    const bool isOther = !isFirst && end.verdict->reason != incident.reason;
    for (const domain::EvidenceLine& line : end.verdict->evidence)
        add(line, isOther);
    for (const domain::EvidenceLine& line : end.verdict->consequences)
        add(line, true);
    if (isOther && !incident.rank && end.verdict->rank && end.verdict->node == incident.node)
        incident.rank = end.verdict->rank;
}

}  // namespace yard::control
