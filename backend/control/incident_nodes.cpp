#include "backend/control/incident_book.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/control/incident_times.h"

namespace yard::control {
namespace {

using namespace incident_times;
using domain::Certainty;
using domain::Incident;
using domain::Reason;
using domain::Witness;

constexpr size_t kFewestOfSwitch = 3;
constexpr size_t kMostEvidence = 60;
constexpr size_t kOneOfMany = 5;  // one node of so many may stand elsewhere

/// What nodes share: a leaf switch, else a rack.
struct Group {
    std::string words;
    size_t size = 0;
};

Group groupOf(const ClusterSnapshot& snapshot, const domain::Node& node)
{
    for (const domain::Switch& found : snapshot.switches())
        if (found.level == 0 && found.name == node.switchName)
            return {"switch " + found.name, found.nodes.size()};
    if (node.rack.empty())
        return {};
    const auto& nodes = snapshot.nodes();
    return {"rack " + node.rack,
            size_t(std::count_if(nodes.begin(), nodes.end(), [&](const domain::Node& other) {
                return other.rack == node.rack;
            }))};
}

/// Says what the broken nodes of an incident share.
void nameSwitch(const ClusterSnapshot& snapshot, Incident& incident, const std::string& words,
                size_t failing, size_t size)
{
    const auto behind =
        std::count_if(incident.nodes.begin(), incident.nodes.end(), [&](const std::string& name) {
            const domain::Node* const node = snapshot.node(name);
            return node && words == (node->switchName.empty() ? "rack " + node->rack
                                                              : "switch " + node->switchName);
        });
    const bool isOneSwitch =
        size_t(behind) * kOneOfMany >= incident.nodes.size() * (kOneOfMany - 1);
    incident.switchName = isOneSwitch ? words : std::string();
    if (isOneSwitch) {
        incident.why = fmt::format(
            "{} of {} nodes behind {} failed together: what they share is the {}, its uplinks and "
            "its power.",
            failing, size, words, words.substr(0, words.find(' ')));
        incident.advice =
            fmt::format("Look at {} before the nodes, and do not drain them one by one.", words);
    } else {
        incident.why = fmt::format(
            "{} nodes behind more than one switch or rack failed together: what they share is "
            "higher up, in the network or the power.",
            incident.nodes.size());
        incident.advice = "Look at the network's upper switches and the room's power first.";
    }
    incident.certainty = Certainty::Likely;
    incident.node.clear();
    incident.gpu.clear();
    incident.cordonNode.clear();
    incident.shouldRestart = true;
}

}  // namespace

void IncidentBook::takeNode(const domain::Node& node)
{
    const Time at = std::min(node.reasonTime.value_or(m_clock.now()), m_clock.now());
    Live* home = lossHome(node, at);
    if (!home)
        home = &create(at);
    const std::string state =
        node.stateText.empty() ? std::string(name(node.state)) : node.stateText;
    const std::string key = "lost " + node.name;
    const auto known = m_byFault.find(key);
    if (known != m_byFault.end() && live(known->second.incident) == home) {
        domain::Fault again;
        again.host = node.name;
        again.at = at;
        foldRepeat(again, key);
        return;
    }
    const size_t place =
        addEvidence(*home, {.witness = Witness::Scheduler,
                            .at = at,
                            .lastAt = at,
                            .source = "slurm",
                            .line = 0,
                            .text = fmt::format("Node {} is {}{}", node.name, state,
                                                node.reason.empty() ? "" : ": " + node.reason),
                            .note = "the scheduler lost the node",
                            .count = 1,
                            .follows = false,
                            .key = key});
    m_byFault[key] = {home->incident.id, place, at};
    blameNode(*home, node, at);
    addRunsOn(*home, node.name, {});
    addNode(*home, node.name, at);
}

IncidentBook::Live* IncidentBook::lossHome(const domain::Node& node, Time at)
{
    const auto ids = m_byNode.find(node.name);
    if (ids != m_byNode.end())
        for (auto id = ids->second.rbegin(); id != ids->second.rend(); ++id) {
            Live* const found = live(*id);
            if (!found || isClosed(found->incident) || runsAnew(node.name, *found))
                continue;
            const Incident& incident = found->incident;
            const bool isBroken = std::find(incident.nodes.begin(), incident.nodes.end(),
                                            node.name) != incident.nodes.end();
            if (isBroken && at - incident.last <= kSameGpu)
                return found;
            if (mayBlame(*found, at))
                return found;
        }
    // What is lost in one moment has one cause.
    for (auto found = m_live.rbegin(); found != m_live.rend(); ++found) {
        const Incident& incident = found->second.incident;
        if (incident.reason == Reason::NodeFailure && !incident.nodes.empty() &&
            !isClosed(incident) && at - incident.last <= kOneMoment &&
            incident.first - at <= kOneMoment)
            return &found->second;
        if (m_clock.now() - incident.first > kJoin)
            break;
    }
    return nullptr;
}

bool IncidentBook::mayBlame(const Live& live, Time at) const
{
    return at - live.incident.last <= kJoin &&
           mayBeConsequence(live.incident.reason, live.incident.certainty);
}

void IncidentBook::blameNode(Live& live, const domain::Node& node, Time at)
{
    Incident& incident = live.incident;
    const bool isNew = incident.reason == Reason::Unknown;
    if (!isNew && !mayBeConsequence(incident.reason, incident.certainty))
        return;
    incident.why = fmt::format("The scheduler lost the node {}{}.", node.name,
                               node.reason.empty() ? "" : ": " + node.reason);
    if (!isNew)
        incident.why += fmt::format(" The job felt it as {}.", domain::name(incident.reason));
    incident.reason = Reason::NodeFailure;
    incident.certainty = Certainty::Established;
    incident.node = node.name;
    incident.gpu.clear();
    incident.advice =
        "Look at the node's BMC and power and bring it back; restart the job without it.";
    incident.shouldRestart = true;
    incident.cordonNode = node.name;
    live.rootAt = at;
}

void IncidentBook::suspectSwitch(Live& live, const std::string& node, Time at)
{
    const domain::Node* const known = m_snapshot.node(node);
    const Group group = known ? groupOf(m_snapshot, *known) : Group();
    if (group.size < kFewestOfSwitch)
        return;
    auto& failing = m_bySwitch[group.words];
    std::erase_if(failing, [&](const Failing& one) { return at - one.at > kOneSwitch; });
    failing.push_back({at, node, live.incident.id});
    std::set<std::string_view> nodes;
    uint64_t first = live.incident.id;
    for (const Failing& one : failing) {
        const Live* const found = this->live(one.incident);
        if (!found || isClosed(found->incident))
            continue;
        nodes.insert(one.node);
        first = std::min(first, found->incident.id);
    }
    if (nodes.size() < kFewestOfSwitch || nodes.size() * 2 < group.size)
        return;
    Live& whole = m_live.at(first);
    for (const Failing& one : failing)
        if (Live* const part = this->live(one.incident);
            part && part != &whole && !isClosed(part->incident))
            join(*part, whole);
    nameSwitch(m_snapshot, whole.incident, group.words, nodes.size(), group.size);
    whole.isChanged = true;
}

void IncidentBook::join(Live& part, Live& whole)
{
    Incident& from = part.incident;
    Incident& into = whole.incident;
    const size_t base = into.evidence.size();
    const size_t room =
        std::min(from.evidence.size(), kMostEvidence - std::min(kMostEvidence, base));
    into.evidence.insert(into.evidence.end(), from.evidence.begin(),
                         from.evidence.begin() + std::ptrdiff_t(room));
    into.evidenceLeft += from.evidence.size() - room + from.evidenceLeft;
    for (size_t i = 0; i < from.evidence.size(); ++i)
        if (const auto known = m_byFault.find(from.evidence[i].key);
            known != m_byFault.end() && known->second.incident == from.id)
            known->second = {into.id, i < room ? base + i : SIZE_MAX, known->second.last};
    for (const std::string& node : from.nodes)
        if (std::find(into.nodes.begin(), into.nodes.end(), node) == into.nodes.end())
            into.nodes.push_back(node);
    for (const domain::IncidentJob& job : from.jobs) {
        m_byRun[job.run] = into.id;
        into.jobs.push_back(job);
    }
    into.events += from.events;
    into.followers += from.followers;
    touch(whole, from.first);
    touch(whole, from.last);
    from.state = domain::IncidentState::Closed;
    from.joinedTo = into.id;
    from.notes.push_back(
        {m_clock.now(), "yardmasterd", fmt::format("joined to incident {}", into.id)});
    part.isChanged = true;
}

}  // namespace yard::control
