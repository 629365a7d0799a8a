#include "app/ctl/inspect_slurm.h"

#include "app/ctl/inspect_values.h"
#include "backend/scheduler/slurm/accounting_json.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/diag_json.h"
#include "backend/scheduler/slurm/jobs_json.h"
#include "backend/scheduler/slurm/nodes_json.h"
#include "backend/scheduler/slurm/sacct_text.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/sinfo_text.h"
#include "backend/scheduler/slurm/squeue_text.h"
#include "backend/scheduler/slurm/table_text.h"

namespace yard::ctl {
namespace {

using namespace scheduler::slurm;

/// A failed read gives no data: what was known before stays.
void fail(const Status& status, Json& out)
{
    out["error"] = textJson(std::string(status.message()));
    out["jobs"] = nullptr;
    out["nodes"] = nullptr;
    out["gpus_alloc"] = nullptr;
}

void failWithReply(const JsonReply& reply, const Status& status, Json& out)
{
    fail(status, out);
    if (reply.errors.empty())
        return;
    const ReplyError& error = reply.errors.front();
    out["error"] = {{"number", valueJson(error.number)},
                    {"text", textJson(error.text.empty() ? error.description : error.text)},
                    {"description", textJson(error.description)}};
}

template <typename Read>
void inspectJson(const Input& input, Json& out, Read read)
{
    const auto reply = readJsonReply(input.body);
    if (!reply.ok()) {
        fail(reply.status(), out);
        return;
    }
    if (!reply->version.empty())
        out["slurm_version"] = textJson(reply->version);
    if (!reply->warnings.empty())
        out["warnings"] = textsJson(reply->warnings);
    const Status status = read(*reply);
    if (!status.ok())
        failWithReply(*reply, status, out);
}

void inspectDiag(const Diagnosis& diagnosis, Json& out)
{
    Json rpcs = Json::array();
    for (const RpcStatistics& rpc : diagnosis.rpcs)
        rpcs.push_back({{"type", textJson(rpc.type)},
                        {"count", valueJson(rpc.count)},
                        {"avg_us", valueJson(rpc.averageMicroseconds)},
                        {"total_us", valueJson(rpc.totalMicroseconds)}});
    out["diag"] = {{"req_time", valueJson(diagnosis.requestTime)},
                   {"since", valueJson(diagnosis.since)},
                   {"server_threads", valueJson(diagnosis.serverThreads)},
                   {"agent_queue_size", valueJson(diagnosis.agentQueueSize)},
                   {"dbd_agent_queue_size", valueJson(diagnosis.dbdAgentQueueSize)},
                   {"sched_cycle_last_us", valueJson(diagnosis.scheduleCycleLast)},
                   {"sched_cycle_max_us", valueJson(diagnosis.scheduleCycleMax)},
                   {"sched_cycle_mean_us", valueJson(diagnosis.scheduleCycleMean)},
                   {"bf_cycle_last_us", valueJson(diagnosis.backfillCycleLast)},
                   {"bf_cycle_max_us", valueJson(diagnosis.backfillCycleMax)},
                   {"bf_last_time", valueJson(diagnosis.backfillLastTime)},
                   {"jobs_pending", valueJson(diagnosis.jobsPending)},
                   {"jobs_running", valueJson(diagnosis.jobsRunning)},
                   {"rpc", rpcs}};
}

template <typename Read>
Status put(StatusOr<Read> read, Json& out)
{
    if (read.ok())
        writeRead(*read, out);
    return read.status();
}

template <typename Read>
void putText(StatusOr<Read> read, Json& out)
{
    const Status status = put(std::move(read), out);
    if (!status.ok())
        fail(status, out);
}

/// Anything that should be an error: an empty answer, words in place of a table, a reply with
/// errors.
void inspectError(std::string_view kind, const Input& input, Json& out)
{
    const std::string_view body = text::trimmed(input.body);
    if (body.starts_with('{') || (kind == "slurm.error.json" && checkOutput(body).ok())) {
        inspectJson(input, out, [](const JsonReply& reply) { return checkReply(reply); });
        return;
    }
    if (const Status status = checkOutput(body); !status.ok())
        fail(status, out);
    else if (delimiterOf(body.substr(0, body.find('\n'))).empty())
        fail(absl::InvalidArgumentError("the command gave no table but said: " +
                                        std::string(body.substr(0, body.find('\n')))),
             out);
    else
        out["error"] = nullptr;
}

}  // namespace

void inspectSlurm(std::string_view kind, const Input& input, const InspectRequest& request,
                  Json& out)
{
    if (kind.starts_with("slurm.error")) {
        inspectError(kind, input, out);
    } else if (kind == "slurm.nodes.json" || kind == "slurm.sinfo.json") {
        inspectJson(input, out,
                    [&](const JsonReply& reply) { return put(readNodesJson(reply), out); });
    } else if (kind == "slurm.jobs.json" || kind == "slurm.squeue.json") {
        inspectJson(input, out,
                    [&](const JsonReply& reply) { return put(readJobsJson(reply), out); });
    } else if (kind == "slurm.sacct.json") {
        inspectJson(input, out,
                    [&](const JsonReply& reply) { return put(readAccountingJson(reply), out); });
    } else if (kind == "slurm.diag.json") {
        inspectJson(input, out, [&](const JsonReply& reply) {
            const auto diagnosis = readDiagJson(reply);
            if (diagnosis.ok())
                inspectDiag(*diagnosis, out);
            return diagnosis.status();
        });
    } else if (kind == "slurm.sinfo.text") {
        putText(readSinfoText(input.body), out);
    } else if (kind == "slurm.scontrol.nodes.text") {
        putText(readScontrolNodes(input.body), out);
    } else if (kind == "slurm.scontrol.jobs.text") {
        putText(readScontrolJobs(input.body), out);
    } else if (kind == "slurm.squeue.text") {
        putText(readSqueueText(input.body), out);
    } else if (kind == "slurm.sacct.text") {
        putText(readSacctText(input.body, request.fields), out);
    } else if (!inspectWords(kind, input.body, out)) {
        out["error"] = "there is no kind of input " + std::string(kind);
    }
}

}  // namespace yard::ctl
