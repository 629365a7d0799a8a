#include "backend/scheduler/slurm/diag_json.h"

#include "backend/scheduler/slurm/json_values.h"

namespace yard::scheduler::slurm {

StatusOr<Diagnosis> readDiagJson(const JsonReply& reply)
{
    YARD_RETURN_IF_ERROR(checkReply(reply));
    const auto statistics = objectAt(reply.root, "statistics");
    if (!statistics)
        return absl::InvalidArgumentError("the reply has no statistics");
    Diagnosis diagnosis;
    const auto read = [&](std::optional<int64_t>& field, std::string_view key) {
        field = countAt(*statistics, key);
    };
    read(diagnosis.requestTime, "req_time");
    read(diagnosis.since, "req_time_start");
    read(diagnosis.serverThreads, "server_thread_count");
    read(diagnosis.agentQueueSize, "agent_queue_size");
    read(diagnosis.dbdAgentQueueSize, "dbd_agent_queue_size");
    read(diagnosis.scheduleCycleLast, "schedule_cycle_last");
    read(diagnosis.scheduleCycleMax, "schedule_cycle_max");
    read(diagnosis.scheduleCycleMean, "schedule_cycle_mean");
    read(diagnosis.backfillCycleLast, "bf_cycle_last");
    read(diagnosis.backfillCycleMax, "bf_cycle_max");
    read(diagnosis.backfillLastTime, "bf_when_last_cycle");
    read(diagnosis.jobsPending, "jobs_pending");
    read(diagnosis.jobsRunning, "jobs_running");
    const auto rpcs = arrayAt(*statistics, "rpcs_by_message_type");
    if (!rpcs)
        return diagnosis;
    for (const simdjson::dom::element item : *rpcs) {
        simdjson::dom::object from;
        if (item.get(from) != simdjson::SUCCESS)
            continue;
        diagnosis.rpcs.push_back({textAt(from, "message_type"), countAt(from, "count"),
                                  countAt(from, "average_time"), countAt(from, "total_time")});
    }
    return diagnosis;
}

}  // namespace yard::scheduler::slurm
