#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/clock.h"

namespace yard::domain {

enum class JobState : uint8_t {
    Unknown,
    Pending,
    Running,
    Suspended,
    Completed,
    Cancelled,
    Failed,
    Timeout,
    NodeFail,
    Preempted,
    BootFail,
    Deadline,
    OutOfMemory
};

/// A limit that can be absent, infinite or a number of seconds.
struct TimeLimit {
    bool unlimited = false;
    std::optional<int64_t> seconds;  ///< empty and not unlimited: not known
    bool operator==(const TimeLimit&) const = default;
};

/// A place in an array job. `task` is empty for the rest of the array that still waits as one
/// record.
struct ArrayPlace {
    uint64_t job = 0;
    std::optional<uint32_t> task;
    std::string pending;  ///< "2-9%2": the tasks this record stands for
    uint32_t pendingCount = 0;
    bool operator==(const ArrayPlace&) const = default;
};

struct HetPlace {
    uint64_t leader = 0;
    uint32_t offset = 0;
    bool operator==(const HetPlace&) const = default;
};

struct ExitStatus {
    std::optional<int> code;
    std::optional<int> signal;
    bool operator==(const ExitStatus&) const = default;
};

/// One job record of the scheduler. Identity is cluster, raw id and submit time: ids are used
/// again.
struct Job {
    uint64_t id = 0;        ///< raw number
    std::string displayId;  ///< as Slurm's commands take it: "123", "18_3", "7+1"
    std::optional<ArrayPlace> array;
    std::optional<HetPlace> het;

    std::string name;
    std::string user;
    std::string account;
    std::string partition;
    std::string qos;
    std::string comment;

    JobState state = JobState::Unknown;
    std::vector<std::string> stateFlags;  ///< COMPLETING, CONFIGURING, REQUEUED …
    std::string stateText;                ///< Slurm's own words
    std::string reason;                   ///< why it waits or ended: "Resources", "NodeDown"
    std::optional<ExitStatus> exit;
    std::optional<uint32_t> cancelledByUid;
    int restarts = 0;
    int priority = 0;
    bool held = false;
    bool requeueable = true;

    std::optional<Time> submitTime;
    std::optional<Time> startTime;  ///< empty until it has started: an estimate is not a start
    std::optional<Time> endTime;    ///< empty until it has ended
    std::optional<Time> estimatedStart;
    TimeLimit timeLimit;

    std::vector<std::string> nodes;  ///< expanded; empty until it has some
    std::string excludedNodes;       ///< folded hostlist
    std::string requiredNodes;       ///< asked for by name; folded hostlist, empty if not known
    int nodeCount = 0;
    int cpus = 0;
    int gpus = 0;                                        ///< allocated, or asked for while it waits
    std::map<std::string, std::vector<int>> gpuIndices;  ///< node to indices; empty if not known
    std::string workDirectory;
    std::string standardOutput;
    std::string dependency;

    bool operator==(const Job&) const = default;
};

/// Upper case, as Slurm: "NODE_FAIL".
std::string_view name(JobState state);
/// Accepts full and compact words: "R", "RUNNING". Unknown if it is neither.
JobState jobStateFrom(std::string_view word);
bool isActive(JobState state);    ///< running or suspended: it holds nodes
bool isFinished(JobState state);  ///< it will not change any more by itself

}  // namespace yard::domain
