#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "backend/domain/operation.h"

namespace yard::rpc {

/// The least role that a method of yard.v1.Yard needs.
struct AccessRule {
    std::string_view method;
    domain::Role needed;
    std::string_view words;  ///< what it is to people: "Reading the cluster"
};

/// Every method has its rule here and nowhere else; one without a rule is refused to everybody.
const std::vector<AccessRule>& accessRules();
std::optional<domain::Role> roleNeeded(std::string_view method);
std::string_view wordsOf(std::string_view method);

/// Whether to submit as this user needs `admin`: it acts in somebody else's name.
bool actsForAnotherUser(const domain::Action& action, const domain::Identity& by);

}  // namespace yard::rpc
