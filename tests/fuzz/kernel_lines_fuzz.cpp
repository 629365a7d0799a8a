#include <cstdint>
#include <cstdlib>

#include "backend/telemetry/kernel_lines.h"

using namespace yard::telemetry;

/// Every event ends up in exactly one incident.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const KernelRead read = readKernelLines({reinterpret_cast<const char*>(data), size});
    size_t folded = 0;
    for (const KernelIncident& incident : foldIncidents(read.events)) {
        folded += incident.events.size();
        if (incident.fault.pci.empty() || incident.fault.count != int(incident.events.size()))
            abort();
    }
    if (folded != read.events.size())
        abort();
    return 0;
}
