#include "backend/control/operation_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::Action;
using domain::ActionKind;

constexpr size_t kMostOffers = 1000;

std::string newToken()
{
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

// Slurm keeps a reason on one line; anything else would only confuse its output.
std::string oneLine(std::string text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            c = ' ';
    const size_t first = text.find_first_not_of(' ');
    if (first == std::string::npos)
        return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::string> targetNames(const Action& action)
{
    if (isNodeAction(action.kind))
        return action.nodes;
    if (action.kind == ActionKind::Submit)
        return {"new job"};
    return action.jobs;
}

}  // namespace

OperationDesk::OperationDesk(OperationRunner::Context context, OperationRunner::Options options,
                             std::chrono::seconds previewLifetime,
                             StatusOr<uint64_t> lastOperationId)
    : m_context(context)
    , m_previewLifetime(previewLifetime)
    , m_journalReadable(lastOperationId.status())
    , m_lastId(lastOperationId.value_or(0))
    , m_builder(m_context.snapshot, m_context.jobs, m_context.scheduler)
    , m_runner(std::move(context), options)
{
}

StatusOr<Preview> OperationDesk::preview(const domain::Identity& by, PreviewRequest request)
{
    return offer(by, std::move(request), std::nullopt);
}

StatusOr<Preview> OperationDesk::previewUndo(const domain::Identity& by, uint64_t operationId)
{
    const store::OperationRecord* record = m_runner.find(operationId);
    if (!record)
        return absl::NotFoundError(
            fmt::format("There is no operation {} of the last day.", operationId));
    StatusOr<PreviewRequest> reverse = reverseOf(*record);
    if (!reverse.ok())
        return reverse.status();
    return offer(by, std::move(*reverse), operationId);
}

StatusOr<Preview> OperationDesk::offer(const domain::Identity& by, PreviewRequest request,
                                       std::optional<uint64_t> undoes)
{
    if (m_context.snapshot.nodes().empty())
        return absl::UnavailableError("The scheduler has not been read yet. Try again.");
    request.action.reason = oneLine(std::move(request.action.reason));
    const Time now = m_context.clock.now();
    // The next id, so that the commands shown are the ones that will run. Only an operation of
    // somebody else in between takes it: then the mark in them differs, and nothing else.
    const uint64_t id = m_lastId + 1;
    StatusOr<Preview> preview = m_builder.build(std::move(request), id, now);
    if (!preview.ok())
        return preview;
    preview->token = newToken();
    preview->expires = now + m_previewLifetime;
    preview->undoes = undoes;
    forgetExpired();
    m_offers[preview->token] = {
        .preview = *preview,
        .by = by,
        .states = targetStates(preview->action, m_context.snapshot, m_context.jobs)};
    m_offerOrder.push_back(preview->token);
    return preview;
}

std::string OperationDesk::whyNoUndo(const store::OperationRecord& record) const
{
    const domain::Operation& operation = record.operation;
    const ActionKind kind = operation.action.kind;
    if (!hasUndo(kind))
        return fmt::format("a {} has no reverse.", name(kind));
    if (operation.state != domain::OperationState::Observed)
        return fmt::format("it is {}, so there is nothing to take back.", name(operation.state));
    std::vector<std::string> before;
    for (const store::Evidence& evidence : record.evidence)
        if (evidence.wasOut && (kind == ActionKind::Drain || kind == ActionKind::Down))
            before.push_back(evidence.target);
    if (!before.empty())
        return fmt::format(
            "{0} {1} out of service before it already, so {2} not its to give back. Resume {3} by "
            "name if that is wanted.",
            domain::foldHostlist(before), before.size() == 1 ? "was" : "were",
            before.size() == 1 ? "it is" : "they are", before.size() == 1 ? "it" : "them");
    for (size_t i = 0; i < operation.targets.size(); ++i)
        if (const Effect now = effectOn(record, i, m_context.snapshot, m_context.jobs);
            !now.undoable)
            return fmt::format("the state is not as it left it. {} is now {}.",
                               operation.targets[i].name, now.words);
    return "too many others came after it. Give the opposite action by name.";
}

StatusOr<PreviewRequest> OperationDesk::reverseOf(const store::OperationRecord& record) const
{
    const domain::Operation& operation = record.operation;
    if (!operation.undoable)
        return absl::FailedPreconditionError(
            fmt::format("Operation {} cannot be undone: {}", operation.id, whyNoUndo(record)));
    Action action;
    action.nodes = operation.action.nodes;
    action.jobs = operation.action.jobs;
    switch (operation.action.kind) {
        case ActionKind::Drain:
        case ActionKind::Down:
            action.kind = ActionKind::Resume;
            break;
        case ActionKind::Resume:
            action.kind = ActionKind::Drain;
            action.reason = withoutMark(record.evidence.front().reason);
            for (const store::Evidence& evidence : record.evidence)
                if (withoutMark(evidence.reason) != action.reason)
                    return absl::FailedPreconditionError(
                        "These nodes were out for different reasons. Drain them one by one.");
            break;
        case ActionKind::Hold:
            action.kind = ActionKind::Release;
            break;
        case ActionKind::Release:
            action.kind = ActionKind::Hold;
            break;
        default:
            action.kind = ActionKind::Cancel;
            action.jobs = {operation.newJob};
            break;
    }
    return PreviewRequest{.action = action, .nodesExpression = {}, .excludedExpression = {}};
}

Status OperationDesk::check(const domain::Identity& by, const ExecuteRequest& request,
                            Action& action) const
{
    if (!m_journalReadable.ok())
        return absl::UnavailableError("The journal cannot be read, so nothing is done. " +
                                      std::string(m_journalReadable.message()));
    const auto found = m_offers.find(request.token);
    if (found == m_offers.end())
        return absl::FailedPreconditionError(
            "This preview is not known: it was used, or the daemon was restarted. Look again.");
    const Offer& offer = found->second;
    const Preview& preview = offer.preview;
    if (offer.by.user != by.user)
        return absl::PermissionDeniedError("This preview was made for somebody else.");
    if (m_context.clock.now() > preview.expires)
        return absl::FailedPreconditionError("This preview is too old. Look again.");
    if (!preview.refusal.empty())
        return absl::FailedPreconditionError(preview.refusal);
    action = preview.action;
    if (const std::string reason = oneLine(request.reason); !reason.empty())
        action.reason = reason;
    if (preview.reasonRequired && action.reason.empty())
        return absl::InvalidArgumentError(
            fmt::format("A reason is required to {} nodes. Nothing was done.", name(action.kind)));
    if (action.reason.size() > domain::kLongestReason)
        return absl::InvalidArgumentError(
            fmt::format("The reason is longer than {} bytes. Shorten it.", domain::kLongestReason));
    if (preview.typedCountRequired != 0 && request.typedCount != preview.typedCountRequired)
        return absl::InvalidArgumentError(
            fmt::format("This touches {} targets: type that number to confirm. Nothing was done.",
                        preview.typedCountRequired));
    if (!m_context.snapshot.scheduler().up)
        return absl::UnavailableError(
            "The scheduler does not answer now, so the preview cannot be checked. Nothing was "
            "done; try again when it is back.");
    const std::string changed =
        difference(offer.states, targetStates(action, m_context.snapshot, m_context.jobs));
    if (!changed.empty())
        return absl::FailedPreconditionError(
            fmt::format("The state has changed since the preview: {}. Look again.", changed));
    return absl::OkStatus();
}

void OperationDesk::execute(const domain::Identity& by, const ExecuteRequest& request,
                            Answer answer)
{
    if (request.requestId.empty()) {
        answer(absl::InvalidArgumentError("A request id is required, so that a repeat is known."));
        return;
    }
    const auto found = m_offers.find(request.token);
    if (m_runner.repeats(request.requestId, by.user,
                         found == m_offers.end() ? nullptr : &found->second.preview.action, answer))
        return;
    domain::Operation operation;
    const Status status = check(by, request, operation.action);
    operation.by = by;
    operation.requestId = request.requestId;
    if (found != m_offers.end()) {
        operation.undoes = found->second.preview.undoes;
        if (!status.ok())
            operation.action = found->second.preview.action;
        for (const std::string& target : targetNames(operation.action))
            operation.targets.push_back({.name = target, .before = {}, .observed = {}});
    }
    if (!status.ok()) {
        store::JournalEntry entry{.at = m_context.clock.now()};
        entry.audit.push_back(
            m_runner.auditOf(operation, "refused", std::string(status.message())));
        if (found != m_offers.end())
            m_context.journal.write(std::move(entry), {});
        answer(status);
        return;
    }
    for (size_t i = 0; i < found->second.states.size(); ++i)
        operation.targets[i].before = found->second.states[i].words;
    m_offers.erase(found);
    operation.id = ++m_lastId;
    operation.requestedAt = m_context.clock.now();
    operation.commands = commandsOf(operation.action, operation.id, m_context.scheduler);
    m_runner.start(std::move(operation), std::move(answer));
}

void OperationDesk::recordDenied(const domain::Identity& by, std::string method, std::string detail)
{
    store::JournalEntry entry{.at = m_context.clock.now()};
    store::AuditRecord record;
    record.at = m_context.clock.now();
    record.by = by;
    record.event = "denied";
    record.action = std::move(method);
    record.detail = std::move(detail);
    entry.audit.push_back(std::move(record));
    m_context.journal.write(std::move(entry), {});
}

std::vector<JobAttempt> OperationDesk::attempts(const std::string& displayId) const
{
    std::vector<JobAttempt> attempts;
    for (TrackedJob& job : m_context.jobs.attempts(displayId)) {
        JobAttempt attempt{.job = std::move(job), .operationId = {}};
        const domain::Job& record = attempt.job.job;
        if (record.restarts > 0)
            attempt.operationId = m_runner.requeueOf(record.displayId, record.restarts);
        else if (const uint64_t id = markedOperation(record.comment); id != 0)
            attempt.operationId = id;
        attempts.push_back(std::move(attempt));
    }
    return attempts;
}

void OperationDesk::forgetExpired()
{
    while (!m_offerOrder.empty()) {
        const auto oldest = m_offers.find(m_offerOrder.front());
        const bool keep = oldest != m_offers.end() && m_offerOrder.size() < kMostOffers &&
                          oldest->second.preview.expires >= m_context.clock.now();
        if (keep)
            return;
        if (oldest != m_offers.end())
            m_offers.erase(oldest);
        m_offerOrder.pop_front();
    }
}

}  // namespace yard::control
