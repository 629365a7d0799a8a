#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "backend/scheduler/simulated/random.h"

namespace yard::scheduler {

enum class FailureCategory : uint8_t { Infrastructure, Framework, Script };

/// What a failure leaves behind besides the job's exit code.
enum class FailureTrace : uint8_t { None, Xid, NodeLost };

/// One row of the paper's Table 3.
struct FailureReason {
    FailureCategory category;
    std::string_view name;
    int number;      ///< occurrences in the sample: its weight
    int medianGpus;  ///< of the jobs it struck
    FailureTrace trace = FailureTrace::None;
    int xid = 0;
    bool drainsNode = false;  ///< a health check takes the node out
};

std::span<const FailureReason> failureReasons();

/// A reason for a job of `gpus` GPUs: frequent ones more often, those of jobs of that size too.
const FailureReason& chooseFailure(Random& random, bool infrastructure, int gpus);

/// The words that the NVIDIA driver logs after the Xid number.
std::string_view xidText(int xid);

}  // namespace yard::scheduler
