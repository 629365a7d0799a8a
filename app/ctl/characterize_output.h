#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "app/ctl/trace_request.h"
#include "backend/analytics/figures.h"
#include "backend/analytics/workload_rules.h"

namespace yard::ctl {

/// "duration_s.p50" becomes {"duration_s": {"p50": …}}; what is absent is null, with its reason
/// under "missing".
nlohmann::ordered_json figuresJson(const analytics::Figures& figures);
/// The paper's figures of its clusters, under the same names.
nlohmann::ordered_json paperJson(const std::vector<std::string>& clusters);
nlohmann::ordered_json oddRowsJson(const analytics::OddRows& odd);
nlohmann::ordered_json definitionsJson();

/// Figure, value, unit; the curves (cdf) only if `withCurves`. With `clusters` of the paper beside.
void printFigures(const analytics::Figures& figures, const std::vector<std::string>& clusters,
                  bool withCurves);
void printDefinitions();

/// What each rule matches, and what none does.
void printRules(const analytics::WorkloadRules& rules, const analytics::RuleReport& report);
nlohmann::ordered_json rulesJson(const analytics::WorkloadRules& rules,
                                 const analytics::RuleReport& report);

}  // namespace yard::ctl
