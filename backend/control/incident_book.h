#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/base/status.h"
#include "backend/control/cluster_snapshot.h"
#include "backend/control/fault_meaning.h"
#include "backend/control/incident_rules.h"
#include "backend/control/run_index.h"
#include "backend/domain/incident.h"

namespace yard::control {

/// Makes incidents of what job logs, hardware and scheduler say, one for each thing that went
/// wrong: by node, GPU, job and time. Consequences and repeats are counted on their incident and
/// raise none; a user's cancel and a job that ends well raise none.
///
/// Thread: core loop.
class IncidentBook {
public:
    IncidentBook(const ClusterSnapshot& snapshot, const Clock& clock);

    /// What an earlier life has left; `lastId` is the highest id ever given.
    void load(std::vector<domain::Incident> incidents, uint64_t lastId);

    /// With its time set.
    void takeFault(const domain::Fault& fault);
    /// A node that has left service by itself.
    void takeNode(const domain::Node& node);
    void takeEnd(const JobEnd& end);
    /// The snapshot has taken a view in.
    void noteView() { m_runs.noteView(); }
    void dropOld();

    /// Why a change cannot be made; OK if it can.
    Status check(const domain::IncidentChange& change) const;
    void apply(const domain::IncidentChange& change, const std::string& by);

    const domain::Incident* find(uint64_t id) const;
    /// Oldest first: all open ones, and the others of the last days.
    std::vector<const domain::Incident*> all() const;
    /// Those that are different since the last call, their sentences brought up to date.
    std::vector<domain::Incident> takeChanged();
    /// What raised nothing and belongs to no incident.
    uint64_t suppressed() const { return m_suppressed; }

private:
    struct Live {
        domain::Incident incident;
        bool isChanged = false;
        Time rootAt;         ///< of what `reason` was taken from
        std::string repeat;  ///< tells an end of the same kind; empty: none is
        std::map<int, std::set<std::string>> followerHosts;  ///< by Xid
    };
    struct Known {
        uint64_t incident = 0;
        size_t evidence = 0;
        Time last;
    };

    Live& create(Time at);
    Live* live(uint64_t id);
    void touch(Live& live, Time at);
    void index(Live& live, const std::string& node);
    size_t addEvidence(Live& live, domain::IncidentEvidence evidence);

    bool foldRepeat(const domain::Fault& fault, const std::string& key);
    void addFollower(Live& live, const domain::Fault& fault, const FaultMeaning& meaning);
    void addFault(Live& live, const domain::Fault& fault, const FaultMeaning& meaning);
    void hold(const domain::Fault& fault);
    void takeHeld(Live& live, const domain::Job& job);
    Live* crashOn(const std::string& node, Time at, std::chrono::minutes within);
    Live* onSameGpu(const domain::Fault& fault);
    Live* ofRun(const std::string& run);
    bool runsAnew(const std::string& node, const Live& live);

    void addRun(Live& live, const domain::Job& job);
    void addRunsOn(Live& live, const std::string& node, const std::string& gpu);
    void addEnd(Live& live, const JobEnd& end);
    void takeVerdict(Live& live, const JobEnd& end);
    Live* homeOf(const JobEnd& end);
    Live* lossHome(const domain::Node& node, Time at);
    void blame(Live& live, const domain::Fault& fault, const FaultMeaning& meaning);
    void blameNode(Live& live, const domain::Node& node, Time at);
    bool mayBlame(const Live& live, Time at) const;

    void addNode(Live& live, const std::string& node, Time at);
    void suspectSwitch(Live& live, const std::string& node, Time at);
    void join(Live& part, Live& whole);

    const ClusterSnapshot& m_snapshot;
    const Clock& m_clock;
    RunIndex m_runs;
    uint64_t m_lastId = 0;
    std::map<uint64_t, Live> m_live;
    std::unordered_map<std::string, std::vector<uint64_t>> m_byNode;
    std::unordered_map<std::string, uint64_t> m_byRun;
    std::unordered_map<std::string, Known> m_byFault;
    std::unordered_map<std::string, std::deque<domain::Fault>> m_held;  ///< by node
    struct Failing {
        Time at;
        std::string node;
        uint64_t incident;
    };
    std::unordered_map<std::string, std::deque<Failing>> m_bySwitch;  ///< lately
    Time m_loadedAt;
    uint64_t m_suppressed = 0;
};

}  // namespace yard::control
