#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <toml++/toml.h>

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

/// Reads one [[rule]] table; every complaint names file, rule and key.
class RuleReader {
public:
    RuleReader(const toml::table& table, std::string file, size_t place)
        : m_table(table)
    {
        m_rule.file = std::move(file);
        m_rule.id = m_table["id"].value_or(std::string());
        m_name = m_rule.id.empty() ? fmt::format("rule {}", place + 1) : m_rule.id;
    }

    StatusOr<Rule> read();

private:
    Status wrong(std::string_view key, std::string_view what) const
    {
        return absl::InvalidArgumentError(
            fmt::format("{}: {}: {}: {}", m_rule.file, m_name, key, what));
    }
    template <typename Value>
    Status take(const char* key, Value& value) const;
    Status takeTexts(const char* key, std::vector<std::string>& texts) const;
    template <typename Names, typename Value>
    Status takeName(const char* key, const Names& names, Value& value) const;
    Status knowsAllKeys() const;
    Status takeReason();
    Status checkPatterns() const;

    const toml::table& m_table;
    std::string m_name;
    Rule m_rule;
};

template <typename Value>
Status RuleReader::take(const char* key, Value& value) const
{
    const auto node = m_table[key];
    if (!node)
        return {};
    const auto found = node.template value_exact<Value>();
    if (!found)
        return wrong(key, std::is_same_v<Value, bool> ? "must be true or false"
                                                      : "must be a text in quotes");
    value = *found;
    return {};
}

Status RuleReader::takeTexts(const char* key, std::vector<std::string>& texts) const
{
    const auto node = m_table[key];
    if (!node)
        return {};
    if (const auto one = node.value_exact<std::string>()) {
        texts = {*one};
        return {};
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
    return {};
}

template <typename Names, typename Value>
Status RuleReader::takeName(const char* key, const Names& names, Value& value) const
{
    std::string word;
    YARD_RETURN_IF_ERROR(take(key, word));
    if (word.empty())
        return {};
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
        return wrong(key, fmt::format("\"{}\" is not one of {}", word, fmt::join(names, ", ")));
    value = Value(found - names.begin());
    return {};
}

Status RuleReader::knowsAllKeys() const
{
    constexpr std::array<std::string_view, 14> kKeys{
        "id",     "role",    "scope",        "reason", "pattern", "weight",  "restart",
        "cordon", "generic", "names_nobody", "cause",  "advice",  "example", "refuses"};
    for (const auto& [key, value] : m_table) {
        if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end())
            return wrong(key.str(), "no rule has such a key");
    }
    return {};
}

Status RuleReader::takeReason()
{
    std::string word;
    YARD_RETURN_IF_ERROR(take("reason", word));
    if (word.empty()) {
        return canBeRoot(m_rule.role) ? wrong("reason", "is missing, and this role can be a root")
                                      : Status();
    }
    m_rule.reason = domain::reasonNamed(word);
    return m_rule.reason ? Status() : wrong("reason", fmt::format("there is no \"{}\"", word));
}

Status RuleReader::checkPatterns() const
{
    if (m_rule.patterns.empty())
        return wrong("pattern", "is missing");
    for (const std::string& pattern : m_rule.patterns) {
        RE2::Options options;
        options.set_log_errors(false);
        const RE2 expression(pattern, options);
        if (!expression.ok())
            return wrong("pattern", fmt::format("{} in \"{}\"", expression.error(), pattern));
        if (RE2::PartialMatch("", expression))
            return wrong("pattern", fmt::format("\"{}\" matches an empty line", pattern));
    }
    return {};
}

StatusOr<Rule> RuleReader::read()
{
    if (m_rule.id.empty())
        return wrong("id", "is missing");
    YARD_RETURN_IF_ERROR(knowsAllKeys());
    YARD_RETURN_IF_ERROR(takeName("role", kRoles, m_rule.role));
    YARD_RETURN_IF_ERROR(takeName("scope", kScopes, m_rule.scope));
    YARD_RETURN_IF_ERROR(takeReason());
    YARD_RETURN_IF_ERROR(takeTexts("pattern", m_rule.patterns));
    YARD_RETURN_IF_ERROR(takeTexts("example", m_rule.examples));
    YARD_RETURN_IF_ERROR(takeTexts("refuses", m_rule.refuses));
    int64_t weight = m_rule.weight;
    if (m_table.contains("weight") && !m_table["weight"].is_integer())
        return wrong("weight", "must be a whole number");
    weight = m_table["weight"].value_or(weight);
    if (weight < 0 || weight > 100)
        return wrong("weight", "must be between 0 and 100");
    m_rule.weight = int(weight);
    YARD_RETURN_IF_ERROR(take("restart", m_rule.mayRestart));
    YARD_RETURN_IF_ERROR(take("cordon", m_rule.mayCordon));
    YARD_RETURN_IF_ERROR(take("generic", m_rule.isGeneric));
    YARD_RETURN_IF_ERROR(take("names_nobody", m_rule.namesNobody));
    YARD_RETURN_IF_ERROR(take("cause", m_rule.cause));
    YARD_RETURN_IF_ERROR(take("advice", m_rule.advice));
    YARD_RETURN_IF_ERROR(checkPatterns());
    return std::move(m_rule);
}

StatusOr<std::string> contents(const std::filesystem::path& path)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error)
        return absl::NotFoundError(
            fmt::format("The rule file {} cannot be read: {}.", path.string(), error.message()));
    if (size > kMaxFileSize)
        return absl::InvalidArgumentError(
            fmt::format("The rule file {} is larger than 4 MiB; split it.", path.string()));
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    if (!file)
        return absl::UnavailableError(
            fmt::format("The rule file {} cannot be read.", path.string()));
    return text.str();
}

/// The files a path stands for, in order of name.
std::vector<std::filesystem::path> filesOf(const std::string& path)
{
    std::error_code error;
    if (!std::filesystem::is_directory(path, error))
        return {path};
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
        if (entry.path().extension() == ".toml")
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

StatusOr<std::vector<Rule>> readRules(std::string_view text, const std::string& file)
{
    toml::table parsed;
    try {
        parsed = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        return absl::InvalidArgumentError(
            fmt::format("{}: line {}: {}", file, error.source().begin.line, error.description()));
    }
    for (const auto& [key, value] : parsed) {
        if (key.str() != "rule" || !value.is_array_of_tables())
            return absl::InvalidArgumentError(
                fmt::format("{}: {}: a rule file holds [[rule]] tables only", file, key.str()));
    }
    std::vector<Rule> rules;
    const toml::array* const tables = parsed["rule"].as_array();
    for (size_t i = 0; tables != nullptr && i < tables->size(); ++i) {
        StatusOr<Rule> rule = RuleReader(*tables->get(i)->as_table(), file, i).read();
        if (!rule.ok())
            return rule.status();
        rules.push_back(*std::move(rule));
    }
    return rules;
}

StatusOr<std::vector<Rule>> loadRules(const std::vector<std::string>& paths, std::vector<Rule> all)
{
    std::map<std::string, size_t> places;
    for (size_t i = 0; i < all.size(); ++i)
        places[all[i].id] = i;
    for (const std::string& path : paths) {
        for (const auto& file : filesOf(path)) {
            const StatusOr<std::string> text = contents(file);
            if (!text.ok())
                return text.status();
            StatusOr<std::vector<Rule>> rules = readRules(*text, file.string());
            if (!rules.ok())
                return rules.status();
            for (Rule& rule : *rules) {
                const auto known = places.find(rule.id);
                if (known != places.end() && all[known->second].file == rule.file)
                    return absl::InvalidArgumentError(
                        fmt::format("{}: {}: id: stands twice in this file", rule.file, rule.id));
                if (known != places.end()) {
                    all[known->second] = std::move(rule);
                    continue;
                }
                places[rule.id] = all.size();
                all.push_back(std::move(rule));
            }
        }
    }
    if (all.size() > kMaxRules)
        return absl::InvalidArgumentError(
            fmt::format("There are {} rules; at most {} can be loaded.", all.size(), kMaxRules));
    return all;
}

}  // namespace yard::diagnosis
