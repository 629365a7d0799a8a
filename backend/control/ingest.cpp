#include "backend/control/ingest.h"

#include <fmt/format.h>

#include "backend/base/log.h"

namespace yard::control {
namespace {

constexpr size_t kMostUnknownHosts = 10'000;
// What was lost while nobody looked is still news for so long.
constexpr std::chrono::minutes kLateLoss{15};

std::string words(const domain::Node& node)
{
    return node.stateText.empty() ? std::string(name(node.state)) : node.stateText;
}

}  // namespace

Ingest::Ingest(ClusterSnapshot& snapshot, JobTracker& jobs, IncidentDesk& incidents,
               store::Journal& journal, const Clock& clock,
               std::map<std::string, std::string> racks)
    : m_snapshot(snapshot)
    , m_jobs(jobs)
    , m_incidents(incidents)
    , m_journal(journal)
    , m_clock(clock)
    , m_racks(std::move(racks))
    , m_states(snapshot)
{
}

void Ingest::takeView(domain::SchedulerView view)
{
    for (domain::Node& node : view.nodes)
        if (const auto rack = m_racks.find(node.name); rack != m_racks.end())
            node.rack = rack->second;
    store::JournalEntry entry{.at = m_clock.now()};
    entry.changes = nodeChanges(view.nodes);
    const std::vector<domain::Node> lost = lostNodes(view.nodes);
    m_snapshot.setCluster(view.cluster);
    m_snapshot.setNodes(std::move(view.nodes));
    m_snapshot.setParts(std::move(view.partitions), std::move(view.reservations),
                        std::move(view.switches));
    auto jobChanges = m_jobs.update(std::move(view.jobs), m_clock.now());
    entry.changes.insert(entry.changes.end(), std::make_move_iterator(jobChanges.begin()),
                         std::make_move_iterator(jobChanges.end()));
    entry.states = m_states.look(m_clock.now());
    m_incidents.takeView(lost, m_jobs.takeEnded());
    if (!entry.changes.empty() || entry.states)
        m_journal.write(std::move(entry), {});
}

std::vector<store::StateChange> Ingest::nodeChanges(const std::vector<domain::Node>& nodes) const
{
    std::vector<store::StateChange> changes;
    for (const domain::Node& node : nodes) {
        const domain::Node* before = m_snapshot.node(node.name);
        if (before && before->state == node.state && before->flags == node.flags &&
            before->reason == node.reason)
            continue;
        changes.push_back({.at = m_clock.now(),
                           .what = "node",
                           .name = node.name,
                           .before = before ? words(*before) : std::string(),
                           .after = words(node),
                           .detail = node.reason});
    }
    return changes;
}

std::vector<domain::Node> Ingest::lostNodes(const std::vector<domain::Node>& nodes) const
{
    std::vector<domain::Node> lost;
    for (const domain::Node& node : nodes) {
        if (!isLost(node))
            continue;
        const domain::Node* before = m_snapshot.node(node.name);
        const bool isRecent = node.reasonTime && m_clock.now() - *node.reasonTime < kLateLoss;
        if (before ? !isLost(*before) : isRecent)
            lost.push_back(node);
    }
    return lost;
}

void Ingest::takeScrape(domain::TargetHealth target, StatusOr<telemetry::Scrape> scrape)
{
    const std::string name = target.target;
    m_snapshot.putTarget(std::move(target));
    if (!scrape.ok())
        return;
    for (const domain::HostReadings& host : scrape->hosts)
        if (!m_snapshot.applyReadings(name, host))
            noteUnknown(host.host, name);
    if (scrape->faults.empty())
        return;
    m_incidents.takeFaults(scrape->faults);
    store::JournalEntry entry{.at = m_clock.now()};
    entry.faults = m_faults.add(std::move(scrape->faults), m_snapshot.readings(), m_clock.now());
    m_snapshot.setFaults(m_faults.faults());
    if (!entry.faults.empty())
        m_journal.write(std::move(entry), {});
}

void Ingest::dropOldFaults()
{
    if (m_faults.dropOld(m_clock.now()))
        m_snapshot.setFaults(m_faults.faults());
}

void Ingest::noteUnknown(const std::string& host, const std::string& target)
{
    // Before the first view nothing is known, and nothing is wrong with that.
    if (m_snapshot.nodes().empty())
        return;
    ++m_unknownReadings;
    if (m_unknownHosts.size() < kMostUnknownHosts && m_unknownHosts.insert(host).second)
        log::warning(
            fmt::format("{} reports host {}, which the scheduler does not know. Its "
                        "readings are left out.",
                        target, host));
}

}  // namespace yard::control
