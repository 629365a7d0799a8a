#include "backend/control/incident_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/control/incident_times.h"
#include "backend/control/incident_words.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using namespace incident_times;
using domain::Incident;
using domain::IncidentEvidence;
using std::chrono::minutes;

constexpr std::chrono::hours kKeepClosed{48};
constexpr std::chrono::hours kKeepFaults{24};
constexpr size_t kMostLive = 5000;
constexpr size_t kMostEvidence = 60;
constexpr size_t kMostJobs = 1000;
constexpr size_t kNotKept = SIZE_MAX;

/// Takes out of every list what is old, and the lists that are empty then.
template <typename Lists, typename Old>
void dropFrom(Lists& lists, Old isOld)
{
    for (auto list = lists.begin(); list != lists.end();) {
        std::erase_if(list->second, isOld);
        list = list->second.empty() ? lists.erase(list) : std::next(list);
    }
}

}  // namespace

IncidentBook::IncidentBook(const ClusterSnapshot& snapshot, const Clock& clock)
    : m_snapshot(snapshot)
    , m_clock(clock)
    , m_runs(snapshot)
    , m_loadedAt(clock.now())
{
}

void IncidentBook::load(std::vector<Incident> incidents, uint64_t lastId)
{
    m_lastId = lastId;
    for (Incident& incident : incidents) {
        Live& live = m_live[incident.id];
        live.incident = std::move(incident);
        live.rootAt = live.incident.first;
        const Incident& known = live.incident;
        for (size_t i = 0; i < known.evidence.size(); ++i)
            if (!known.evidence[i].key.empty())
                m_byFault[known.evidence[i].key] = {known.id, i, known.evidence[i].lastAt};
        for (const domain::IncidentJob& job : known.jobs) {
            m_byRun[job.run] = known.id;
            const auto nodes = domain::expandHostlist(job.nodes);
            for (size_t i = 0; nodes.ok() && i < nodes->size(); ++i)
                index(live, (*nodes)[i]);
        }
        for (const std::string& node : known.nodes)
            index(live, node);
        m_lastId = std::max(m_lastId, known.id);
    }
}

IncidentBook::Live& IncidentBook::create(Time at)
{
    Live& live = m_live[++m_lastId];
    live.incident.id = m_lastId;
    live.incident.first = at;
    live.incident.last = at;
    live.rootAt = at;
    live.isChanged = true;
    return live;
}

IncidentBook::Live* IncidentBook::live(uint64_t id)
{
    const auto found = m_live.find(id);
    if (found == m_live.end())
        return nullptr;
    return found->second.incident.joinedTo != 0 ? live(found->second.incident.joinedTo)
                                                : &found->second;
}

void IncidentBook::touch(Live& live, Time at)
{
    live.incident.first = std::min(live.incident.first, at);
    live.incident.last = std::max(live.incident.last, at);
    live.isChanged = true;
}

void IncidentBook::index(Live& live, const std::string& node)
{
    auto& ids = m_byNode[node];
    if (ids.empty() || ids.back() != live.incident.id)
        ids.push_back(live.incident.id);
}

size_t IncidentBook::addEvidence(Live& live, IncidentEvidence evidence)
{
    touch(live, evidence.lastAt);
    live.incident.events += evidence.count;
    if (evidence.follows)
        live.incident.followers += evidence.count;
    if (live.incident.evidence.size() >= kMostEvidence) {
        ++live.incident.evidenceLeft;
        return kNotKept;
    }
    live.incident.evidence.push_back(std::move(evidence));
    return live.incident.evidence.size() - 1;
}

// ---- who and where ----

IncidentBook::Live* IncidentBook::ofRun(const std::string& run)
{
    const auto found = m_byRun.find(run);
    return found == m_byRun.end() ? nullptr : live(found->second);
}

/// Another job has the node since: what it leaves behind belongs to it.
bool IncidentBook::runsAnew(const std::string& node, const Live& live)
{
    const auto isLater = [&](const RunIndex::JobPtr& job) {
        return job->startTime && *job->startTime > live.incident.first &&
               ofRun(runOf(*job)) != &live;
    };
    const auto& running = m_runs.runningOn(node);
    const auto& ended = m_runs.endedOn(node);
    return std::any_of(running.begin(), running.end(), isLater) ||
           std::any_of(ended.begin(), ended.end(), isLater);
}

/// The last incident that touched the node, if it is near in time.
IncidentBook::Live* IncidentBook::crashOn(const std::string& node, Time at, minutes within)
{
    const auto ids = m_byNode.find(node);
    if (ids == m_byNode.end())
        return nullptr;
    for (auto id = ids->second.rbegin(); id != ids->second.rend(); ++id) {
        Live* const found = live(*id);
        if (found && at - found->incident.first <= within && found->incident.first - at <= kJoin &&
            !runsAnew(node, *found))
            return found;
    }
    return nullptr;
}

IncidentBook::Live* IncidentBook::onSameGpu(const domain::Fault& fault)
{
    const auto ids = m_byNode.find(fault.host);
    if (ids == m_byNode.end())
        return nullptr;
    for (auto id = ids->second.rbegin(); id != ids->second.rend(); ++id) {
        Live* const found = live(*id);
        if (!found || isClosed(found->incident) || *fault.at - found->incident.last > kSameGpu)
            continue;
        if (found->incident.node == fault.host &&
            (found->incident.gpu == gpuOf(fault) || found->incident.gpu.empty()))
            return found;
    }
    return nullptr;
}

void IncidentBook::addRun(Live& live, const domain::Job& job)
{
    const std::string run = runOf(job);
    const auto [known, isNew] = m_byRun.try_emplace(run, live.incident.id);
    if (!isNew && ofRun(run) == &live)
        return;
    known->second = live.incident.id;
    live.isChanged = true;
    if (live.incident.jobs.size() >= kMostJobs)
        return;
    live.incident.jobs.push_back({.displayId = job.displayId,
                                  .run = run,
                                  .name = job.name,
                                  .user = job.user,
                                  .nodes = domain::foldHostlist(job.nodes),
                                  .gpus = job.gpus,
                                  .end = {}});
    for (const std::string& node : job.nodes)
        index(live, node);
}

void IncidentBook::addRunsOn(Live& live, const std::string& node, const std::string& gpu)
{
    for (const RunIndex::JobPtr& job : m_runs.runningOn(node))
        if (mayHaveHeld(*job, node, gpu) && !ofRun(runOf(*job)))
            addRun(live, *job);
}

void IncidentBook::addNode(Live& live, const std::string& node, Time at)
{
    auto& nodes = live.incident.nodes;
    if (std::find(nodes.begin(), nodes.end(), node) != nodes.end())
        return;
    nodes.push_back(node);
    index(live, node);
    suspectSwitch(live, node, at);
}

// ---- people ----

Status IncidentBook::check(const domain::IncidentChange& change) const
{
    using Kind = domain::IncidentChange::Kind;
    const auto found = m_live.find(change.id);
    if (found == m_live.end())
        return absl::NotFoundError(
            fmt::format("There is no incident {} that can still be changed.", change.id));
    const Incident& incident = found->second.incident;
    if (incident.joinedTo != 0)
        return absl::FailedPreconditionError(
            fmt::format("The incident {} is a part of incident {}: change that one.", incident.id,
                        incident.joinedTo));
    if (change.kind == Kind::Acknowledge && isClosed(incident))
        return absl::FailedPreconditionError(
            fmt::format("The incident {} is closed: reopen it first.", incident.id));
    if (change.kind == Kind::Close && isClosed(incident))
        return absl::FailedPreconditionError(
            fmt::format("The incident {} is closed already.", incident.id));
    if (change.kind == Kind::Reopen && !isClosed(incident))
        return absl::FailedPreconditionError(
            fmt::format("The incident {} is not closed.", incident.id));
    return absl::OkStatus();
}

void IncidentBook::apply(const domain::IncidentChange& change, const std::string& by)
{
    const auto found = m_live.find(change.id);
    if (found == m_live.end())
        return;
    found->second.isChanged = true;
    domain::apply(change, by, m_clock.now(), found->second.incident);
}

const Incident* IncidentBook::find(uint64_t id) const
{
    const auto found = m_live.find(id);
    return found == m_live.end() ? nullptr : &found->second.incident;
}

std::vector<const Incident*> IncidentBook::all() const
{
    std::vector<const Incident*> incidents;
    for (const auto& [id, live] : m_live)
        incidents.push_back(&live.incident);
    return incidents;
}

std::vector<Incident> IncidentBook::takeChanged()
{
    std::vector<Incident> changed;
    for (auto& [id, live] : m_live) {
        if (!live.isChanged)
            continue;
        live.isChanged = false;
        live.incident.happened = happenedWords(live.incident);
        live.incident.severity = severityOf(live.incident);
        changed.push_back(live.incident);
    }
    return changed;
}

void IncidentBook::dropOld()
{
    const Time now = m_clock.now();
    m_runs.dropOld(now);
    dropFrom(m_held, [&](const domain::Fault& fault) { return now - *fault.at > kFollow; });
    const auto isOld = [&](const auto& entry) {
        const Live& live = entry.second;
        return !live.isChanged && isClosed(live.incident) && now - live.incident.last > kKeepClosed;
    };
    size_t dropped = std::erase_if(m_live, isOld);
    while (m_live.size() > kMostLive) {
        const auto oldest = std::find_if(m_live.begin(), m_live.end(),
                                         [](const auto& live) { return !live.second.isChanged; });
        if (oldest == m_live.end())
            break;
        m_live.erase(oldest);
        ++dropped;
    }
    dropFrom(m_bySwitch, [&](const Failing& one) { return now - one.at > kFold; });
    if (dropped == 0)
        return;
    std::erase_if(m_byFault, [&](const auto& fault) {
        return !m_live.contains(fault.second.incident) && now - fault.second.last > kKeepFaults;
    });
    std::erase_if(m_byRun, [&](const auto& run) { return !m_live.contains(run.second); });
    dropFrom(m_byNode, [&](uint64_t id) { return !m_live.contains(id); });
}

}  // namespace yard::control
