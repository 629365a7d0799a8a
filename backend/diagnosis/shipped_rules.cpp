#include "backend/diagnosis/shipped_rules.h"

#include "backend/diagnosis/rule_texts.h"

namespace yard::diagnosis {

StatusOr<std::vector<Rule>> shippedRules()
{
    std::vector<Rule> all;
    for (const auto& [file, text] : kRuleTexts) {
        StatusOr<std::vector<Rule>> rules = readRules(text, std::string(file));
        if (!rules.ok())
            return rules.status();
        for (Rule& rule : *rules)
            all.push_back(std::move(rule));
    }
    return all;
}

StatusOr<std::vector<Rule>> rulesWith(const std::vector<std::string>& paths)
{
    StatusOr<std::vector<Rule>> shipped = shippedRules();
    return shipped.ok() ? loadRules(paths, *std::move(shipped)) : shipped.status();
}

}  // namespace yard::diagnosis
