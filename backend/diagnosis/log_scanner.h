#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "backend/diagnosis/log_facts.h"
#include "backend/diagnosis/rule_set.h"

namespace yard::diagnosis {

/// Reads a log once, in pieces of any size, and keeps what rules know of it. Memory does not grow
/// with the log.
///
/// Thread: one at a time.
class LogScanner {
public:
    static constexpr size_t kMostFindings = 60'000;
    /// `rules` must outlive the scanner. More than `mostFindings` are counted and dropped.
    explicit LogScanner(const RuleSet& rules, size_t mostFindings = kMostFindings);
    ~LogScanner();
    LogScanner(const LogScanner&) = delete;
    LogScanner& operator=(const LogScanner&) = delete;

    void feed(std::string_view bytes);
    /// Reads the whole lines fed so far and lets go of their memory: for logs that grow slowly.
    void settle();
    /// The end of the log. Nothing may be fed after it.
    LogFacts finish();

private:
    class Pass;
    std::unique_ptr<Pass> m_pass;
};

/// Reads a whole file. A sentence if it cannot be read.
StatusOr<LogFacts> scanFile(const RuleSet& rules, const std::string& path);

}  // namespace yard::diagnosis
