#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>

#include "backend/analytics/built_in_files.h"
#include "backend/analytics/workload_rules.h"
#include "backend/base/whole_file.h"

namespace yard::analytics {
namespace {

constexpr std::array<std::string_view, 6> kTypes = {"Pretrain", "SFT",   "MLLM",
                                                    "Eval",     "Debug", "Other"};
constexpr int32_t kMaxGpus = 1'000'000;
constexpr size_t kLargestFile = size_t(4) << 20;

/// Reads one [[rule]], collects every mistake.
class RuleTable {
public:
    RuleTable(const toml::table& table, const std::string& path, std::vector<std::string>& mistakes)
        : m_table(table)
        , m_path(path)
        , m_mistakes(mistakes)
    {
    }

    WorkloadRule read()
    {
        WorkloadRule rule;
        rule.line = int(m_table.source().begin.line);
        rule.type = m_table["type"].value_or(std::string());
        if (std::find(kTypes.begin(), kTypes.end(), rule.type) == kTypes.end())
            complain(m_table,
                     fmt::format("type \"{}\" is none of {}", rule.type, fmt::join(kTypes, ", ")));
        for (const auto& [key, value] : m_table)
            take(key.str(), value, rule);
        const bool hasWords = !rule.name.empty() || !rule.partition.empty() || !rule.qos.empty() ||
                              !rule.account.empty() || !rule.comment.empty() || !rule.user.empty();
        if (!hasWords && !rule.minGpus && !rule.maxGpus)
            complain(m_table, "the rule has no condition, so it would take every job");
        return rule;
    }

private:
    void complain(const toml::node& node, const std::string& what)
    {
        m_mistakes.push_back(fmt::format("{}:{}: {}.", m_path, node.source().begin.line, what));
    }

    void take(std::string_view key, const toml::node& value, WorkloadRule& rule)
    {
        if (key == "type")
            return;
        if (key == "min_gpus")
            rule.minGpus = gpus(key, value);
        else if (key == "max_gpus")
            rule.maxGpus = gpus(key, value);
        else if (key == "name")
            rule.name = patterns(key, value);
        else if (key == "partition")
            rule.partition = patterns(key, value);
        else if (key == "qos")
            rule.qos = patterns(key, value);
        else if (key == "account")
            rule.account = patterns(key, value);
        else if (key == "comment")
            rule.comment = patterns(key, value);
        else if (key == "user")
            rule.user = patterns(key, value);
        else
            complain(value, fmt::format("there is no condition \"{}\"; there are name, partition, "
                                        "qos, account, comment, user, min_gpus and max_gpus",
                                        key));
    }

    std::optional<int32_t> gpus(std::string_view key, const toml::node& value)
    {
        const auto number = value.value_exact<int64_t>();
        if (!number || *number < 1 || *number > kMaxGpus) {
            complain(value, fmt::format("{} must be a number of GPUs from 1", key));
            return std::nullopt;
        }
        return int32_t(*number);
    }

    std::vector<std::string> patterns(std::string_view key, const toml::node& value)
    {
        std::vector<std::string> patterns;
        const auto add = [&](const toml::node& node) {
            const auto text = node.value_exact<std::string>();
            if (text && !text->empty())
                patterns.push_back(*text);
            else
                complain(node, fmt::format("{} must be a pattern or a list of patterns", key));
        };
        if (const toml::array* const list = value.as_array()) {
            for (const toml::node& node : *list)
                add(node);
            if (list->empty())
                complain(value, fmt::format("the list {} is empty", key));
        } else {
            add(value);
        }
        return patterns;
    }

    const toml::table& m_table;
    const std::string& m_path;
    std::vector<std::string>& m_mistakes;
};

void readRules(const toml::table& root, const std::string& path, std::vector<WorkloadRule>& rules,
               std::vector<std::string>& mistakes)
{
    for (const auto& [key, value] : root) {
        const toml::array* const list = key.str() == "rule" ? value.as_array() : nullptr;
        if (!list) {
            mistakes.push_back(fmt::format("{}:{}: \"{}\" is not known; rules begin with [[rule]].",
                                           path, value.source().begin.line, key.str()));
            continue;
        }
        for (const toml::node& node : *list) {
            if (const toml::table* const table = node.as_table())
                rules.push_back(RuleTable(*table, path, mistakes).read());
            else
                mistakes.push_back(fmt::format("{}:{}: a rule begins with [[rule]].", path,
                                               node.source().begin.line));
        }
    }
}

}  // namespace

std::span<const std::string_view> workloadTypes()
{
    return kTypes;
}

StatusOr<WorkloadRules> WorkloadRules::parse(std::string_view toml, const std::string& path)
{
    std::vector<std::string> mistakes;
    WorkloadRules rules;
    try {
        readRules(toml::parse(toml, path), path, rules.m_rules, mistakes);
    } catch (const toml::parse_error& error) {
        mistakes.push_back(
            fmt::format("{}:{}: {}.", path, error.source().begin.line, error.description()));
    }
    if (mistakes.empty() && rules.m_rules.empty())
        mistakes.push_back(fmt::format("{}: there is no [[rule]] in it.", path));
    if (!mistakes.empty())
        return absl::InvalidArgumentError(fmt::format("{}", fmt::join(mistakes, "\n")));
    return rules;
}

StatusOr<WorkloadRules> WorkloadRules::read(const std::string& path)
{
    const StatusOr<std::string> text = readWholeFile(path, kLargestFile);
    if (!text.ok())
        return absl::Status(text.status().code(),
                            fmt::format("The file {}.", std::string(text.status().message())));
    return parse(*text, path);
}

WorkloadRules WorkloadRules::builtIn()
{
    return *parse(kWorkloadTypesFile, "workload_types.toml");
}

}  // namespace yard::analytics
