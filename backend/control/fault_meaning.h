#pragma once

#include <string>

#include "backend/domain/fault.h"
#include "backend/domain/verdict.h"

namespace yard::control {

/// What a hardware fault is worth by itself.
struct FaultMeaning {
    enum class Weight : uint8_t {
        Follower,  ///< comes with the end of a program, or behind another fault
        Program,   ///< most often the program's own doing: only with a job that fails
        Watch,     ///< harmless now
        Broken,
    };
    Weight weight = Weight::Broken;
    domain::Reason reason = domain::Reason::CudaError;
    std::string words;   ///< "Xid 79, GPU has fallen off the bus"
    std::string advice;  ///< a sentence; it names no node
    bool needsDrain = false;
};

FaultMeaning meaningOf(const domain::Fault& fault);

/// "kernel of gpu042".
std::string sourceOf(const domain::Fault& fault);
/// The same for repeats of one fault.
std::string keyOf(const domain::Fault& fault);
/// Index, else PCI address; empty for a switch.
std::string gpuOf(const domain::Fault& fault);

}  // namespace yard::control
