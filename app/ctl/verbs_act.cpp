#include "app/ctl/verbs_act.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <random>
#include <thread>
#include <utility>

#include "app/ctl/filter.h"
#include "app/ctl/json_output.h"
#include "app/ctl/line_check.h"
#include "app/ctl/preview_text.h"
#include "backend/base/text.h"
#include "backend/domain/operation.h"

namespace yard::ctl {
namespace {

using nlohmann::json;
using std::chrono::steady_clock;

constexpr auto kLookEvery = std::chrono::milliseconds(200);
constexpr std::chrono::seconds kAnswerWithin{5};  // a daemon that follows the scheduler needs less
constexpr std::chrono::milliseconds kLeastPatience{500};
constexpr uint32_t kEarlierLookedAt = 10'000;

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

v1::ListOperationsRequest onlyOperation(uint64_t id)
{
    v1::ListOperationsRequest request;
    request.set_before_id(id + 1);
    request.set_limit(1);
    return request;
}

std::string howToRepeat(const std::string& requestId)
{
    return fmt::format(
        "To ask again without doing it twice, repeat the same command with --request-id {}.",
        requestId);
}

/// Executes, through a daemon that dies and comes back meanwhile: by its request id it knows
/// whether it has heard of this before.
ExitCode execute(Connection& connection, const v1::ExecuteRequest& request,
                 v1::Operation& operation)
{
    const grpc::Status first = [&] {
        grpc::ClientContext context;
        context.set_deadline(std::chrono::system_clock::now() + connection.timeout());
        return connection.stub().Execute(&context, request, &operation);
    }();
    if (!Connection::isLost(first))
        return connection.report(first);
    complain(CannotConnect,
             fmt::format("yardmasterd was lost before it answered: the action may have been "
                         "carried out or not. Waiting up to {} s for it, to ask what became of "
                         "request {}.",
                         connection.timeout().count(), request.request_id()));
    const grpc::Status again = connection.callAgain(&v1::Yard::Stub::Execute, request, operation);
    if (Connection::isLost(again))
        return complain(CannotConnect, fmt::format("{} It may have been carried out or not. {}",
                                                   connection.whyLost(again, connection.timeout()),
                                                   howToRepeat(request.request_id())));
    if (again.error_code() == grpc::StatusCode::FAILED_PRECONDITION)
        return complain(RefusedHere,
                        fmt::format("yardmasterd is back and has no record of request {}: nothing "
                                    "was done. {}",
                                    request.request_id(), howToRepeat(request.request_id())));
    return connection.report(again);
}

/// Follows an operation until it is done or the time is over. A daemon that is lost meanwhile is
/// told at once; it is looked for as long as there is time.
class Wait {
public:
    Wait(Connection& connection, int seconds, v1::Operation& operation)
        : m_connection(connection)
        , m_seconds(seconds)
        , m_until(steady_clock::now() + std::chrono::seconds(seconds))
        , m_operation(operation)
    {
    }

    ExitCode untilObserved()
    {
        while (domain::isOpen(domain::OperationState(m_operation.state()))) {
            if (steady_clock::now() >= m_until)
                return m_lost ? complain(CannotConnect, stillLost())
                              : complain(TimedOut, stillOpen());
            std::this_thread::sleep_for(kLookEvery);
            v1::ListOperationsReply reply;
            const grpc::Status status =
                m_connection.tryOnce(&v1::Yard::Stub::ListOperations,
                                     onlyOperation(m_operation.id()), reply, patience());
            if (Connection::isLost(status) ||
                status.error_code() == grpc::StatusCode::UNAVAILABLE) {
                if (!std::exchange(m_lost, true))
                    complain(CannotConnect, lost(status));
                continue;
            }
            if (!status.ok())
                return m_connection.report(status);
            if (std::exchange(m_lost, false))
                fmt::print(stderr, "yardctl: yardmasterd is back, and knows operation {}.\n",
                           m_operation.id());
            if (reply.operations_size() == 1 && reply.operations(0).id() == m_operation.id())
                m_operation = reply.operations(0);
        }
        return Done;
    }

private:
    std::chrono::milliseconds patience() const
    {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(m_until - steady_clock::now());
        const std::chrono::milliseconds most =
            std::min<std::chrono::milliseconds>(m_connection.timeout(), kAnswerWithin);
        return std::clamp(left, kLeastPatience, most);
    }
    std::string lost(const grpc::Status& status) const
    {
        return fmt::format(
            "{} Operation {} is in its journal and may have been carried out. {} Looking for it "
            "until the {} s of --wait are over.",
            Connection::isLost(status) ? m_connection.whyLost(status, kAnswerWithin)
                                       : status.error_message(),
            m_operation.id(), howToRepeat(m_operation.request_id()), m_seconds);
    }
    std::string stillLost() const
    {
        return fmt::format(
            "yardmasterd has not come back. What became of operation {} is not known: see yardctl "
            "operations when it is back.",
            m_operation.id());
    }
    std::string stillOpen() const
    {
        return fmt::format(
            "The scheduler does not report operation {} as done after {} s. It stays open; see "
            "yardctl operations.",
            m_operation.id(), m_seconds);
    }

    Connection& m_connection;
    const int m_seconds;
    const steady_clock::time_point m_until;
    v1::Operation& m_operation;
    bool m_lost = false;
};

/// An earlier request with the id that was given, if it was for the same kind of action.
bool findEarlier(Connection& connection, const ActRequest& request, v1::Operation& operation)
{
    if (request.requestId.empty())
        return false;
    v1::ListOperationsRequest list;
    list.set_limit(kEarlierLookedAt);
    v1::ListOperationsReply reply;
    if (!connection.callAgain(&v1::Yard::Stub::ListOperations, list, reply).ok())
        return false;
    for (const v1::Operation& earlier : reply.operations()) {
        const bool isSame = request.undoOperation
                                ? earlier.undoes() == *request.undoOperation
                                : earlier.action().kind() == uint32_t(request.kind);
        if (earlier.request_id() == request.requestId && isSame) {
            operation = earlier;
            return true;
        }
    }
    return false;
}

ExitCode outcome(const v1::Operation& operation)
{
    if (domain::OperationState(operation.state()) != domain::OperationState::Refused)
        return Done;
    int done = 0;
    for (const v1::Target& target : operation.targets())
        done += domain::TargetState(target.state()) == domain::TargetState::Observed ? 1 : 0;
    return complain(RefusedByScheduler,
                    fmt::format("Operation {} was {}: {}", operation.id(),
                                done == 0 ? std::string("not carried out")
                                          : fmt::format("carried out for {} of {} targets", done,
                                                        operation.targets_size()),
                                operation.message()));
}

/// "3 nodes drained"
std::string doneText(const v1::Operation& operation)
{
    const auto kind = domain::ActionKind(operation.action().kind());
    const std::string what = operation.targets_size() == 1
                                 ? operation.targets(0).name()
                                 : fmt::format("{} {}", operation.targets_size(),
                                               domain::isNodeAction(kind) ? "nodes" : "jobs");
    return fmt::format("{} {}", what, domain::doneWord(kind));
}

std::string outcomeText(const v1::Operation& operation)
{
    const auto state = domain::OperationState(operation.state());
    std::string text = fmt::format("Operation {}: ", operation.id());
    if (state != domain::OperationState::Observed)
        text += fmt::format("{}.", domain::name(state));
    else if (!operation.progress().empty())
        text += "in effect. " + operation.progress();
    else
        text += doneText(operation) + ", as the scheduler reports.";
    if (!operation.new_job().empty())
        text += fmt::format(" New {}: {}.",
                            operation.new_job().find(',') == std::string::npos ? "job" : "jobs",
                            operation.new_job());
    if (!operation.message().empty() && state != domain::OperationState::Refused)
        text += " " + operation.message();
    return text + "\n";
}

void show(const CommonOptions& options, const v1::PreviewReply& preview,
          const v1::Operation* operation)
{
    if (!options.json) {
        if (operation)
            fmt::print("{}", text::visibleLines(outcomeText(*operation)));
        return;
    }
    printJson(
        {{"preview", toJson(preview)}, {"operation", operation ? toJson(*operation) : json()}});
}

/// What can be said without the daemon.
ExitCode checkRequest(const ActRequest& request)
{
    std::vector<std::pair<const char*, const std::string*>> texts = {
        {"--reason", &request.reason},
        {"--exclude", &request.exclude},
        {"--request-id", &request.requestId}};
    for (const std::string& target : request.targets)
        texts.emplace_back(domain::isNodeAction(request.kind) ? "NODES" : "JOBS", &target);
    for (const auto& [name, text] : texts) {
        if (const ExitCode code = checkLine(name, *text); code != Done)
            return code;
    }
    const bool needsReason = !request.undoOperation && (request.kind == domain::ActionKind::Drain ||
                                                        request.kind == domain::ActionKind::Down);
    if (needsReason && text::trimmed(request.reason).empty())
        return complain(BadUsage,
                        fmt::format("A reason is required to {} nodes, and --reason is empty. "
                                    "Nothing was done.",
                                    domain::name(request.kind)));
    return Done;
}

/// Preview, confirm, execute. `operation` without an id: it stopped before that.
ExitCode carryOut(Connection& connection, const CommonOptions& options, const ActRequest& request,
                  v1::PreviewReply& shown, v1::Operation& operation)
{
    ExitCode code = preview(connection, request, shown);
    if ((code != Done || !shown.refusal().empty()) && findEarlier(connection, request, operation)) {
        fmt::print(stderr, "yardctl: Request {} is operation {} ({} {}): it is not done again.\n",
                   text::visible(request.requestId), operation.id(),
                   domain::name(domain::ActionKind(operation.action().kind())),
                   text::visible(operation.targets_folded()));
        return Done;
    }
    if (code != Done)
        return code;
    if (!options.json && (shown.refusal().empty() || shown.target_count() > 0))
        fmt::print("{}", previewText(shown));
    std::fflush(stdout);
    if (!shown.refusal().empty() || request.dryRun) {
        show(options, shown, nullptr);
        return shown.refusal().empty() ? Done : complain(RefusedHere, shown.refusal());
    }
    v1::ExecuteRequest wire;
    uint32_t count = 0;
    if (code = confirm(request, shown, count); code != Done)
        return code;
    wire.set_token(shown.token());
    wire.set_request_id(request.requestId.empty() ? newRequestId() : request.requestId);
    wire.set_reason(request.reason);
    wire.set_typed_count(count);
    return execute(connection, wire, operation);
}

}  // namespace

int act(const CommonOptions& options, const ActRequest& request)
{
    ExitCode code = checkRequest(request);
    if (code != Done)
        return code;
    Connection connection(options);
    v1::PreviewReply shown;
    v1::Operation operation;
    code = carryOut(connection, options, request, shown, operation);
    if (code != Done || operation.id() == 0)
        return code;
    if (!request.noWait)
        code = Wait(connection, request.waitSeconds, operation).untilObserved();
    show(options, shown, &operation);
    return code == Done ? outcome(operation) : code;
}

}  // namespace yard::ctl
