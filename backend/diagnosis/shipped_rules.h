#pragma once

#include <string>
#include <vector>

#include "backend/diagnosis/rule.h"

namespace yard::diagnosis {

/// The rules of resources/rules, as they were when this was built.
StatusOr<std::vector<Rule>> shippedRules();

/// The shipped rules with those of `paths` on top: a rule of the same id replaces the shipped one.
StatusOr<std::vector<Rule>> rulesWith(const std::vector<std::string>& paths);

}  // namespace yard::diagnosis
