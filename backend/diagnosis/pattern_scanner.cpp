#include "backend/diagnosis/pattern_scanner.h"

#include <fmt/format.h>
#include <hs/hs.h>

#include <algorithm>

namespace yard::diagnosis {
namespace {

/// The end of the element that starts at `at`: a class, a group, an escape or a character.
size_t elementEnd(std::string_view pattern, size_t at)
{
    if (pattern[at] == '\\')
        return std::min(at + 2, pattern.size());
    if (pattern[at] == '[') {
        size_t end = at + 1;
        end += end < pattern.size() && pattern[end] == '^' ? 1 : 0;
        end += end < pattern.size() && pattern[end] == ']' ? 1 : 0;
        while (end < pattern.size() && pattern[end] != ']')
            end += pattern[end] == '\\' ? 2 : 1;
        return std::min(end + 1, pattern.size());
    }
    if (pattern[at] != '(')
        return at + 1;
    size_t end = at + 1;
    while (end < pattern.size() && pattern[end] != ')')
        end = elementEnd(pattern, end);
    return std::min(end + 1, pattern.size());
}

/// Behind the repetition at `at`, if there is one that lets its element be absent.
size_t optionalEnd(std::string_view pattern, size_t at)
{
    if (at >= pattern.size())
        return at;
    if (pattern[at] == '?' || pattern[at] == '*')
        return at + 1;
    if (pattern.substr(at, 3) == "{0,")
        return std::min(pattern.find('}', at), pattern.size() - 1) + 1;
    return at;
}

/// What may be absent at the start of a branch costs much and excludes nothing.
size_t behindOptionals(std::string_view pattern, size_t at)
{
    while (at < pattern.size()) {
        if (pattern[at] == '^') {
            ++at;
            continue;
        }
        if (pattern[at] == '|' || pattern[at] == ')')
            break;
        const size_t end = elementEnd(pattern, at);
        const size_t behind = optionalEnd(pattern, end);
        if (behind == end)
            break;
        at = behind;
    }
    return at;
}

/// The same expression in the dialect of the engine, or one that finds more: groups without names,
/// no anchor to the ends of a line, because a prefix may stand before it and the engine sees many
/// lines, and no large counts.
std::string forEngine(std::string_view pattern)
{
    std::string result;
    size_t at = 0;
    if (pattern.substr(0, 4) == "(?i)") {
        result = "(?i)";
        at = 4;
    }
    at = behindOptionals(pattern, at);
    int depth = 0;
    while (at < pattern.size()) {
        const char c = pattern[at];
        if (c == '^' || c == '$') {
            ++at;
        } else if (pattern.substr(at, 4) == "(?P<") {
            ++depth;
            result += "(?:";
            at = std::min(pattern.find('>', at), pattern.size() - 1) + 1;
        } else if (c == '\\' || c == '[') {
            const size_t end = elementEnd(pattern, at);
            result += pattern.substr(at, end - at);
            at = end;
        } else if (const size_t comma = pattern.find(',', at);
                   c == '{' && comma != std::string_view::npos &&
                   pattern.find('}', at) > comma + 2 &&
                   pattern.find('}', at) != std::string_view::npos) {
            result += pattern[at + 1] == '0' ? '*' : '+';
            at = pattern.find('}', at) + 1;
        } else {
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            result += c;
            ++at;
            if (c == '|' && depth == 0)
                at = behindOptionals(pattern, at);
        }
    }
    return result;
}

}  // namespace

struct PatternScanner::Engine {
    hs_database_t* database = nullptr;
    hs_scratch_t* scratch = nullptr;

    ~Engine()
    {
        hs_free_scratch(scratch);
        hs_free_database(database);
    }
};

PatternScanner::PatternScanner(std::unique_ptr<Engine> engine)
    : m_engine(std::move(engine))
{
}
PatternScanner::PatternScanner(PatternScanner&&) noexcept = default;
PatternScanner& PatternScanner::operator=(PatternScanner&&) noexcept = default;
PatternScanner::~PatternScanner() = default;

StatusOr<PatternScanner> PatternScanner::compile(const std::vector<std::string>& patterns)
{
    std::vector<std::string> texts;
    std::vector<const char*> expressions;
    std::vector<unsigned> flags(patterns.size(), 0);
    std::vector<unsigned> ids;
    texts.reserve(patterns.size());
    for (const std::string& pattern : patterns)
        texts.push_back(forEngine(pattern));
    for (const std::string& text : texts) {
        ids.push_back(unsigned(ids.size()));
        expressions.push_back(text.c_str());
    }
    auto engine = std::make_unique<Engine>();
    hs_compile_error_t* error = nullptr;
    if (hs_compile_multi(expressions.data(), flags.data(), ids.data(), unsigned(ids.size()),
                         HS_MODE_BLOCK, nullptr, &engine->database, &error) != HS_SUCCESS) {
        const std::string at =
            error->expression >= 0 ? patterns[size_t(error->expression)] : std::string();
        const std::string why = error->message;
        hs_free_compile_error(error);
        return absl::InvalidArgumentError(
            fmt::format("The pattern \"{}\" cannot be searched for: {}", at, why));
    }
    if (hs_alloc_scratch(engine->database, &engine->scratch) != HS_SUCCESS)
        return absl::ResourceExhaustedError("There is no memory to search with.");
    return PatternScanner(std::move(engine));
}

void PatternScanner::scan(std::string_view block, std::vector<Hit>& hits) const
{
    hits.clear();
    const auto note = [](unsigned id, unsigned long long, unsigned long long to, unsigned,
                         void* context) {
        auto& found = *static_cast<std::vector<Hit>*>(context);
        found.push_back({size_t(to), id});
        return 0;
    };
    hs_scan(m_engine->database, block.data(), unsigned(block.size()), 0, m_engine->scratch, note,
            &hits);
}

}  // namespace yard::diagnosis
