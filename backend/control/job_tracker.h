#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "backend/control/cluster_snapshot.h"
#include "backend/store/journal.h"

namespace yard::control {

/// Follows jobs from view to view: keeps those that ended for a while, keeps every earlier run of a
/// job that was requeued, and links a job to the one that restarts it.
///
/// Thread: core loop.
class JobTracker {
public:
    struct Options {
        std::chrono::hours keepEnded{6};
        size_t maxEnded = 5000;
    };
    JobTracker(ClusterSnapshot& snapshot, Options options);

    /// Takes a complete view's jobs; returns what is different now, for the journal.
    std::vector<store::StateChange> update(std::vector<domain::Job> jobs, Time now);

    /// Runs that ended since the last call, requeued ones among them (their text says so); of those
    /// never seen running only if it was minutes ago.
    std::vector<domain::Job> takeEnded() { return std::exchange(m_endedRuns, {}); }

    /// The job that carries `mark` in its comment will restart `original`.
    void expectRestart(const std::string& mark, const std::string& original);

    /// The newest job with this id as Slurm's commands take it; null if there is none.
    const TrackedJob* find(const std::string& displayId) const;
    /// What a name as commands take it stands for: the job with this id, else every record of an
    /// array ("18"), or of the tasks of it that are named ("18_3", "18_[2-9]").
    std::vector<const TrackedJob*> named(const std::string& name) const;
    /// The job whose comment carries `mark`, so "yard:17" or "yard:17.2".
    const TrackedJob* findMarked(const std::string& mark) const;
    /// All runs that belong together, oldest first.
    std::vector<TrackedJob> attempts(const std::string& displayId) const;

private:
    void take(domain::Job job, Time now, std::vector<store::StateChange>& changes);
    void keepRun(const TrackedJob& run, const domain::Job& later);
    void link(TrackedJob& tracked);
    void markGone(const std::vector<JobKey>& seen, Time now,
                  std::vector<store::StateChange>& changes);
    bool isSplit(const domain::Job& rest, const std::vector<JobKey>& seen) const;
    void remove(const JobKey& key);
    void forgetName(const std::string& displayId, const JobKey& key);
    void dropOld(Time now);
    void appendRuns(const TrackedJob& job, std::vector<TrackedJob>& attempts) const;

    ClusterSnapshot& m_snapshot;
    const Options m_options;
    std::vector<domain::Job> m_endedRuns;
    std::map<std::string, JobKey> m_byDisplayId;
    std::map<std::string, JobKey> m_byMark;
    std::map<uint64_t, std::set<JobKey>> m_byArray;
    std::map<std::string, std::string> m_expected;       ///< mark to the job it restarts
    std::map<uint64_t, std::vector<TrackedJob>> m_runs;  ///< raw id to earlier runs
    std::map<JobKey, Time> m_ended;                      ///< gone from the view, and since when
    std::deque<uint64_t> m_runOrder;                     ///< raw ids in order of their kept runs
};

JobKey keyOf(const domain::Job& job);

/// Whether two sights of one job id are of the same submission. Slurm stamps a requeued job with a
/// new submit time, and once more when its processes have ended; a new job under an old id has not
/// been restarted.
bool isSameSubmission(const JobKey& before, int restartsBefore, const domain::Job& now);

}  // namespace yard::control
