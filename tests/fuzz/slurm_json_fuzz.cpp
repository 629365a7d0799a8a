#include <cstdint>
#include <cstdlib>

#include "backend/scheduler/slurm/accounting_json.h"
#include "backend/scheduler/slurm/diag_json.h"
#include "backend/scheduler/slurm/jobs_json.h"
#include "backend/scheduler/slurm/nodes_json.h"

using namespace yard::scheduler::slurm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto reply = readJsonReply({reinterpret_cast<const char*>(data), size});
    if (!reply.ok())
        return 0;
    const auto nodes = readNodesJson(*reply);
    if (nodes.ok()) {
        for (const NodeRecord& record : nodes->nodes) {
            if (record.node.name.empty() || record.node.gpusTotal < 0)
                abort();
        }
    }
    const auto jobs = readJobsJson(*reply);
    if (jobs.ok()) {
        for (const JobRecord& record : jobs->jobs) {
            if (record.job.id == 0 || record.job.gpus < 0)
                abort();
        }
    }
    readAccountingJson(*reply).status().IgnoreError();
    readDiagJson(*reply).status().IgnoreError();
    return 0;
}
