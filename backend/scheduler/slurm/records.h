#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/domain/cluster.h"

namespace yard::scheduler::slurm {

/// A node as it was read, with what the domain does not carry.
struct NodeRecord {
    domain::Node node;
    /// For words that hide the base state (`drained`): Node::state is Unknown then.
    std::optional<domain::NodeCategory> category;
    std::optional<int> cpusIdle;
    std::optional<int> cpusOther;
    bool knowsGpusTotal = false;
    bool knowsGpusAllocated = false;
    std::optional<int> gpusReported;  ///< by the node itself, when it has fewer than configured
    std::string gresDrained;
    std::string reasonTimeLocal;  ///< as the cluster wrote it, without a zone
    std::string bootTimeLocal;
    std::optional<double> powerWatts;
};

/// What one read of nodes brought.
struct NodesRead {
    std::string version;
    std::string cluster;
    std::vector<NodeRecord> nodes;  ///< in the order of the input, each name once
    /// Sums where the input gives sums of groups and not values of nodes.
    std::optional<int64_t> groupCpusTotal;
    std::optional<int64_t> groupCpusAllocated;
    domain::ReadNotes notes;
    std::vector<uint32_t> badLines;  ///< from 1; text only
};

struct StepRecord {
    std::string id;  ///< "490.batch"
    std::string state;
    std::optional<Time> start;
    std::optional<Time> end;
};

/// One run of a job that was requeued.
struct JobRun {
    std::string state;
    std::optional<double> elapsedSeconds;
    std::optional<double> totalCpuSeconds;
};

struct JobRecord {
    domain::Job job;
    std::string cluster;
    std::string stateWord;  ///< "COMPLETING" where the text shows a flag in place of the state
    std::optional<uint32_t> uid;
    std::optional<double> elapsedSeconds;
    std::optional<double> totalCpuSeconds;
    std::optional<double> energyJoules;
    std::optional<double> memoryMib;  ///< of the whole job
    std::optional<double> memoryPerNodeMib;
    std::optional<double> memoryPerCpuMib;
    std::string submitLocal;  ///< as the cluster wrote it, without a zone
    std::string startLocal;
    std::string endLocal;
    std::string submitLine;
    bool knowsGpus = false;
    bool knowsEnd = false;  ///< the input has a column for it
    /// Node to socket to cores.
    std::map<std::string, std::map<std::string, std::vector<int>>> cores;
    std::vector<StepRecord> steps;
    std::vector<JobRun> runs;  ///< oldest first; one unless it was requeued and all were asked for
};

struct JobsRead {
    std::string version;
    std::vector<JobRecord> jobs;
    std::vector<std::string> stepIds;  ///< text: "602118.batch", in order
    uint64_t records = 0;              ///< jobs and steps as read
    domain::ReadNotes notes;
    std::vector<uint32_t> badLines;  ///< from 1; text only
};

/// A hostlist as job records hold it; "None assigned" and "(null)" are no nodes. A list that
/// cannot be expanded is empty and noted.
std::vector<std::string> nodesOf(std::string_view hostlist, domain::ReadNotes& notes);

/// A count as commands print it: "2K" for 2048, "2-4" for a range. What looks like a number and is
/// no count is nothing, and noted; `where` says where it stands: "sacct, line 5".
std::optional<int> countIn(std::string_view text, std::string_view what, const std::string& where,
                           domain::ReadNotes& notes);

/// "71004_0", "18_[2-9]", "7+1" or the number.
std::string displayIdOf(const domain::Job& job);
/// Fills `pending` and its count from "2-9%2" or "1,3-5:2".
void setPendingTasks(domain::ArrayPlace& place, std::string_view tasks);
/// JobHeldUser, JobHeldAdmin, job_requeued_in_held_state, or a state that only a hold brings.
bool isHeld(const domain::Job& job);
/// Exit as it can be believed: none while it runs, and none where a failure claims code 0.
std::optional<domain::ExitStatus> believable(const domain::Job& job, domain::ExitStatus exit);
/// From "gres/gpu count reported lower than configured (7 < 8)".
std::optional<int> gpusReportedIn(std::string_view reason);

}  // namespace yard::scheduler::slurm
