#pragma once

#include <string_view>

#include "backend/diagnosis/log_scanner.h"
#include "backend/diagnosis/root_cause.h"
#include "backend/diagnosis/shipped_rules.h"

/// The shipped rules, made ready once for a test program.
inline const yard::diagnosis::RuleSet& shippedRuleSet()
{
    static const yard::diagnosis::RuleSet set = [] {
        auto rules = yard::diagnosis::shippedRules();
        if (!rules.ok())
            qFatal("%s", std::string(rules.status().message()).c_str());
        auto built = yard::diagnosis::RuleSet::build(*std::move(rules));
        if (!built.ok())
            qFatal("%s", std::string(built.status().message()).c_str());
        return *std::move(built);
    }();
    return set;
}

inline yard::domain::Verdict diagnosed(std::string_view log, std::string_view kernel = {})
{
    using namespace yard::diagnosis;
    LogScanner scanner(shippedRuleSet());
    scanner.feed(log);
    const LogFacts facts = scanner.finish();
    if (kernel.empty())
        return judge(shippedRuleSet(), facts);
    LogScanner second(shippedRuleSet());
    second.feed(kernel);
    const KernelWitness witness{"kernel.log", second.finish()};
    return judge(shippedRuleSet(), facts, &witness);
}
