#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend/diagnosis/log_facts.h"
#include "backend/domain/verdict.h"

namespace yard::diagnosis {

/// How near to the cause a kind of line stands; the smaller explains the larger.
enum class Tier : uint8_t { Hardware, Cause, Soft, Connection, Peer, Timeout, Fallback, Weak };

/// All lines that tell of the same failure by the same rule.
struct Candidate {
    size_t rule = kOtherException;
    Tier tier = Tier::Cause;
    domain::Reason reason = domain::Reason::RuntimeError;
    int weight = 5;
    bool isGeneric = false;
    uint64_t line = 0;             ///< the first
    std::vector<size_t> findings;  ///< places in LogFacts::findings
    bool isOfKernel = false;       ///< from the second witness
};

/// Which findings may be a root, put together: one traceback chain counts once and a line counts
/// by its most exact rule. What a running job has left behind is not among them.
std::vector<Candidate> candidatesOf(const RuleSet& rules, const LogFacts& facts);

/// Tells which findings the job went on after: it caught them, or a launcher started it again.
class Survival {
public:
    Survival(const RuleSet& rules, const LogFacts& facts);
    bool covers(const Finding& finding) const;

private:
    const ProgressWatch& m_progress;
    std::vector<uint64_t> m_deaths;  ///< lines of launchers' last words before the last progress
    uint64_t m_lastRestart = 0;
};

}  // namespace yard::diagnosis
