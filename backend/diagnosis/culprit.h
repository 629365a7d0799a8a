#pragma once

#include <optional>
#include <string>

#include "backend/diagnosis/candidates.h"

namespace yard::diagnosis {

/// Where a failure started, as far as the log tells.
struct Culprit {
    std::string node;
    std::optional<int> rank;
    std::string gpu;
    std::string how;  ///< why this one, for the operator; empty if it says so itself
};

/// Who stands behind `root`. `others` are all candidates: a CUDA error names the rank of the GPU
/// that the kernel only gives an address for.
Culprit culpritOf(const RuleSet& rules, const LogFacts& facts, const Candidate& root,
                  const std::vector<Candidate>& others);

/// Of a job that stands still: whom its watchers name.
Culprit culpritOfStall(const RuleSet& rules, const LogFacts& facts);

/// Of an end that the log does not explain: who went first, as Slurm saw it.
Culprit culpritOfEnd(const RuleSet& rules, const LogFacts& facts, const Finding& fatal);

/// Of the second witness.
Culprit culpritInKernel(const LogFacts& kernel, const Candidate& root);

}  // namespace yard::diagnosis
