#include "backend/control/cluster_snapshot.h"

#include <algorithm>
#include <charconv>

namespace yard::control {
namespace {

constexpr size_t kTrendPoints = 24 * 60;

// Assigns and tells whether that changed anything.
template <typename T>
bool replace(T& stored, T value)
{
    if (stored == value)
        return false;
    stored = std::move(value);
    return true;
}

}  // namespace

ClusterSnapshot::ClusterSnapshot(const Clock& clock, About about)
    : m_clock(clock)
    , m_about(std::move(about))
{
}

uint64_t ClusterSnapshot::touch()
{
    if (m_delivered) {
        ++m_revision;
        m_delivered = false;
    }
    return m_revision;
}

void ClusterSnapshot::setCluster(const std::string& name)
{
    if (!name.empty() && replace(m_about.cluster, name))
        m_fullSince = touch();
}

void ClusterSnapshot::setNodes(std::vector<domain::Node> nodes)
{
    if (m_board.setTopology(nodes)) {
        m_nodes = std::move(nodes);
        m_fullSince = touch();
        m_nodeRevision.assign(m_nodes.size(), m_fullSince);
        return;
    }
    for (size_t i = 0; i < nodes.size(); ++i)
        if (replace(m_nodes[i], std::move(nodes[i])))
            m_nodeRevision[i] = touch();
}

void ClusterSnapshot::setParts(std::vector<domain::Partition> partitions,
                               std::vector<domain::Reservation> reservations,
                               std::vector<domain::Switch> switches)
{
    bool changed = replace(m_partitions, std::move(partitions));
    changed = replace(m_reservations, std::move(reservations)) || changed;
    changed = replace(m_switches, std::move(switches)) || changed;
    if (changed)
        m_partsRevision = touch();
}

void ClusterSnapshot::putJob(const JobKey& key, TrackedJob job)
{
    const TrackedJob* known = m_jobs.find(key);
    if (!known || !(*known == job))
        m_jobs.put(key, std::move(job), touch());
}

void ClusterSnapshot::removeJob(const JobKey& key)
{
    if (m_jobs.find(key))
        m_jobs.remove(key, touch());
}

bool ClusterSnapshot::applyReadings(const std::string& source, const domain::HostReadings& readings)
{
    // Ages move with every scrape, so this is news even if all values are the same.
    return m_board.apply(source, readings, m_clock.now(), uint32_t(touch()));
}

void ClusterSnapshot::putTarget(domain::TargetHealth target)
{
    const std::string key = target.target;
    m_targets.put(key, std::move(target), touch());
}

void ClusterSnapshot::removeTarget(const std::string& target)
{
    if (m_targets.find(target))
        m_targets.remove(target, touch());
}

void ClusterSnapshot::setFaults(std::vector<domain::Fault> faults)
{
    m_faults = std::move(faults);
    m_faultsRevision = touch();
}

void ClusterSnapshot::setScheduler(domain::SchedulerHealth health)
{
    if (replace(m_scheduler, std::move(health)))
        m_schedulerRevision = touch();
}

void ClusterSnapshot::setRights(std::vector<domain::Right> rights)
{
    if (replace(m_rights, std::move(rights)))
        m_rightsRevision = touch();
}

void ClusterSnapshot::setDaemon(DaemonHealth health)
{
    if (replace(m_daemon, std::move(health)))
        m_daemonRevision = touch();
}

void ClusterSnapshot::putOperation(domain::Operation operation)
{
    const domain::Operation* known = m_operations.find(operation.id);
    if (known && *known == operation)
        return;
    const uint64_t id = operation.id;
    m_operations.put(id, std::move(operation), touch());
}

void ClusterSnapshot::forgetOperation(uint64_t id)
{
    m_operations.remove(id, m_revision);
}

void ClusterSnapshot::addTrend(TrendPoint point)
{
    m_trend.emplace_back(point, touch());
    if (m_trend.size() > kTrendPoints)
        m_trend.pop_front();
}

const domain::Node* ClusterSnapshot::node(const std::string& name) const
{
    const auto index = m_board.nodeIndex(name);
    return index ? &m_nodes[*index] : nullptr;
}

bool ClusterSnapshot::canTellSince(uint64_t revision) const
{
    return revision != 0 && revision >= m_fullSince && revision <= m_revision &&
           m_jobs.remembers(revision) && m_targets.remembers(revision);
}

std::shared_ptr<const ClusterDelta> ClusterSnapshot::since(uint64_t revision,
                                                           const Interest& interest,
                                                           Identities identities)
{
    const bool full = !canTellSince(revision);
    auto delta = std::make_shared<ClusterDelta>();
    delta->revision = m_revision;
    delta->baseRevision = full ? 0 : revision;
    delta->at = m_clock.now();
    delta->readingIntervalSeconds = m_about.readingIntervalSeconds;
    fillNodes(*delta, full);
    fillParts(*delta, full);
    const uint64_t after = delta->baseRevision;
    delta->jobs = m_jobs.changedAfter(after);
    delta->targets = m_targets.changedAfter(after);
    if (!full) {
        delta->removedJobs = m_jobs.removedAfter(after);
        delta->removedTargets = m_targets.removedAfter(after);
    }
    delta->operations = m_operations.changedAfter(after);
    for (const auto& [point, changed] : m_trend)
        if (changed > after)
            delta->trend.push_back(point);
    if (interest.withReadings)
        m_board.fillReadings(*delta, interest, uint32_t(after), full);
    if (interest.withReadings && !(full && identities == Identities::NotInFull))
        m_board.fillIdentities(*delta, uint32_t(after), full || identities == Identities::All);
    m_delivered = true;
    return delta;
}

void ClusterSnapshot::fillNodes(ClusterDelta& delta, bool full) const
{
    for (size_t i = 0; i < m_nodes.size(); ++i) {
        if (!full && m_nodeRevision[i] <= delta.baseRevision)
            continue;
        delta.nodes.push_back(m_nodes[i]);
        delta.ownedByOperation.push_back(markedOperation(m_nodes[i].reason));
        if (!full)
            delta.nodeIndex.push_back(uint32_t(i));
    }
}

void ClusterSnapshot::fillParts(ClusterDelta& delta, bool full) const
{
    const uint64_t after = delta.baseRevision;
    if (full) {
        delta.cluster = m_about.cluster;
        delta.timeZone = m_about.timeZone;
        delta.demo = m_about.demo;
    }
    if (full || m_partsRevision > after) {
        delta.hasClusterParts = true;
        delta.partitions = m_partitions;
        delta.reservations = m_reservations;
        delta.switches = m_switches;
    }
    if (full || m_faultsRevision > after) {
        delta.hasFaults = true;
        delta.faults = m_faults;
    }
    if (full || m_schedulerRevision > after)
        delta.scheduler = m_scheduler;
    if (full || m_rightsRevision > after) {
        delta.hasRights = true;
        delta.rights = m_rights;
    }
    if (full || m_daemonRevision > after)
        delta.daemon = m_daemon;
}

uint64_t markedOperation(std::string_view text)
{
    constexpr std::string_view kMark = "yard:";
    if (!text.starts_with(kMark))
        return 0;
    uint64_t id = 0;
    text.remove_prefix(kMark.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    const bool whole = end == text.data() + text.size() || *end == ' ' || *end == '.';
    return error == std::errc() && whole ? id : 0;
}

std::string withoutMark(const std::string& text)
{
    if (markedOperation(text) == 0)
        return text;
    const size_t space = text.find(' ');
    return space == std::string::npos ? std::string() : text.substr(space + 1);
}

}  // namespace yard::control
