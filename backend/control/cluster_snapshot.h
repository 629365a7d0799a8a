#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/control/cluster_delta.h"
#include "backend/control/reading_board.h"
#include "backend/control/versioned_map.h"

namespace yard::control {

/// The cluster as it is known now. Everything in it carries the revision of its last change, so
/// that a merged delta can be made for any reader at any time.
///
/// The revision moves at most once between two deliveries.
///
/// Thread: core loop.
class ClusterSnapshot {
public:
    struct About {
        std::string cluster;
        std::string timeZone;
        bool demo = false;
        float readingIntervalSeconds = 10;
    };
    ClusterSnapshot(const Clock& clock, About about);

    uint64_t revision() const { return m_revision; }
    /// What changed after `revision`; everything if that cannot be told any more, or it is 0.
    std::shared_ptr<const ClusterDelta> since(uint64_t revision, const Interest& interest,
                                              Identities identities = Identities::Usual);

    void setCluster(const std::string& name);
    /// In natural order of names.
    void setNodes(std::vector<domain::Node> nodes);
    void setParts(std::vector<domain::Partition> partitions,
                  std::vector<domain::Reservation> reservations,
                  std::vector<domain::Switch> switches);
    void putJob(const JobKey& key, TrackedJob job);
    void removeJob(const JobKey& key);
    /// False: no such host.
    bool applyReadings(const std::string& source, const domain::HostReadings& readings);
    void putTarget(domain::TargetHealth target);
    void removeTarget(const std::string& target);
    void setFaults(std::vector<domain::Fault> faults);
    void setScheduler(domain::SchedulerHealth health);
    void setRights(std::vector<domain::Right> rights);
    void setDaemon(DaemonHealth health);
    void putOperation(domain::Operation operation);
    /// Takes an old operation out of full updates; readers keep what they have.
    void forgetOperation(uint64_t id);
    void addTrend(TrendPoint point);

    const std::vector<domain::Node>& nodes() const { return m_nodes; }
    const domain::Node* node(const std::string& name) const;
    /// Of the last change of a node, and of partitions, reservations or switches.
    uint64_t nodeRevision(uint32_t index) const { return m_nodeRevision[index]; }
    uint64_t partsRevision() const { return m_partsRevision; }
    const std::vector<domain::Partition>& partitions() const { return m_partitions; }
    const std::vector<domain::Reservation>& reservations() const { return m_reservations; }
    const std::vector<domain::Switch>& switches() const { return m_switches; }
    const VersionedMap<JobKey, TrackedJob>& jobs() const { return m_jobs; }
    const VersionedMap<uint64_t, domain::Operation>& operations() const { return m_operations; }
    const ReadingBoard& readings() const { return m_board; }
    const std::vector<domain::Fault>& faults() const { return m_faults; }
    const std::vector<domain::Right>& rights() const { return m_rights; }
    const domain::SchedulerHealth& scheduler() const { return m_scheduler; }
    const DaemonHealth& daemon() const { return m_daemon; }
    const std::string& cluster() const { return m_about.cluster; }

private:
    uint64_t touch();
    bool canTellSince(uint64_t revision) const;
    void fillNodes(ClusterDelta& delta, bool full) const;
    void fillParts(ClusterDelta& delta, bool full) const;

    const Clock& m_clock;
    About m_about;
    uint64_t m_revision = 1;
    bool m_delivered = false;  ///< somebody has seen the current revision
    uint64_t m_fullSince = 1;  ///< set, order or GPU counts of nodes changed then

    std::vector<domain::Node> m_nodes;
    std::vector<uint64_t> m_nodeRevision;
    std::vector<domain::Partition> m_partitions;
    std::vector<domain::Reservation> m_reservations;
    std::vector<domain::Switch> m_switches;
    uint64_t m_partsRevision = 0;
    VersionedMap<JobKey, TrackedJob> m_jobs;
    ReadingBoard m_board;
    VersionedMap<std::string, domain::TargetHealth> m_targets;
    std::vector<domain::Fault> m_faults;
    uint64_t m_faultsRevision = 0;
    domain::SchedulerHealth m_scheduler;
    uint64_t m_schedulerRevision = 0;
    std::vector<domain::Right> m_rights;
    uint64_t m_rightsRevision = 0;
    DaemonHealth m_daemon;
    uint64_t m_daemonRevision = 0;
    VersionedMap<uint64_t, domain::Operation> m_operations;
    std::deque<std::pair<TrendPoint, uint64_t>> m_trend;
};

/// The operation whose mark `text` starts with ("yard:17 bad link", "yard:17.2"); 0 if it has none.
uint64_t markedOperation(std::string_view text);
/// "bad link": what follows the mark, or all of it without one.
std::string withoutMark(const std::string& text);

}  // namespace yard::control
