#pragma once

#include <string>

#include "backend/diagnosis/log_facts.h"
#include "backend/domain/verdict.h"

namespace yard::diagnosis {

/// A second witness: what the kernel of one or more nodes wrote.
struct KernelWitness {
    std::string source;  ///< name of the file
    LogFacts facts;
};

/// Weighs what a log tells: the first cause it shows, whose it is, and what to do. Pure.
domain::Verdict judge(const RuleSet& rules, const LogFacts& facts,
                      const KernelWitness* kernel = nullptr);

}  // namespace yard::diagnosis
