#pragma once

#include <map>
#include <string>
#include <vector>

#include "backend/base/deadline.h"
#include "backend/base/status.h"

namespace yard {

/// What a finished program left behind.
struct ProcessResult {
    int exitCode = 0;    ///< 128 + signal number if a signal ended it
    std::string output;  ///< standard output, bytes as they came
    std::string error;   ///< standard error
};

struct ProcessRequest {
    std::vector<std::string> arguments;  ///< arguments[0] is the program; never a shell
    std::map<std::string, std::string> environment = {};  ///< added to ours
    std::string input = {};                               ///< fed to standard input, then closed
    size_t outputLimit = 512ul << 20;                     ///< bytes; more is RESOURCE_EXHAUSTED
};

/// Runs a program to its end. A non-zero exit is a result, not an error. Errors: NOT_FOUND (no such
/// program), DEADLINE_EXCEEDED (it and its process group were killed; whether it had its effect is
/// unknown), RESOURCE_EXHAUSTED.
///
/// Thread: any; blocks the caller.
StatusOr<ProcessResult> runProcess(const ProcessRequest& request, Deadline deadline);

}  // namespace yard
