#pragma once

#include <set>
#include <string>

#include "backend/control/cluster_snapshot.h"
#include "backend/control/fault_book.h"
#include "backend/control/incident_desk.h"
#include "backend/control/job_tracker.h"
#include "backend/control/state_recorder.h"
#include "backend/store/journal.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::control {

/// Takes what schedulers and sources report into the snapshot, what changed into the journal, and
/// what went wrong to the incidents.
///
/// Thread: core loop.
class Ingest {
public:
    Ingest(ClusterSnapshot& snapshot, JobTracker& jobs, IncidentDesk& incidents,
           store::Journal& journal, const Clock& clock, std::map<std::string, std::string> racks);

    void takeView(domain::SchedulerView view);
    /// A failed scrape changes the target's health and nothing else.
    void takeScrape(domain::TargetHealth target, StatusOr<telemetry::Scrape> scrape);
    void dropOldFaults();
    /// Looks at the scheduler were lost on the way to the disk: the next is kept as a whole.
    void keepStatesAnew() { m_states.beginAnew(); }

    /// Readings of hosts that the scheduler does not know; each host is logged once.
    uint64_t unknownReadings() const { return m_unknownReadings; }

private:
    std::vector<store::StateChange> nodeChanges(const std::vector<domain::Node>& nodes) const;
    std::vector<domain::Node> lostNodes(const std::vector<domain::Node>& nodes) const;
    void noteUnknown(const std::string& host, const std::string& target);

    ClusterSnapshot& m_snapshot;
    JobTracker& m_jobs;
    IncidentDesk& m_incidents;
    store::Journal& m_journal;
    const Clock& m_clock;
    const std::map<std::string, std::string> m_racks;
    FaultBook m_faults;
    StateRecorder m_states;
    std::set<std::string> m_unknownHosts;
    uint64_t m_unknownReadings = 0;
};

}  // namespace yard::control
