#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace yard::diagnosis {

/// Name and text of the rule files shipped; generated from resources/rules when this is built.
extern const std::vector<std::pair<std::string_view, std::string_view>> kRuleTexts;

}  // namespace yard::diagnosis
