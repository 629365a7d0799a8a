#include "backend/diagnosis/candidates.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace yard::diagnosis {
namespace {

constexpr uint64_t kMinProgressAfter = 3;
constexpr uint64_t kNearTheEnd = 64;  // lines of progress that late ranks may still print

int weightOf(const RuleSet& rules, const Finding& finding)
{
    return finding.rule == kOtherException ? 5 : rules.rules()[finding.rule].weight;
}

Role roleOf(const RuleSet& rules, const Finding& finding)
{
    return finding.rule == kOtherException ? Role::Cause : rules.rules()[finding.rule].role;
}

Tier tierOf(const RuleSet& rules, const Finding& finding)
{
    if (finding.isWeak)
        return Tier::Weak;
    if (finding.rule == kOtherException)
        return Tier::Cause;
    const Rule& rule = rules.rules()[finding.rule];
    if (rule.isProse && !finding.isException)
        return Tier::Weak;
    switch (rule.role) {
        case Role::Hardware:
            return rule.isGeneric ? Tier::Cause : Tier::Hardware;
        case Role::Cause:
            return finding.isException || rule.weight > 45 ? Tier::Cause : Tier::Soft;
        case Role::Connection:
            return Tier::Connection;
        case Role::Peer:
            return Tier::Peer;
        case Role::Timeout:
            return Tier::Timeout;
        default:
            return Tier::Fallback;
    }
}

/// The findings of one process that belong to one failure.
struct Group {
    size_t best = 0;   ///< the finding that names it
    size_t first = 0;  ///< the one that stands first
};

class Collector {
public:
    Collector(const RuleSet& rules, const LogFacts& facts)
        : m_rules(rules)
        , m_facts(facts)
        , m_survival(rules, facts)
    {
    }
    std::vector<Candidate> run(bool includesSurvived);

private:
    void group(bool includesSurvived);
    void shareNames();

    const RuleSet& m_rules;
    const LogFacts& m_facts;
    const Survival m_survival;
    std::vector<Group> m_groups;
};

void Collector::group(bool includesSurvived)
{
    const auto& findings = m_facts.findings;
    std::unordered_map<uint32_t, size_t> byChain;
    for (size_t i = 0; i < findings.size();) {
        // Rules of one line: the most exact speaks.
        size_t best = findings.size();
        const uint64_t line = findings[i].line;
        for (; i < findings.size() && findings[i].line == line; ++i) {
            if (roleOf(m_rules, findings[i]) > Role::Fallback)
                continue;
            if (best == findings.size() ||
                weightOf(m_rules, findings[i]) > weightOf(m_rules, findings[best]))
                best = i;
        }
        if (best == findings.size())
            continue;
        const Finding& finding = findings[best];
        if (m_survival.covers(finding) &&
            !(includesSurvived && finding.progressBefore + kNearTheEnd >= m_facts.progress.count()))
            continue;
        const auto known = finding.chain == 0 ? byChain.end() : byChain.find(finding.chain);
        if (known != byChain.end()) {
            Group& group = m_groups[known->second];
            const int gain = weightOf(m_rules, finding) - weightOf(m_rules, findings[group.best]);
            if (gain > 0 || (gain == 0 && findings[group.best].isWrapped))
                group.best = best;
            continue;
        }
        if (finding.chain != 0)
            byChain[finding.chain] = m_groups.size();
        m_groups.push_back({best, best});
    }
}

/// Where tracebacks of several processes are mixed, a chain may be cut in two: the same first line
/// then has the same better name in every group.
void Collector::shareNames()
{
    std::unordered_map<std::string, size_t> bestByText;
    const auto& findings = m_facts.findings;
    for (const Group& group : m_groups) {
        const auto [known, isNew] = bestByText.try_emplace(findings[group.first].text, group.best);
        if (!isNew &&
            weightOf(m_rules, findings[group.best]) > weightOf(m_rules, findings[known->second]))
            known->second = group.best;
    }
    for (Group& group : m_groups) {
        if (!findings[group.first].isException)
            continue;
        const size_t better = bestByText[findings[group.first].text];
        if (weightOf(m_rules, findings[better]) > weightOf(m_rules, findings[group.best]))
            group.best = better;
    }
}

std::vector<Candidate> Collector::run(bool includesSurvived)
{
    group(includesSurvived);
    shareNames();
    std::vector<Candidate> candidates;
    std::map<std::pair<size_t, Tier>, size_t> places;
    for (const Group& group : m_groups) {
        const Finding& finding = m_facts.findings[group.best];
        const Tier tier = tierOf(m_rules, finding);
        const auto [known, isNew] =
            places.try_emplace(std::pair(finding.rule, tier), candidates.size());
        if (isNew) {
            Candidate& candidate = candidates.emplace_back();
            candidate.rule = finding.rule;
            candidate.tier = tier;
            candidate.line = m_facts.findings[group.best].line;
            candidate.weight = weightOf(m_rules, finding);
            if (finding.rule != kOtherException) {
                const Rule& rule = m_rules.rules()[finding.rule];
                candidate.reason = *rule.reason;
                candidate.isGeneric = rule.isGeneric;
            }
        }
        Candidate& candidate = candidates[known->second];
        candidate.line = std::min(candidate.line, finding.line);
        if (candidate.findings.empty() || candidate.findings.back() != group.best)
            candidate.findings.push_back(group.best);
    }
    for (Candidate& candidate : candidates) {
        std::sort(candidate.findings.begin(), candidate.findings.end());
        candidate.findings.erase(std::unique(candidate.findings.begin(), candidate.findings.end()),
                                 candidate.findings.end());
    }
    return candidates;
}

bool isStrong(const std::vector<Candidate>& candidates)
{
    return std::any_of(candidates.begin(), candidates.end(),
                       [](const Candidate& c) { return c.tier <= Tier::Soft; });
}

}  // namespace

Survival::Survival(const RuleSet& rules, const LogFacts& facts)
    : m_progress(facts.progress)
{
    for (const Finding& finding : facts.findings) {
        if (finding.rule == kOtherException)
            continue;
        const Role role = rules.rules()[finding.rule].role;
        if (rules.rules()[finding.rule].isProse)
            continue;
        if (role == Role::Restart)
            m_lastRestart = finding.line;
        else if (role == Role::Fatal && !finding.isWeak && finding.line < m_progress.lastLine())
            m_deaths.push_back(finding.line);
    }
}

bool Survival::covers(const Finding& finding) const
{
    if (m_progress.count() < finding.progressBefore + kMinProgressAfter || !m_progress.maxStep())
        return false;
    if (finding.stepBefore && *m_progress.maxStep() <= *finding.stepBefore)
        return false;
    // Steps printed behind a launcher's last words are no sign of life, unless it starts again.
    return m_lastRestart > finding.line || m_deaths.empty() || m_deaths.back() <= finding.line;
}

std::vector<Candidate> candidatesOf(const RuleSet& rules, const LogFacts& facts)
{
    std::vector<Candidate> candidates = Collector(rules, facts).run(false);
    if (isStrong(candidates))
        return candidates;
    // Late ranks may print some steps after the one that failed: if the job ended all the same,
    // the cause may stand a little before.
    const bool endedBadly =
        std::any_of(facts.findings.begin(), facts.findings.end(), [&](const Finding& finding) {
            return finding.rule != kOtherException &&
                   (rules.rules()[finding.rule].role == Role::Fatal ||
                    rules.rules()[finding.rule].role == Role::Timeout) &&
                   finding.line > facts.progress.lastLine();
        });
    return endedBadly ? Collector(rules, facts).run(true) : candidates;
}

}  // namespace yard::diagnosis
