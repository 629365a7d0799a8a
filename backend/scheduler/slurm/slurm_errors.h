#pragma once

#include <string_view>

#include "backend/base/process.h"
#include "backend/base/status.h"

namespace yard::scheduler::slurm {

/// The refusal that Slurm's own words amount to, with those words verbatim.
Status refusalFrom(std::string_view words);

/// What a command said: standard error, or standard output if that is empty; no blanks around.
std::string wordsOf(const ProcessResult& result);

}  // namespace yard::scheduler::slurm
