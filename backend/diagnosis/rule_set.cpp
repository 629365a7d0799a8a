#include "backend/diagnosis/rule_set.h"

#include <fmt/format.h>

#include <array>

#include "backend/base/text.h"

namespace yard::diagnosis {
namespace {

constexpr std::array<const char*, RuleSet::kTriggers> kTriggerPatterns{
    // The match ends on the first character of the number.
    R"((?i)loss(?:/[a-z_/]+)?['"]?(?::|=|\s|\()\s{0,8}(?:["']|tensor\()?[-+]?(?:[0-9]|nan|inf))",
    R"((?i)(?:iteration|step|iter|batch)s?['"\]]?(?:[ :=\[(]|\|){1,12}[0-9])",
    R"([0-9]+/[0-9]+ \[)",
    R"(raceback \(most recent call last\))",
    R"((?:exception was |another exception occurred))",
    R"([a-z](?:Error|Exception|Interrupt|Exit|Group|Abort|Timeout|Killed|Empty|Full|Invalid|Bucket|Warning|Failure)(?:: |:\n|:\r|\n|\r|\())",
    R"((?:panic: |Exception in thread |Caused by: |what\(\):))",
};

/// Lines long beyond reason are judged by their beginning.
constexpr size_t kMaxMatched = 32768;

void store(Fields& fields, const std::string& name, std::string_view value)
{
    if (value.empty())
        return;
    const auto number = [&]() { return text::number<int>(value); };
    if (name == "rank")
        fields.rank = number();
    else if (name == "blamed")
        fields.blamed = number();
    else if (name == "task")
        fields.task = number();
    else if (name == "first")
        fields.first = number();
    else if (name == "last")
        fields.last = number();
    else if (name == "local")
        fields.local = number();
    else if (name == "code")
        fields.code = number();
    else if (name == "world")
        fields.world = number();
    else if (name == "seq")
        fields.sequence = text::number<int64_t>(value);
    else if (name == "op")
        fields.operation = std::string(value);
    else if (name == "node")
        fields.node = std::string(value);
    else if (name == "host") {
        fields.node = std::string(value);
        fields.isHost = true;
    } else if (name == "gpu")
        fields.gpu = std::string(value);
    else if (name == "peer")
        fields.peer = std::string(value);
    else if (name == "ranks")
        fields.ranks = std::string(value);
}

}  // namespace

StatusOr<RuleSet> RuleSet::build(std::vector<Rule> rules)
{
    RuleSet set;
    set.m_rules = std::move(rules);
    std::vector<std::string> texts(kTriggerPatterns.begin(), kTriggerPatterns.end());
    for (size_t i = 0; i < set.m_rules.size(); ++i) {
        for (const std::string& text : set.m_rules[i].patterns) {
            Pattern& pattern = set.m_patterns.emplace_back();
            pattern.rule = i;
            const std::string_view bare =
                std::string_view(text).substr(text.starts_with("(?i)") ? 4 : 0);
            pattern.isAnchored = bare.starts_with('^');
            RE2::Options options;
            options.set_encoding(RE2::Options::EncodingLatin1);  // bytes: logs are not always UTF-8
            options.set_log_errors(false);
            pattern.expression = std::make_unique<RE2>(text, options);
            if (!pattern.expression->ok())
                return absl::InvalidArgumentError(
                    fmt::format("{}:{}: {}: pattern: {}", set.m_rules[i].file, set.m_rules[i].line,
                                set.m_rules[i].id, pattern.expression->error()));
            pattern.groups.resize(size_t(pattern.expression->NumberOfCapturingGroups()));
            for (const auto& [number, name] : pattern.expression->CapturingGroupNames())
                pattern.groups[size_t(number) - 1] = name;
            texts.push_back(text);
        }
    }
    StatusOr<PatternScanner> scanner = PatternScanner::compile(texts);
    if (!scanner.ok())
        return scanner.status();
    set.m_scanner.emplace(*std::move(scanner));
    return set;
}

/// The first match at or behind `from`, which then stands behind it.
std::optional<Fields> RuleSet::matchAt(const Pattern& pattern, std::string_view text, size_t& from)
{
    std::array<re2::StringPiece, 13> parts;
    const int count = int(std::min(parts.size(), pattern.groups.size() + 1));
    if (!pattern.expression->Match(re2::StringPiece(text.data(), text.size()), from, text.size(),
                                   RE2::UNANCHORED, parts.data(), count))
        return std::nullopt;
    from = size_t(parts[0].data() - text.data()) + parts[0].size();
    Fields fields;
    for (int i = 1; i < count; ++i)
        store(fields, pattern.groups[size_t(i) - 1],
              std::string_view(parts[size_t(i)].data(), parts[size_t(i)].size()));
    return fields;
}

std::optional<Fields> RuleSet::match(uint32_t number, std::string_view line,
                                     std::string_view head) const
{
    const Pattern& pattern = m_patterns[number - kTriggers];
    size_t from = 0;
    return matchAt(pattern, (pattern.isAnchored ? head : line).substr(0, kMaxMatched), from);
}

std::vector<Fields> RuleSet::matchAll(uint32_t number, std::string_view line,
                                      std::string_view head) const
{
    constexpr size_t kMaxMatches = 64;
    const Pattern& pattern = m_patterns[number - kTriggers];
    const std::string_view text = (pattern.isAnchored ? head : line).substr(0, kMaxMatched);
    std::vector<Fields> all;
    size_t from = 0;
    for (size_t before = 0; all.size() < kMaxMatches && from <= text.size(); before = from) {
        auto fields = matchAt(pattern, text, from);
        if (!fields)
            break;
        all.push_back(*std::move(fields));
        if (pattern.isAnchored || (from == before && before != 0))
            break;
    }
    return all;
}

bool RuleSet::matchesText(size_t rule, std::string_view text) const
{
    const std::string line = std::string(text) + "\n";
    std::vector<PatternScanner::Hit> hits;
    m_scanner->scan(line, hits);
    const std::string_view head = readHead(text).text;
    for (const PatternScanner::Hit& hit : hits) {
        if (hit.pattern >= kTriggers && ruleOf(hit.pattern) == rule &&
            match(hit.pattern, text, head))
            return true;
    }
    return false;
}

std::vector<std::string> RuleSet::wrongExamples() const
{
    std::vector<std::string> wrong;
    for (size_t i = 0; i < m_rules.size(); ++i) {
        const Rule& rule = m_rules[i];
        const auto complain = [&](const std::string& what) {
            wrong.push_back(fmt::format("{}:{}: {}: {}", rule.file, rule.line, rule.id, what));
        };
        if (rule.examples.empty())
            complain("example: is missing");
        for (const std::string& example : rule.examples) {
            if (!matchesText(i, example))
                complain(fmt::format("example: \"{}\" is not matched", example));
        }
        for (const std::string& refused : rule.refuses) {
            if (matchesText(i, refused))
                complain(fmt::format("refuses: \"{}\" is matched", refused));
        }
    }
    return wrong;
}

}  // namespace yard::diagnosis
