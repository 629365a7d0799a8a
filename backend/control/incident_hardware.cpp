#include "backend/control/incident_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/control/incident_times.h"

namespace yard::control {
namespace {

using namespace incident_times;
using domain::Certainty;
using domain::Incident;
using domain::IncidentEvidence;
using domain::Reason;
using domain::Witness;
using Weight = FaultMeaning::Weight;

constexpr size_t kMostHeldHosts = 5000;
constexpr size_t kMostHeldPerHost = 16;

IncidentEvidence evidenceOf(const domain::Fault& fault, const FaultMeaning& meaning, bool follows,
                            const std::string& key)
{
    return {.witness = Witness::Hardware,
            .at = *fault.at,
            .lastAt = *fault.at,
            .source = sourceOf(fault),
            .line = 0,
            .text = fault.text.empty() ? meaning.words : fault.text,
            .note = meaning.words,
            .count = uint32_t(fault.count),
            .follows = follows,
            .key = key};
}

}  // namespace

void IncidentBook::takeFault(const domain::Fault& fault)
{
    const std::string key = keyOf(fault);
    if (foldRepeat(fault, key))
        return;
    const FaultMeaning meaning = meaningOf(fault);
    if (meaning.weight == Weight::Follower || meaning.weight == Weight::Program) {
        if (Live* const crash = crashOn(fault.host, *fault.at, kFollow))
            return addFollower(*crash, fault, meaning);
        return hold(fault);
    }
    Live* home = onSameGpu(fault);
    if (!home && meaning.weight == Weight::Broken) {
        Live* const crash = crashOn(fault.host, *fault.at, kJoin);
        if (crash && !isClosed(crash->incident) &&
            (mayBeConsequence(crash->incident.reason, crash->incident.certainty) ||
             crash->incident.reason == meaning.reason))
            home = crash;
    }
    if (!home) {
        home = &create(*fault.at);
        home->incident.certainty = Certainty::Unknown;
    }
    addFault(*home, fault, meaning);
}

/// Gauges and kernel logs say the same thing again and again.
bool IncidentBook::foldRepeat(const domain::Fault& fault, const std::string& key)
{
    const auto known = m_byFault.find(key);
    if (known == m_byFault.end())
        return false;
    Known& entry = known->second;
    Live* const found = live(entry.incident);
    if (!found)
        return false;
    const Time at = *fault.at;
    if (at < m_loadedAt && at <= entry.last)
        return true;  // read again after a restart
    if (isClosed(found->incident) && at - entry.last > kFold)
        return false;
    entry.last = std::max(entry.last, at);
    found->incident.events += uint64_t(fault.count);
    found->isChanged = true;
    if (entry.evidence < found->incident.evidence.size()) {
        IncidentEvidence& evidence = found->incident.evidence[entry.evidence];
        evidence.count += uint32_t(fault.count);
        evidence.lastAt = entry.last;
        if (evidence.follows)
            found->incident.followers += uint64_t(fault.count);
    }
    if (!isClosed(found->incident))
        found->incident.last = std::max(found->incident.last, at);
    return true;
}

/// One line for each kind of consequence, however many GPUs say it.
void IncidentBook::addFollower(Live& live, const domain::Fault& fault, const FaultMeaning& meaning)
{
    const std::string kind = fmt::format("{} follows {}", live.incident.id, meaning.words);
    const auto [known, isNew] = m_byFault.try_emplace(kind, Known{live.incident.id, 0, *fault.at});
    auto& hosts = live.followerHosts[fault.code];
    hosts.insert(fault.host);
    if (isNew) {
        known->second.evidence = addEvidence(live, evidenceOf(fault, meaning, true, kind));
        return;
    }
    live.incident.events += uint64_t(fault.count);
    live.incident.followers += uint64_t(fault.count);
    live.isChanged = true;
    if (known->second.evidence >= live.incident.evidence.size())
        return;
    IncidentEvidence& evidence = live.incident.evidence[known->second.evidence];
    evidence.count += uint32_t(fault.count);
    evidence.lastAt = std::max(evidence.lastAt, *fault.at);
    if (hosts.size() > 1)
        evidence.source = fmt::format("kernels of {} nodes", hosts.size());
}

void IncidentBook::addFault(Live& live, const domain::Fault& fault, const FaultMeaning& meaning)
{
    const size_t place = addEvidence(live, evidenceOf(fault, meaning, false, keyOf(fault)));
    m_byFault[keyOf(fault)] = {live.incident.id, place, *fault.at};
    index(live, fault.host);
    blame(live, fault, meaning);
    if (meaning.weight != Weight::Broken)
        return;
    addRunsOn(live, fault.host, gpuOf(fault));
    addNode(live, fault.host, *fault.at);
}

/// Kept for a while: the job may be about to fail of it.
void IncidentBook::hold(const domain::Fault& fault)
{
    m_suppressed += uint64_t(fault.count);
    if (m_held.size() >= kMostHeldHosts && !m_held.contains(fault.host))
        return;
    auto& held = m_held[fault.host];
    for (domain::Fault& known : held)
        if (known.pci == fault.pci && known.code == fault.code && known.kind == fault.kind &&
            *fault.at - *known.at < kFold) {
            known.count += fault.count;
            return;
        }
    held.push_back(fault);
    if (held.size() > kMostHeldPerHost)
        held.pop_front();
}

/// What hardware said while the run was at work or just behind it.
void IncidentBook::takeHeld(Live& live, const domain::Job& job)
{
    const Time end = job.endTime.value_or(m_clock.now());
    const Time begin = std::max(job.startTime.value_or(end - kJoin), end - kJoin);
    for (const std::string& node : job.nodes) {
        const auto held = m_held.find(node);
        if (held == m_held.end())
            continue;
        std::deque<domain::Fault> others;
        for (domain::Fault& fault : held->second) {
            if (*fault.at < begin || *fault.at > end + kFold) {
                others.push_back(std::move(fault));
                continue;
            }
            m_suppressed -= std::min(m_suppressed, uint64_t(fault.count));
            const FaultMeaning meaning = meaningOf(fault);
            if (meaning.weight == Weight::Program)
                addFault(live, fault, meaning);
            else
                addFollower(live, fault, meaning);
        }
        held->second = std::move(others);
        if (held->second.empty())
            m_held.erase(held);
    }
}

void IncidentBook::blame(Live& live, const domain::Fault& fault, const FaultMeaning& meaning)
{
    Incident& incident = live.incident;
    const bool isBroken = meaning.weight == Weight::Broken;
    const bool isNew = incident.reason == Reason::Unknown;
    if (!isNew && incident.reason == meaning.reason) {
        // The log says what, the second witness where.
        if (incident.node.empty())
            incident.node = fault.host;
        if (incident.node != fault.host)
            return;
        if (incident.gpu.empty())
            incident.gpu = gpuOf(fault);
        if (isBroken)
            incident.certainty = Certainty::Established;
        if (meaning.needsDrain && incident.cordonNode.empty())
            incident.cordonNode = fault.host;
        return;
    }
    if (!isNew && !mayBeConsequence(incident.reason, incident.certainty))
        return;
    const std::string gpu = gpuOf(fault);
    incident.why = fmt::format("{}{} reported {}.", fault.host, gpu.empty() ? "" : ", GPU " + gpu,
                               meaning.words);
    if (!isNew)
        incident.why += fmt::format(" The job felt it as {}.", domain::name(incident.reason));
    incident.reason = meaning.reason;
    incident.certainty = isBroken ? Certainty::Established : Certainty::Likely;
    incident.node = fault.host;
    incident.gpu = gpu;
    incident.advice = meaning.advice;
    incident.shouldRestart = incident.shouldRestart || isBroken;
    incident.cordonNode = meaning.needsDrain ? fault.host : std::string();
    live.rootAt = *fault.at;
}

}  // namespace yard::control
