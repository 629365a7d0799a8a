#include "app/ctl/verbs_act.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <random>
#include <thread>

#include "app/ctl/filter.h"
#include "app/ctl/json_output.h"
#include "app/ctl/preview_text.h"
#include "backend/domain/operation.h"

namespace yard::ctl {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr auto kLookEvery = std::chrono::milliseconds(200);

std::string newRequestId()
{
    std::random_device random;
    return fmt::format("ctl-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

std::string joined(const std::vector<std::string>& parts)
{
    std::string text;
    for (const std::string& part : parts)
        text.append(text.empty() ? "" : ",").append(part);
    return text;
}

v1::PreviewRequest previewRequest(const ActRequest& request)
{
    v1::PreviewRequest wire;
    v1::Action* action = wire.mutable_action();
    action->set_kind(uint32_t(request.kind));
    action->set_reason(request.reason);
    action->set_reboot_when_idle(!request.rebootNow);
    action->set_cancel_original(!request.keepOriginal);
    wire.set_excluded_expression(request.exclude);
    if (domain::isNodeAction(request.kind)) {
        wire.set_nodes_expression(joined(request.targets));
        return wire;
    }
    for (const std::string& list : request.targets) {
        for (const std::string& id : splitOutsideBrackets(list))
            action->add_jobs(id);
    }
    return wire;
}

ExitCode preview(Connection& connection, const ActRequest& request, v1::PreviewReply& reply)
{
    if (!request.undoOperation)
        return connection.call(&v1::Yard::Stub::Preview, previewRequest(request), reply);
    v1::PreviewUndoRequest undo;
    undo.set_operation_id(*request.undoOperation);
    return connection.call(&v1::Yard::Stub::PreviewUndo, undo, reply);
}

/// The answer typed on the terminal; empty at its end.
std::string ask(const std::string& question)
{
    fmt::print(stderr, "{}", question);
    std::string answer;
    std::getline(std::cin, answer);
    return answer;
}

/// Done if it may go on; `count` becomes the typed count.
ExitCode confirm(const ActRequest& request, const v1::PreviewReply& preview, uint32_t& count)
{
    const uint32_t needed = preview.typed_count_required();
    count = request.count;
    const bool onTerminal = isatty(STDIN_FILENO) != 0;
    if (request.yes || !onTerminal) {
        if (!request.yes)
            return complain(NotConfirmed,
                            "Nothing was done: it was not confirmed. Give --yes in scripts.");
        if (needed != 0 && count != needed)
            return complain(RefusedHere,
                            fmt::format("Nothing was done: more than a few targets need their "
                                        "number as well. Give --count {} if that is right.",
                                        needed));
        return Done;
    }
    if (needed != 0) {
        const std::string typed =
            ask(fmt::format("Type the number of targets ({}) to go on: ", needed));
        count = typed == std::to_string(needed) ? needed : 0;
        return count == needed ? Done : complain(NotConfirmed, "Nothing was done.");
    }
    const std::string typed = ask("Go on? [y/N] ");
    return typed == "y" || typed == "Y" || typed == "yes"
               ? Done
               : complain(NotConfirmed, "Nothing was done.");
}

ExitCode look(Connection& connection, uint64_t id, v1::Operation& operation)
{
    v1::ListOperationsRequest request;
    request.set_before_id(id + 1);
    request.set_limit(1);
    v1::ListOperationsReply reply;
    if (const ExitCode code = connection.call(&v1::Yard::Stub::ListOperations, request, reply);
        code != Done)
        return code;
    if (reply.operations_size() == 1 && reply.operations(0).id() == id)
        operation = reply.operations(0);
    return Done;
}

ExitCode waitForObserved(Connection& connection, int seconds, v1::Operation& operation)
{
    const auto until = steady_clock::now() + std::chrono::seconds(seconds);
    while (domain::isOpen(domain::OperationState(operation.state()))) {
        if (steady_clock::now() >= until)
            return complain(
                TimedOut,
                fmt::format(
                    "The scheduler does not report operation {} as done after {} s. It stays "
                    "open; see yardctl operations.",
                    operation.id(), seconds));
        std::this_thread::sleep_for(kLookEvery);
        if (const ExitCode code = look(connection, operation.id(), operation); code != Done)
            return code;
    }
    return Done;
}

ExitCode outcome(const v1::Operation& operation)
{
    if (domain::OperationState(operation.state()) == domain::OperationState::Refused)
        return complain(RefusedByScheduler, fmt::format("The scheduler refused operation {}: {}",
                                                        operation.id(), operation.message()));
    return Done;
}

std::string outcomeText(const v1::Operation& operation)
{
    std::string text =
        fmt::format("Operation {}: {}.", operation.id(),
                    std::string(domain::name(domain::OperationState(operation.state()))));
    if (!operation.new_job().empty())
        text += fmt::format(" New job: {}.", operation.new_job());
    if (!operation.message().empty())
        text += " " + operation.message();
    return text + "\n";
}

void show(const CommonOptions& options, const v1::PreviewReply& preview,
          const v1::Operation* operation)
{
    if (!options.json) {
        if (operation)
            fmt::print("{}", outcomeText(*operation));
        return;
    }
    printJson(
        {{"preview", toJson(preview)}, {"operation", operation ? toJson(*operation) : json()}});
}

}  // namespace

int act(const CommonOptions& options, const ActRequest& request)
{
    Connection connection(options);
    v1::PreviewReply shown;
    if (const ExitCode code = preview(connection, request, shown); code != Done)
        return code;
    if (!options.json)
        fmt::print("{}", previewText(shown));
    std::fflush(stdout);
    if (!shown.refusal().empty() || request.dryRun) {
        show(options, shown, nullptr);
        return shown.refusal().empty() ? Done : complain(RefusedHere, shown.refusal());
    }
    v1::ExecuteRequest execute;
    uint32_t count = 0;
    if (const ExitCode code = confirm(request, shown, count); code != Done)
        return code;
    execute.set_token(shown.token());
    execute.set_request_id(request.requestId.empty() ? newRequestId() : request.requestId);
    execute.set_reason(request.reason);
    execute.set_typed_count(count);
    v1::Operation operation;
    if (const ExitCode code = connection.call(&v1::Yard::Stub::Execute, execute, operation);
        code != Done)
        return code;
    ExitCode code = Done;
    if (!request.noWait)
        code = waitForObserved(connection, request.waitSeconds, operation);
    show(options, shown, &operation);
    return code == Done ? outcome(operation) : code;
}

}  // namespace yard::ctl
