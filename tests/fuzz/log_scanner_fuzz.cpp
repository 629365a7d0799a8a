#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/diagnosis/log_scanner.h"
#include "backend/diagnosis/root_cause.h"
#include "backend/diagnosis/shipped_rules.h"

/// A whole log: any bytes give a verdict whose lines exist.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    using namespace yard::diagnosis;
    static const RuleSet rules = [] {
        auto built = RuleSet::build(*shippedRules());
        if (!built.ok())
            std::abort();
        return *std::move(built);
    }();
    LogScanner scanner(rules);
    scanner.feed(std::string_view(reinterpret_cast<const char*>(data), size));
    const LogFacts facts = scanner.finish();
    const auto verdict = judge(rules, facts);
    for (const auto& line : verdict.evidence) {
        if (line.line > facts.lines)
            std::abort();
    }
    return 0;
}
