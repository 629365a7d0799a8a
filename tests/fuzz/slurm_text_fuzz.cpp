#include <cstdint>
#include <cstdlib>

#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/sacct_text.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/sinfo_text.h"
#include "backend/scheduler/slurm/size_text.h"
#include "backend/scheduler/slurm/squeue_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

using namespace yard::scheduler::slurm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    readNodeState(text);
    readJobState(text);
    if (readGres(text).gpus() < 0 || readTres(text).gpus() < 0)
        abort();
    const auto duration = readDuration(text).seconds;
    if (duration && *duration < 0)
        abort();
    readTime(text);
    readMinutesLimit(text);
    readMemoryRequest(text);
    readSacctText(text).status().IgnoreError();
    readSqueueText(text).status().IgnoreError();
    readSinfoText(text).status().IgnoreError();
    readScontrolNodes(text).status().IgnoreError();
    readScontrolJobs(text).status().IgnoreError();
    return 0;
}
