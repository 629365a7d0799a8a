#include "backend/scheduler/simulated/failure_model.h"

#include <array>
#include <cmath>

namespace yard::scheduler {
namespace {

using enum FailureCategory;

constexpr std::array kReasons{
    FailureReason{Infrastructure, "NVLink Error", 54, 896, FailureTrace::Xid, 74, true},
    FailureReason{Infrastructure, "CUDA Error", 21, 1024, FailureTrace::Xid, 79, true},
    FailureReason{Infrastructure, "Node Failure", 16, 768, FailureTrace::NodeLost},
    FailureReason{Infrastructure, "ECC Error", 12, 512, FailureTrace::Xid, 94, true},
    FailureReason{Infrastructure, "Network Error", 12, 768},
    FailureReason{Infrastructure, "Connection Error", 147, 1},
    FailureReason{Infrastructure, "S3 Storage Error", 10, 256},
    FailureReason{Infrastructure, "NCCL Timeout Error", 6, 512},
    FailureReason{Infrastructure, "NCCL Remote Error", 3, 1024},
    FailureReason{Framework, "Dataloader Killed", 6, 508},
    FailureReason{Framework, "Attribute Error", 67, 8},
    FailureReason{Framework, "Out of Memory Error", 14, 640, FailureTrace::Xid, 31, false},
    FailureReason{Framework, "Runtime Error", 65, 352},
    FailureReason{Framework, "Assertion Error", 105, 256},
    FailureReason{Framework, "Value Error", 33, 256},
    FailureReason{Framework, "Zero Division Error", 5, 256},
    FailureReason{Framework, "Model Loading Error", 104, 8},
    FailureReason{Framework, "Dataset Loading Error", 5, 1},
    FailureReason{Script, "File Not Found Error", 568, 1},
    FailureReason{Script, "OS Error", 266, 1},
    FailureReason{Script, "Type Error", 620, 4},
    FailureReason{Script, "Name Error", 18, 24},
    FailureReason{Script, "Permission Error", 7, 512},
    FailureReason{Script, "Import Error", 111, 8},
    FailureReason{Script, "Key Error", 260, 1},
    FailureReason{Script, "Syntax Error", 10, 384},
    FailureReason{Script, "Argument Error", 3, 512},
    FailureReason{Script, "Called Process Error", 4, 256},
    FailureReason{Script, "Index Error", 23, 1},
};

// Falls to a half two doublings away from the row's median size.
double weight(const FailureReason& reason, int gpus)
{
    const double doublings = std::log2(double(gpus) / reason.medianGpus) / 2;
    return reason.number / (1 + doublings * doublings);
}

}  // namespace

std::span<const FailureReason> failureReasons()
{
    return kReasons;
}

const FailureReason& chooseFailure(Random& random, bool infrastructure, int gpus)
{
    double total = 0;
    for (const auto& reason : kReasons)
        if ((reason.category == Infrastructure) == infrastructure)
            total += weight(reason, gpus);
    double left = random.unit() * total;
    const FailureReason* chosen = nullptr;
    for (const auto& reason : kReasons) {
        if ((reason.category == Infrastructure) != infrastructure)
            continue;
        chosen = &reason;
        left -= weight(reason, gpus);
        if (left < 0)
            break;
    }
    return *chosen;
}

std::string_view xidText(int xid)
{
    switch (xid) {
        case 31:
            return "Ch 00000008, intr 10000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_0 faulted "
                   "@ "
                   "0x7f2a_c0000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ";
        case 74:
            return "NVLink: fatal error detected on link 6(0x10000, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0)";
        case 79:
            return "GPU has fallen off the bus.";
        case 94:
            return "Contained: SM (0x1). RST: No, D-RST: No";
        default:
            return "";
    }
}

}  // namespace yard::scheduler
