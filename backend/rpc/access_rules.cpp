#include "backend/rpc/access_rules.h"

namespace yard::rpc {

using domain::Role;

const std::vector<AccessRule>& accessRules()
{
    static const std::vector<AccessRule> rules{
        {"Watch", Role::Viewer, "Watching the cluster"},
        {"GetSnapshot", Role::Viewer, "Reading the cluster"},
        {"Preview", Role::Operator, "Previewing an action"},
        {"Execute", Role::Operator, "Taking an action"},
        {"PreviewUndo", Role::Operator, "Previewing an undo"},
        {"ListOperations", Role::Viewer, "Reading the operations"},
        {"ListAudit", Role::Viewer, "Reading the audit chain"},
        {"GetJob", Role::Viewer, "Reading a job"},
        {"GetMoment", Role::Viewer, "Reading the past"},
        {"GetSeries", Role::Viewer, "Reading the past"},
        {"GetTimeline", Role::Viewer, "Reading the past"},
        {"Characterize", Role::Viewer, "Characterizing the jobs"},
        {"ListIncidents", Role::Viewer, "Reading incidents"},
        {"GetIncident", Role::Viewer, "Reading incidents"},
        {"ChangeIncident", Role::Operator, "Changing an incident"},
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

std::string_view wordsOf(std::string_view method)
{
    for (const AccessRule& rule : accessRules()) {
        if (rule.method == method)
            return rule.words;
    }
    return method;
}

bool actsForAnotherUser(const domain::Action& action, const domain::Identity& by)
{
    return action.kind == domain::ActionKind::Submit && action.submission &&
           action.submission->user != by.user;
}

}  // namespace yard::rpc
