#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/action.h"

namespace yard::scheduler {

/// What the simulated sbatch understands of a submission.
struct SubmitOptions {
    std::string name = "sbatch";
    std::string partition;
    std::string account;
    std::string qos;
    std::string comment;
    std::string workDirectory;
    std::string nodeList;
    std::string excluded;
    std::string array;  ///< tasks, "0-6%3"; how many may run at once changes nothing here
    int nodes = 0;
    int gpus = 0;
    int gpusPerNode = 0;
    bool hold = false;
    bool requeue = true;
    int64_t beginSeconds = 0;             ///< from now
    std::optional<int64_t> sleepSeconds;  ///< the script's `sleep N`: how long it runs
    std::optional<int64_t> limitSeconds;
};

/// Options on the command line win over #SBATCH lines of the script. An option it does not know is
/// ignored, as it would change nothing here; a value it cannot read is INVALID_ARGUMENT.
StatusOr<SubmitOptions> readSubmission(const domain::Submission& submission);

}  // namespace yard::scheduler
