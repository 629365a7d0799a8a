#include "backend/diagnosis/pattern_scanner.h"

#include <fmt/format.h>
#include <hs/hs.h>

#include <algorithm>

namespace yard::diagnosis {
namespace {

/// The same expression in the dialect of the engine: groups without names, and no anchor to the
/// ends of a line, because a prefix may stand before it and the engine sees many lines.
std::string forEngine(std::string_view pattern)
{
    std::string result;
    size_t at = 0;
    if (pattern.substr(0, 4) == "(?i)") {
        result = "(?i)";
        at = 4;
    }
    bool isEscaped = false;
    bool isInClass = false;
    for (; at < pattern.size(); ++at) {
        const char c = pattern[at];
        if (isEscaped) {
            isEscaped = false;
            result += c;
            continue;
        }
        if (c == '[' && !isInClass)
            isInClass = true;
        else if (c == ']' && isInClass)
            isInClass = false;
        if (!isInClass && pattern.substr(at, 4) == "(?P<") {
            result += "(?:";
            at = std::min(pattern.find('>', at), pattern.size() - 1);
            continue;
        }
        if (!isInClass && (c == '^' || c == '$'))
            continue;
        if (!isInClass && c == '{') {
            // Large counts make large automata; what they would exclude is excluded later.
            const size_t close = pattern.find('}', at);
            const size_t comma = pattern.find(',', at);
            if (close != std::string_view::npos && comma < close && close - comma > 2) {
                result += pattern[at + 1] == '0' ? '*' : '+';
                at = close;
                continue;
            }
        }
        isEscaped = c == '\\';
        result += c;
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
