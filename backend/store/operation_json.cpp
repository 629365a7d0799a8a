#include "backend/store/operation_json.h"

#include <nlohmann/json.hpp>

#include "backend/store/time_us.h"

namespace yard::store {
namespace {

using domain::Action;
using domain::Operation;
using nlohmann::json;

json fromTime(const std::optional<Time>& time)
{
    return time ? json(toMicroseconds(*time)) : json();
}

std::optional<Time> toTime(const json& value)
{
    if (value.is_null())
        return std::nullopt;
    return fromMicroseconds(value.get<int64_t>());
}

json fromAction(const Action& action)
{
    json value = {{"kind", int(action.kind)},
                  {"nodes", action.nodes},
                  {"jobs", action.jobs},
                  {"reason", action.reason},
                  {"excluded", action.excludedNodes},
                  {"when_idle", action.rebootWhenIdle},
                  {"cancel_original", action.cancelOriginal}};
    if (action.submission)
        value["submission"] = {{"script", action.submission->script},
                               {"options", action.submission->options},
                               {"user", action.submission->user},
                               {"directory", action.submission->workDirectory}};
    return value;
}

Action toAction(const json& value)
{
    Action action;
    action.kind = domain::ActionKind(value.at("kind").get<int>());
    value.at("nodes").get_to(action.nodes);
    value.at("jobs").get_to(action.jobs);
    value.at("reason").get_to(action.reason);
    value.at("excluded").get_to(action.excludedNodes);
    value.at("when_idle").get_to(action.rebootWhenIdle);
    value.at("cancel_original").get_to(action.cancelOriginal);
    if (const auto found = value.find("submission"); found != value.end()) {
        auto& submission = action.submission.emplace();
        found->at("script").get_to(submission.script);
        found->at("options").get_to(submission.options);
        found->at("user").get_to(submission.user);
        found->at("directory").get_to(submission.workDirectory);
    }
    return action;
}

json fromTargets(const Operation& operation)
{
    json targets = json::array();
    for (const domain::Target& target : operation.targets)
        targets.push_back(
            {target.name, int(target.state), target.before, target.observed, target.newJob});
    return targets;
}

json fromEvidence(const std::vector<Evidence>& evidence)
{
    json list = json::array();
    for (const Evidence& item : evidence)
        list.push_back({{"target", item.target},
                        {"job", item.jobId},
                        {"submit", item.submitTimeUs},
                        {"start", item.startTimeUs},
                        {"restarts", item.restarts},
                        {"boot", item.bootTimeUs},
                        {"out", item.wasOut},
                        {"reason", item.reason},
                        {"saw_reboot", item.sawReboot},
                        {"accepted", item.accepted}});
    return list;
}

Evidence toEvidence(const json& value)
{
    Evidence item;
    value.at("target").get_to(item.target);
    value.at("job").get_to(item.jobId);
    value.at("submit").get_to(item.submitTimeUs);
    value.at("start").get_to(item.startTimeUs);
    value.at("restarts").get_to(item.restarts);
    value.at("boot").get_to(item.bootTimeUs);
    value.at("out").get_to(item.wasOut);
    value.at("reason").get_to(item.reason);
    value.at("saw_reboot").get_to(item.sawReboot);
    value.at("accepted").get_to(item.accepted);
    return item;
}

OperationRecord toRecord(const json& value)
{
    OperationRecord record;
    Operation& operation = record.operation;
    value.at("id").get_to(operation.id);
    value.at("request").get_to(operation.requestId);
    operation.action = toAction(value.at("action"));
    value.at("user").get_to(operation.by.user);
    value.at("uid").get_to(operation.by.uid);
    operation.by.role = domain::Role(value.at("role").get<int>());
    value.at("from").get_to(operation.by.from);
    operation.requestedAt = fromMicroseconds(value.at("requested").get<int64_t>());
    operation.sentAt = toTime(value.at("sent"));
    operation.finishedAt = toTime(value.at("finished"));
    operation.state = domain::OperationState(value.at("state").get<int>());
    for (const json& target : value.at("targets"))
        operation.targets.push_back(
            {.name = target.at(0).get<std::string>(),
             .state = domain::TargetState(target.at(1).get<int>()),
             .before = target.at(2).get<std::string>(),
             .observed = target.at(3).get<std::string>(),
             // Older journals have no such field.
             .newJob = target.size() > 4 ? target.at(4).get<std::string>() : std::string()});
    value.at("commands").get_to(operation.commands);
    value.at("message").get_to(operation.message);
    value.at("new_job").get_to(operation.newJob);
    if (!value.at("undoes").is_null())
        operation.undoes = value.at("undoes").get<uint64_t>();
    value.at("undoable").get_to(operation.undoable);
    for (const json& item : value.at("evidence"))
        record.evidence.push_back(toEvidence(item));
    return record;
}

}  // namespace

std::string toJson(const OperationRecord& record)
{
    const Operation& operation = record.operation;
    const json value = {{"id", operation.id},
                        {"request", operation.requestId},
                        {"action", fromAction(operation.action)},
                        {"user", operation.by.user},
                        {"uid", operation.by.uid},
                        {"role", int(operation.by.role)},
                        {"from", operation.by.from},
                        {"requested", toMicroseconds(operation.requestedAt)},
                        {"sent", fromTime(operation.sentAt)},
                        {"finished", fromTime(operation.finishedAt)},
                        {"state", int(operation.state)},
                        {"targets", fromTargets(operation)},
                        {"commands", operation.commands},
                        {"message", operation.message},
                        {"new_job", operation.newJob},
                        {"undoes", operation.undoes ? json(*operation.undoes) : json()},
                        {"undoable", operation.undoable},
                        {"evidence", fromEvidence(record.evidence)}};
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

StatusOr<OperationRecord> operationFromJson(std::string_view text)
{
    // The library throws on a missing or mistyped field; it must not pass this function.
    try {
        return toRecord(json::parse(text));
    } catch (const json::exception&) {
        return absl::DataLossError("An operation in the journal cannot be read.");
    }
}

std::string validUtf8(std::string text)
{
    const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    return json::parse(quoted).get<std::string>();
}

}  // namespace yard::store
