#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <toml++/toml.h>

#include "backend/base/whole_file.h"
#include "backend/diagnosis/rule.h"

namespace yard::diagnosis {
namespace {

constexpr std::array kRoles{"hardware", "cause",   "connection", "peer",     "timeout",
                            "fallback", "cancel",  "stopped",    "fatal",    "restart",
                            "finished", "stalled", "benign",     "progress", "place"};
constexpr std::array kScopes{"any", "exception", "shell"};
constexpr size_t kMaxRules = 5000;
constexpr size_t kMaxFileSize = 4ul << 20;

bool canBeRoot(Role role)
{
    return role <= Role::Fallback;
}

/// Reads one [[rule]] table; every mistake names file, line, rule and key.
class RuleReader {
public:
    RuleReader(const toml::table& table, std::string file, size_t place,
               std::vector<std::string>& mistakes)
        : m_table(table)
        , m_mistakes(mistakes)
    {
        m_rule.file = std::move(file);
        m_rule.line = int(m_table.source().begin.line);
        m_rule.id = m_table["id"].value_or(std::string());
        m_name = m_rule.id.empty() ? fmt::format("rule {}", place + 1) : m_rule.id;
    }

    /// Nothing if there was a mistake.
    std::optional<Rule> read();

private:
    void wrong(std::string_view key, std::string_view what) const;
    template <typename Value>
    void take(const char* key, Value& value) const;
    void takeTexts(const char* key, std::vector<std::string>& texts) const;
    template <typename Names, typename Value>
    void takeName(const char* key, const Names& names, Value& value) const;
    void takeReason();
    void takeWeight();
    void checkKeys() const;
    void checkPatterns() const;

    const toml::table& m_table;
    std::vector<std::string>& m_mistakes;
    std::string m_name;
    Rule m_rule;
};

void RuleReader::wrong(std::string_view key, std::string_view what) const
{
    const toml::node* const node = m_table.get(key);
    const int line = node ? int(node->source().begin.line) : m_rule.line;
    m_mistakes.push_back(fmt::format("{}:{}: {}: {}: {}", m_rule.file, line, m_name, key, what));
}

template <typename Value>
void RuleReader::take(const char* key, Value& value) const
{
    const auto node = m_table[key];
    if (!node)
        return;
    if (const auto found = node.template value_exact<Value>())
        value = *found;
    else
        wrong(key,
              std::is_same_v<Value, bool> ? "must be true or false" : "must be a text in quotes");
}

void RuleReader::takeTexts(const char* key, std::vector<std::string>& texts) const
{
    const auto node = m_table[key];
    if (!node)
        return;
    if (const auto one = node.value_exact<std::string>()) {
        texts = {*one};
        return;
    }
    const toml::array* const list = node.as_array();
    if (list == nullptr)
        return wrong(key, "must be a text or a list of texts");
    for (const auto& item : *list) {
        const auto text = item.value_exact<std::string>();
        if (!text)
            return wrong(key, "must hold texts only");
        texts.push_back(*text);
    }
}

template <typename Names, typename Value>
void RuleReader::takeName(const char* key, const Names& names, Value& value) const
{
    std::string word;
    take(key, word);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found != names.end())
        value = Value(found - names.begin());
    else if (!word.empty())
        wrong(key, fmt::format("\"{}\" is not one of {}", word, fmt::join(names, ", ")));
}

void RuleReader::checkKeys() const
{
    constexpr std::array<std::string_view, 15> kKeys{
        "id",      "role",  "scope",        "reason", "pattern", "weight",  "restart", "cordon",
        "generic", "prose", "names_nobody", "cause",  "advice",  "example", "refuses"};
    for (const auto& [key, value] : m_table) {
        if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end())
            wrong(key.str(), "no rule has such a key");
    }
}

void RuleReader::takeReason()
{
    std::string word;
    take("reason", word);
    if (!word.empty()) {
        m_rule.reason = domain::reasonNamed(word);
        if (!m_rule.reason)
            wrong("reason", fmt::format("there is no \"{}\"", word));
    } else if (canBeRoot(m_rule.role) && !m_table["reason"]) {
        wrong("reason", "is missing, and this role can be a root");
    }
}

void RuleReader::takeWeight()
{
    if (m_table.contains("weight") && !m_table["weight"].is_integer())
        return wrong("weight", "must be a whole number");
    const auto weight = m_table["weight"].value_or<int64_t>(m_rule.weight);
    if (weight < 0 || weight > 100)
        return wrong("weight", "must be between 0 and 100");
    m_rule.weight = int(weight);
}

void RuleReader::checkPatterns() const
{
    if (!m_table.contains("pattern"))
        return wrong("pattern", "is missing");
    if (const toml::array* const list = m_table["pattern"].as_array(); list && list->empty())
        return wrong("pattern", "is an empty list");
    for (const std::string& pattern : m_rule.patterns) {
        RE2::Options options;
        options.set_log_errors(false);
        const RE2 expression(pattern, options);
        if (!expression.ok())
            wrong("pattern", fmt::format("{} in \"{}\"", expression.error(), pattern));
        else if (RE2::PartialMatch("", expression))
            wrong("pattern", fmt::format("\"{}\" matches an empty line", pattern));
    }
}

std::optional<Rule> RuleReader::read()
{
    const size_t before = m_mistakes.size();
    if (m_rule.id.empty())
        wrong("id", m_table.contains("id") ? "must be a text in quotes" : "is missing");
    checkKeys();
    takeName("role", kRoles, m_rule.role);
    takeName("scope", kScopes, m_rule.scope);
    takeReason();
    takeTexts("pattern", m_rule.patterns);
    takeTexts("example", m_rule.examples);
    takeTexts("refuses", m_rule.refuses);
    takeWeight();
    take("restart", m_rule.mayRestart);
    take("cordon", m_rule.mayCordon);
    take("generic", m_rule.isGeneric);
    take("prose", m_rule.isProse);
    take("names_nobody", m_rule.namesNobody);
    take("cause", m_rule.cause);
    take("advice", m_rule.advice);
    checkPatterns();
    return m_mistakes.size() == before ? std::optional(std::move(m_rule)) : std::nullopt;
}

/// The files a path stands for, in order of name.
std::vector<std::string> filesOf(const std::string& path, std::vector<std::string>& mistakes)
{
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
        return {path};
    std::vector<std::string> files;
    std::filesystem::directory_iterator entry(path, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == ".toml")
            files.push_back(entry->path().string());
    }
    if (error)
        mistakes.push_back(
            fmt::format("The folder of rules {} cannot be read: {}.", path, error.message()));
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<Rule> readText(std::string_view text, const std::string& file,
                           std::vector<std::string>& mistakes)
{
    toml::table parsed;
    try {
        parsed = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        mistakes.push_back(
            fmt::format("{}:{}: {}", file, error.source().begin.line, error.description()));
    }
    for (const auto& [key, value] : parsed) {
        if (key.str() != "rule" || !value.is_array_of_tables())
            mistakes.push_back(fmt::format("{}:{}: {}: a rule file holds [[rule]] tables only",
                                           file, key.source().begin.line, key.str()));
    }
    std::vector<Rule> rules;
    const toml::node* const node = parsed.get("rule");
    const toml::array* const tables =
        node && node->is_array_of_tables() ? node->as_array() : nullptr;
    for (size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
        if (auto rule = RuleReader(*tables->get(i)->as_table(), file, i, mistakes).read())
            rules.push_back(*std::move(rule));
    }
    return rules;
}

Status refused(const std::vector<std::string>& mistakes)
{
    return absl::InvalidArgumentError(fmt::format("{}", fmt::join(mistakes, "\n")));
}

}  // namespace

StatusOr<std::vector<Rule>> readRules(std::string_view text, const std::string& file)
{
    std::vector<std::string> mistakes;
    std::vector<Rule> rules = readText(text, file, mistakes);
    return mistakes.empty() ? StatusOr<std::vector<Rule>>(std::move(rules)) : refused(mistakes);
}

RuleFiles readRuleFiles(const std::vector<std::string>& paths, std::vector<Rule> base)
{
    RuleFiles all{std::move(base), {}};
    std::map<std::string, size_t> places;
    for (size_t i = 0; i < all.rules.size(); ++i)
        places[all.rules[i].id] = i;
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        for (std::string& file : filesOf(path, all.mistakes))
            files.push_back(std::move(file));
    }
    for (const std::string& file : files) {
        const StatusOr<std::string> text = readWholeFile(file, kMaxFileSize);
        if (!text.ok()) {
            all.mistakes.push_back(
                fmt::format("The rule file {}.", std::string(text.status().message())));
            continue;
        }
        for (Rule& rule : readText(*text, file, all.mistakes)) {
            const auto [place, isNew] = places.try_emplace(rule.id, all.rules.size());
            if (isNew)
                all.rules.push_back(std::move(rule));
            else if (all.rules[place->second].file != rule.file)
                all.rules[place->second] = std::move(rule);
            else
                all.mistakes.push_back(
                    fmt::format("{}:{}: {}: id: stands in line {} of this file already", rule.file,
                                rule.line, rule.id, all.rules[place->second].line));
        }
    }
    if (all.rules.size() > kMaxRules)
        all.mistakes.push_back(fmt::format("There are {} rules; at most {} can be loaded.",
                                           all.rules.size(), kMaxRules));
    return all;
}

StatusOr<std::vector<Rule>> loadRules(const std::vector<std::string>& paths, std::vector<Rule> base)
{
    RuleFiles all = readRuleFiles(paths, std::move(base));
    return all.mistakes.empty() ? StatusOr<std::vector<Rule>>(std::move(all.rules))
                                : refused(all.mistakes);
}

}  // namespace yard::diagnosis
