#pragma once

#include <re2/re2.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/diagnosis/line_head.h"
#include "backend/diagnosis/pattern_scanner.h"
#include "backend/diagnosis/rule.h"

namespace yard::diagnosis {

/// What a rule took out of a line.
struct Fields {
    std::optional<int> rank;
    std::optional<int> task;
    std::optional<int> first;  ///< of a range of ranks
    std::optional<int> last;
    std::optional<int> local;  ///< rank on its node
    std::optional<int> code;   ///< exit code or signal
    std::optional<int> world;
    std::optional<int> blamed;        ///< rank that this one waits for
    std::optional<int64_t> sequence;  ///< number of a collective
    std::string operation;            ///< its kind
    std::string node;
    bool isHost = false;  ///< the node is a machine's name whatever it looks like
    std::string gpu;
    std::string peer;
    std::string ranks;  ///< "0-7,12"
};

/// Rules made ready: all patterns searched for at once, the exact ones kept for the lines found.
///
/// Immutable; scanner() is for one thread at a time.
class RuleSet {
public:
    /// INVALID_ARGUMENT names the rule whose pattern cannot be searched for.
    static StatusOr<RuleSet> build(std::vector<Rule> rules);

    const std::vector<Rule>& rules() const { return m_rules; }
    const PatternScanner& scanner() const { return *m_scanner; }

    /// Patterns of the scanner below this number are triggers of the log scanner.
    static constexpr uint32_t kTriggers = 7;
    enum Trigger : uint32_t { Loss, Step, Bar, Traceback, Link, Exception, Panic };

    size_t ruleOf(uint32_t pattern) const { return m_patterns[pattern - kTriggers].rule; }
    /// Whether the pattern is in the line: `head` is the line without prefixes, `line` the whole.
    std::optional<Fields> match(uint32_t pattern, std::string_view line,
                                std::string_view head) const;
    /// As match(), wherever the pattern stands in the line; at most some dozens.
    std::vector<Fields> matchAll(uint32_t pattern, std::string_view line,
                                 std::string_view head) const;
    /// The rules whose examples do not match, or that match what they must refuse; sentences.
    std::vector<std::string> wrongExamples() const;

private:
    struct Pattern {
        size_t rule = 0;
        bool isAnchored = false;
        std::unique_ptr<RE2> expression;
        std::vector<std::string> groups;  ///< names by number, from 1
    };
    static std::optional<Fields> matchAt(const Pattern& pattern, std::string_view text,
                                         size_t& from);
    bool matchesText(size_t rule, std::string_view text) const;

    std::vector<Rule> m_rules;
    std::vector<Pattern> m_patterns;
    std::optional<PatternScanner> m_scanner;
};

}  // namespace yard::diagnosis
