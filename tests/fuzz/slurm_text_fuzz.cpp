#include <cstdint>
#include <cstdlib>

#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/size_text.h"
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
    return 0;
}
