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
    /// `rules` must outlive the scanner.
    explicit LogScanner(const RuleSet& rules);
    ~LogScanner();
    LogScanner(const LogScanner&) = delete;
    LogScanner& operator=(const LogScanner&) = delete;

    void feed(std::string_view bytes);
    /// The end of the log. Nothing may be fed after it.
    LogFacts finish();

private:
    class Pass;
    std::unique_ptr<Pass> m_pass;
};

/// Reads a whole file. A sentence if it cannot be read.
StatusOr<LogFacts> scanFile(const RuleSet& rules, const std::string& path);

}  // namespace yard::diagnosis
