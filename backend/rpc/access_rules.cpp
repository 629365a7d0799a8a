#include "backend/rpc/access_rules.h"

namespace yard::rpc {

using domain::Role;

const std::vector<AccessRule>& accessRules()
{
    static const std::vector<AccessRule> rules{
        {"Watch", Role::Viewer},         {"GetSnapshot", Role::Viewer},
        {"Preview", Role::Operator},     {"Execute", Role::Operator},
        {"PreviewUndo", Role::Operator}, {"ListOperations", Role::Viewer},
        {"ListAudit", Role::Viewer},     {"GetJob", Role::Viewer},
    };
    return rules;
}

std::optional<Role> roleNeeded(std::string_view method)
{
    for (const AccessRule& rule : accessRules()) {
        if (rule.method == method)
            return rule.needed;
    }
    return std::nullopt;
}

bool actsForAnotherUser(const domain::Action& action, const domain::Identity& by)
{
    return action.kind == domain::ActionKind::Submit && action.submission &&
           action.submission->user != by.user;
}

}  // namespace yard::rpc
