#include "backend/analytics/workload_rules.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <limits>

namespace yard::analytics {
namespace {

constexpr size_t kExamples = 3;
constexpr uint32_t kNoRule = std::numeric_limits<uint32_t>::max();

/// Whether a word fits a list of patterns, found out once for each word.
class WordTest {
public:
    WordTest(const std::vector<std::string>& patterns, const std::vector<uint32_t>& column,
             const Words& words)
        : m_patterns(&patterns)
        , m_column(&column)
        , m_words(&words)
        , m_known(patterns.empty() ? 0 : words.size(), kUnknown)
    {
    }

    bool holds(size_t row)
    {
        if (m_patterns->empty())
            return true;
        char& known = m_known[(*m_column)[row]];
        if (known == kUnknown)
            known = fits(m_words->text((*m_column)[row])) ? 1 : 0;
        return known == 1;
    }

private:
    bool fits(const std::string& word) const
    {
        return std::any_of(m_patterns->begin(), m_patterns->end(), [&](const std::string& pattern) {
            return fnmatch(pattern.c_str(), word.c_str(), FNM_CASEFOLD) == 0;
        });
    }

    static constexpr char kUnknown = 2;
    const std::vector<std::string>* m_patterns;
    const std::vector<uint32_t>* m_column;
    const Words* m_words;
    std::vector<char> m_known;
};

class RuleTest {
public:
    RuleTest(const WorkloadRule& rule, const JobTable& table)
        : m_rule(&rule)
        , m_table(&table)
        , m_words{WordTest(rule.name, table.name, table.words),
                  WordTest(rule.partition, table.partition, table.words),
                  WordTest(rule.qos, table.qos, table.words),
                  WordTest(rule.account, table.account, table.words),
                  WordTest(rule.comment, table.comment, table.words),
                  WordTest(rule.user, table.user, table.words)}
    {
    }

    bool holds(size_t row)
    {
        const int32_t gpus = m_table->gpus[row];
        if ((m_rule->minGpus && gpus < *m_rule->minGpus) ||
            (m_rule->maxGpus && gpus > *m_rule->maxGpus))
            return false;
        return std::all_of(m_words.begin(), m_words.end(),
                           [row](WordTest& test) { return test.holds(row); });
    }

private:
    const WorkloadRule* m_rule;
    const JobTable* m_table;
    std::array<WordTest, 6> m_words;
};

void note(RuleReport::Effect& effect, const JobTable& table, size_t row, int64_t gpuSeconds)
{
    ++effect.takes;
    effect.gpuSeconds += gpuSeconds;
    if (effect.examples.size() >= kExamples)
        return;
    const std::string& name = table.words.text(table.name[row]);
    std::string example = name.empty() ? std::string(table.id(row)) : name;
    if (std::find(effect.examples.begin(), effect.examples.end(), example) == effect.examples.end())
        effect.examples.push_back(std::move(example));
}

}  // namespace

RuleReport WorkloadRules::run(const JobTable& table, std::vector<uint32_t>* ruleOfRow) const
{
    RuleReport report;
    report.effects.resize(m_rules.size());
    std::vector<RuleTest> tests;
    tests.reserve(m_rules.size());
    for (const WorkloadRule& rule : m_rules)
        tests.emplace_back(rule, table);
    for (size_t row = 0; row < table.size(); ++row) {
        if (table.gpus[row] == 0)
            continue;
        const int64_t gpuSeconds =
            table.duration[row] == kNoSeconds ? 0 : int64_t(table.gpus[row]) * table.duration[row];
        ++report.jobs;
        report.gpuSeconds += gpuSeconds;
        if (table.type[row] != 0) {
            ++report.typed;
            report.typedGpuSeconds += gpuSeconds;
            continue;
        }
        bool isTaken = false;
        for (uint32_t i = 0; i < tests.size(); ++i) {
            if (!tests[i].holds(row))
                continue;
            ++report.effects[i].matches;
            if (isTaken)
                continue;
            isTaken = true;
            note(report.effects[i], table, row, gpuSeconds);
            if (ruleOfRow)
                (*ruleOfRow)[row] = i;
        }
        if (!isTaken) {
            ++report.unclassified;
            report.unclassifiedGpuSeconds += gpuSeconds;
        }
    }
    return report;
}

RuleReport WorkloadRules::dryRun(const JobTable& table) const
{
    return run(table, nullptr);
}

RuleReport WorkloadRules::apply(JobTable& table) const
{
    std::vector<uint32_t> ruleOfRow(table.size(), kNoRule);
    RuleReport report = run(table, &ruleOfRow);
    std::vector<uint32_t> types;
    for (const WorkloadRule& rule : m_rules)
        types.push_back(table.words.number(rule.type));
    for (size_t row = 0; row < table.size(); ++row) {
        if (ruleOfRow[row] != kNoRule)
            table.type[row] = types[ruleOfRow[row]];
    }
    return report;
}

}  // namespace yard::analytics
