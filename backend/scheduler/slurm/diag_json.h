#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/scheduler/slurm/json_reply.h"

namespace yard::scheduler::slurm {

struct RpcStatistics {
    std::string type;
    std::optional<int64_t> count;
    std::optional<int64_t> averageMicroseconds;
    std::optional<int64_t> totalMicroseconds;
};

/// How slurmctld is doing (`sdiag --json`). All durations are microseconds, whatever the schema
/// says.
struct Diagnosis {
    std::optional<int64_t> requestTime;  ///< epoch seconds
    std::optional<int64_t> since;
    std::optional<int64_t> serverThreads;
    std::optional<int64_t> agentQueueSize;
    std::optional<int64_t> dbdAgentQueueSize;
    std::optional<int64_t> scheduleCycleLast;
    std::optional<int64_t> scheduleCycleMax;
    std::optional<int64_t> scheduleCycleMean;
    std::optional<int64_t> backfillCycleLast;
    std::optional<int64_t> backfillCycleMax;
    std::optional<int64_t> backfillLastTime;
    std::optional<int64_t> jobsPending;
    std::optional<int64_t> jobsRunning;
    std::vector<RpcStatistics> rpcs;
};
StatusOr<Diagnosis> readDiagJson(const JsonReply& reply);

}  // namespace yard::scheduler::slurm
