#include "backend/control/operation_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backend/base/log.h"
#include "backend/control/preview_builder.h"
#include "backend/control/progress.h"
#include "backend/domain/hostlist.h"

namespace yard::control {
namespace {

using domain::ActionKind;
using domain::Operation;
using domain::OperationState;

constexpr size_t kMostUndoable = 200;

using TargetMark = domain::TargetState;

std::string foldedTargets(const Operation& operation)
{
    std::vector<std::string> names;
    for (const domain::Target& target : operation.targets)
        names.push_back(target.name);
    return isNodeAction(operation.action.kind) ? domain::foldHostlist(names)
                                               : fmt::format("{}", fmt::join(names, ","));
}

void addSentence(std::string& message, std::string_view sentence)
{
    if (!sentence.empty() && message.find(sentence) == std::string::npos)
        message.append(message.empty() ? "" : "\n").append(sentence);
}

void setNewJob(Operation& operation, size_t target, const std::string& job)
{
    if (job.empty())
        return;
    operation.targets[target].newJob = job;
    operation.newJob.clear();
    for (const domain::Target& one : operation.targets)
        if (!one.newJob.empty())
            operation.newJob += (operation.newJob.empty() ? "" : ", ") + one.newJob;
}

}  // namespace

OperationRunner::OperationRunner(Context context, Options options)
    : m_context(std::move(context))
    , m_options(options)
{
}

void OperationRunner::load(std::vector<store::OperationRecord> records)
{
    for (store::OperationRecord& record : records) {
        const Operation& operation = record.operation;
        if (operation.action.kind == ActionKind::Resubmit)
            for (size_t i = 0; i < operation.targets.size(); ++i)
                m_context.jobs.expectRestart("yard:" + markFor(operation, i),
                                             operation.targets[i].name);
        if (!operation.requestId.empty())
            m_byRequest[operation.requestId] = operation.id;
        m_context.snapshot.putOperation(operation);
        Live live{.record = std::move(record), .phase = Phase::Earlier, .answers = {}};
        m_live.emplace(live.record.operation.id, std::move(live));
    }
}

void OperationRunner::start(Operation operation, Answer answer)
{
    Live live{.record = {.operation = std::move(operation), .evidence = {}},
              .answers = {std::move(answer)}};
    const Operation& entered = live.record.operation;
    for (size_t i = 0; i < entered.targets.size(); ++i) {
        live.record.evidence.push_back(evidenceFor(entered.action, entered.targets[i].name,
                                                   m_context.snapshot, m_context.jobs));
        if (entered.action.kind == ActionKind::Resubmit)
            m_context.jobs.expectRestart("yard:" + markFor(entered, i), entered.targets[i].name);
    }
    const uint64_t id = entered.id;
    m_byRequest[entered.requestId] = id;
    store::JournalEntry entry{.at = m_context.clock.now(), .isIntent = true};
    entry.operations.push_back(live.record);
    entry.audit.push_back(auditOf(entered, "requested", ""));
    m_live.emplace(id, std::move(live));
    m_context.journal.write(std::move(entry), [this, door = m_context.door, id](Status status) {
        door->post([this, id, status] { intentWritten(id, status); });
    });
}

void OperationRunner::intentWritten(uint64_t id, const Status& status)
{
    Live& live = m_live.at(id);
    const std::vector<Answer> answers = std::move(live.answers);
    live.answers.clear();
    if (!status.ok()) {
        m_byRequest.erase(live.record.operation.requestId);
        m_live.erase(id);
        for (const Answer& answer : answers)
            answer(status);
        return;
    }
    m_context.snapshot.putOperation(live.record.operation);
    for (const Answer& answer : answers)
        answer(live.record.operation);
    send(live, "");
    m_context.announce();
}

void OperationRunner::send(Live& live, const std::string& detail)
{
    Operation& operation = live.record.operation;
    operation.state = OperationState::Sent;
    operation.sentAt = m_context.clock.now();
    live.phase = Phase::Sending;
    live.doubt = false;
    live.looks = 0;
    ++live.sends;
    supersedeOlder(live);
    // Durable before the call: what was never marked as sent was never sent.
    save(live, {auditOf(operation, "sent", detail)},
         [this, door = m_context.door, id = operation.id](const Status& status) {
             if (status.ok())
                 door->post([this, id] { call(id); });
         });
}

void OperationRunner::call(uint64_t id)
{
    Live& live = m_live.at(id);
    live.phase = Phase::Calling;
    const domain::Action& action = live.record.operation.action;
    std::vector<size_t> open;
    for (size_t i = 0; i < live.record.operation.targets.size(); ++i)
        if (live.record.operation.targets[i].state == TargetMark::Requested &&
            !live.record.evidence[i].accepted)
            open.push_back(i);
    if (isNodeAction(action.kind)) {
        domain::Action part = action;
        part.nodes.clear();
        for (const size_t i : open)
            part.nodes.push_back(live.record.operation.targets[i].name);
        callFor(live, open, std::move(part));
    } else {
        for (const size_t i : open) {
            domain::Action part = action;
            if (action.kind != ActionKind::Submit)
                part.jobs = {live.record.operation.targets[i].name};
            if (effectOn(live.record, i, m_context.snapshot, m_context.jobs).onlyCancelLeft)
                part = {.kind = ActionKind::Cancel,
                        .nodes = {},
                        .jobs = part.jobs,
                        .reason = {},
                        .excludedNodes = {},
                        .submission = {}};
            callFor(live, {i}, std::move(part));
        }
    }
    if (live.callsOpen == 0)
        live.phase = Phase::Answered;
}

void OperationRunner::callFor(Live& live, std::vector<size_t> targets, domain::Action action)
{
    const uint64_t id = live.record.operation.id;
    const std::string mark = markFor(live.record.operation, targets.empty() ? 0 : targets[0]);
    const bool queued = m_context.poller.execute(
        std::move(action), mark, [this, id, targets](const StatusOr<scheduler::Receipt>& receipt) {
            answered(id, targets, receipt);
        });
    if (queued)
        ++live.callsOpen;
    else
        live.doubt = true;
}

void OperationRunner::answered(uint64_t id, const std::vector<size_t>& targets,
                               const StatusOr<scheduler::Receipt>& receipt)
{
    Live& live = m_live.at(id);
    Operation& operation = live.record.operation;
    if (--live.callsOpen == 0)
        live.phase = Phase::Answered;
    const std::string words =
        receipt.ok() ? receipt->message : std::string(receipt.status().message());
    addSentence(operation.message, words);
    const bool unanswered = absl::IsDeadlineExceeded(receipt.status());
    for (const size_t i : targets) {
        live.record.evidence[i].accepted = receipt.ok();
        if (receipt.ok())
            setNewJob(operation, i, receipt->newJob);
        if (!receipt.ok() && !unanswered)
            operation.targets[i].state = TargetMark::Refused;
    }
    if (unanswered) {
        live.doubt = true;
        live.doubtSince = m_context.clock.now();
        live.looks = 0;
        operation.state = OperationState::InDoubt;
        save(live, {auditOf(operation, "in doubt", words)});
    } else {
        save(live, {});
    }
    conclude(live);
    m_context.snapshot.putOperation(operation);
    m_context.announce();
}

void OperationRunner::observe()
{
    for (auto& [id, live] : m_live)
        if (isOpen(live.record.operation.state))
            observeOne(live);
    refreshUndo();
    refreshProgress();
    forgetOld();
}

void OperationRunner::observeOne(Live& live)
{
    if (live.phase != Phase::Answered && live.phase != Phase::Earlier)
        return;
    Operation& operation = live.record.operation;
    bool changed = false;
    ++live.looks;
    for (size_t i = 0; i < operation.targets.size(); ++i)
        if (operation.sentAt && operation.targets[i].state == TargetMark::Requested)
            changed = take(live, i, effectOn(live.record, i, m_context.snapshot, m_context.jobs)) ||
                      changed;
    const bool wasOpen = isOpen(operation.state);
    conclude(live);
    if (isOpen(operation.state)) {
        if (changed)
            save(live, {});
        if (live.phase == Phase::Earlier)
            reconcile(live);
        else if (live.doubt)
            reconcileDoubt(live);
        else
            noteOverdue(live);
    }
    if (changed || wasOpen)
        m_context.snapshot.putOperation(operation);
}

bool OperationRunner::take(Live& live, size_t target, const Effect& effect)
{
    domain::Target& shown = live.record.operation.targets[target];
    store::Evidence& evidence = live.record.evidence[target];
    shown.observed = effect.words;
    setNewJob(live.record.operation, target, effect.newJob);
    const bool missed = !effect.done && !effect.missed.empty();
    const bool news = effect.done || missed || effect.sawReboot != evidence.sawReboot;
    evidence.sawReboot = effect.sawReboot;
    if (effect.done) {
        shown.state = TargetMark::Observed;
    } else if (missed) {
        shown.state = TargetMark::Refused;
        addSentence(live.record.operation.message,
                    fmt::format("{} {}.", shown.name, effect.missed));
    }
    return news;
}

void OperationRunner::reconcile(Live& live)
{
    const Operation& operation = live.record.operation;
    bool allAccepted = true;
    for (size_t i = 0; i < operation.targets.size(); ++i)
        if (operation.targets[i].state == TargetMark::Requested)
            allAccepted = allAccepted && live.record.evidence[i].accepted;
    if (operation.sentAt && allAccepted) {
        live.phase = Phase::Answered;
        return;
    }
    if (operation.sentAt && !hasSettled(live))
        return;
    // Who has been away for long cannot tell "not done" from "done, and undone since".
    if (operation.sentAt &&
        m_context.clock.now() - *operation.sentAt > 2 * m_options.observeWithin) {
        refuseOpenTargets(live,
                          "The daemon was away when the scheduler should have answered. "
                          "Whether this was carried out is not known: look, then ask again.");
        return;
    }
    refuseGoneTargets(live);
    conclude(live);
    if (isOpen(operation.state))
        send(live, operation.sentAt ? "again after a restart: the scheduler does not show it"
                                    : "after a restart");
}

// A call without an answer may land late, and a view may have been made just before it did.
bool OperationRunner::hasSettled(const Live& live) const
{
    const Time since = live.doubtSince.value_or(*live.record.operation.sentAt);
    return live.looks >= 2 && m_context.clock.now() - since >= m_options.settle;
}

void OperationRunner::refuseGoneTargets(Live& live)
{
    Operation& operation = live.record.operation;
    for (size_t i = 0; i < operation.targets.size(); ++i) {
        const Effect effect = effectOn(live.record, i, m_context.snapshot, m_context.jobs);
        if (!effect.gone || operation.targets[i].state != TargetMark::Requested)
            continue;
        operation.targets[i].state = TargetMark::Refused;
        operation.targets[i].observed = effect.words;
        addSentence(operation.message,
                    fmt::format("{} is not there any more, or is another one now.",
                                operation.targets[i].name));
    }
}

void OperationRunner::reconcileDoubt(Live& live)
{
    if (hasSettled(live))
        refuseOpenTargets(live,
                          "The scheduler gave no answer, and does not show it now: it was "
                          "not carried out. Ask again if it is still wanted.");
}

void OperationRunner::refuseOpenTargets(Live& live, const std::string& message)
{
    for (size_t i = 0; i < live.record.operation.targets.size(); ++i)
        if (live.record.operation.targets[i].state == TargetMark::Requested &&
            !live.record.evidence[i].accepted)
            live.record.operation.targets[i].state = TargetMark::Refused;
    addSentence(live.record.operation.message, message);
    live.doubt = false;
    conclude(live);
}

void OperationRunner::noteOverdue(Live& live)
{
    Operation& operation = live.record.operation;
    if (operation.state == OperationState::InDoubt || !operation.sentAt ||
        m_context.clock.now() - *operation.sentAt < m_options.observeWithin)
        return;
    refuseGoneTargets(live);
    conclude(live);
    if (!isOpen(operation.state))
        return;
    operation.state = OperationState::InDoubt;
    operation.message += fmt::format(
        "{}The scheduler accepted this but has not shown it for {} seconds. It is still watched.",
        operation.message.empty() ? "" : "\n", m_options.observeWithin.count());
    save(live, {auditOf(operation, "in doubt", operation.message)});
}

void OperationRunner::conclude(Live& live)
{
    bool allObserved = true;
    for (const domain::Target& target : live.record.operation.targets) {
        if (target.state == TargetMark::Requested)
            return;
        allObserved = allObserved && target.state == TargetMark::Observed;
    }
    if (!isOpen(live.record.operation.state) || live.callsOpen > 0)
        return;
    if (allObserved)
        finish(live, OperationState::Observed, "observed");
    else
        finish(live, OperationState::Refused, "refused");
}

void OperationRunner::finish(Live& live, OperationState state, const std::string& event)
{
    Operation& operation = live.record.operation;
    operation.state = state;
    operation.finishedAt = m_context.clock.now();
    live.doubt = false;
    live.phase = Phase::Answered;
    std::string detail = operation.message;
    if (operation.targets.size() == 1)
        detail += fmt::format("{}{} → {}", detail.empty() ? "" : "\n", operation.targets[0].before,
                              operation.targets[0].observed);
    save(live, {auditOf(operation, event, std::move(detail))});
    m_context.snapshot.putOperation(operation);
}

// An open operation whose remaining targets all get a newer one will never be observed.
void OperationRunner::supersedeOlder(const Live& newer)
{
    const Operation& operation = newer.record.operation;
    std::set<std::string> targets;
    for (const domain::Target& target : operation.targets)
        targets.insert(target.name);
    for (auto& [id, live] : m_live) {
        Operation& older = live.record.operation;
        if (id >= operation.id || !isOpen(older.state) || live.phase != Phase::Answered ||
            older.action.kind == ActionKind::Submit || older.action.kind == ActionKind::Resubmit ||
            isNodeAction(older.action.kind) != isNodeAction(operation.action.kind))
            continue;
        const bool covered = std::all_of(
            older.targets.begin(), older.targets.end(), [&](const domain::Target& target) {
                return target.state != TargetMark::Requested || targets.contains(target.name);
            });
        if (!covered)
            continue;
        older.message = fmt::format("Operation {} took its place.", operation.id);
        finish(live, OperationState::Superseded, "superseded");
    }
}

void OperationRunner::refreshUndo()
{
    size_t looked = 0;
    for (auto it = m_live.rbegin(); it != m_live.rend(); ++it) {
        Operation& operation = it->second.record.operation;
        if (operation.state != OperationState::Observed || !hasUndo(operation.action.kind))
            continue;
        bool undoable = ++looked <= kMostUndoable;
        for (size_t i = 0; undoable && i < operation.targets.size(); ++i)
            undoable = effectOn(it->second.record, i, m_context.snapshot, m_context.jobs).undoable;
        if (operation.undoable == undoable)
            continue;
        operation.undoable = undoable;
        m_context.snapshot.putOperation(operation);
    }
}

void OperationRunner::refreshProgress()
{
    for (auto& [id, live] : m_live) {
        Operation& operation = live.record.operation;
        if (operation.state != OperationState::Observed || live.atEnd)
            continue;
        std::string progress = progressOf(live.record, m_context.snapshot);
        live.atEnd = progress.empty();
        if (operation.progress == progress)
            continue;
        operation.progress = std::move(progress);
        m_context.snapshot.putOperation(operation);
    }
}

void OperationRunner::forgetOld()
{
    const Time now = m_context.clock.now();
    for (auto it = m_live.begin(); it != m_live.end();) {
        const Operation& operation = it->second.record.operation;
        if (isOpen(operation.state) || now - operation.requestedAt < std::chrono::hours(24)) {
            ++it;
            continue;
        }
        m_context.snapshot.forgetOperation(operation.id);
        m_byRequest.erase(operation.requestId);
        it = m_live.erase(it);
    }
}

void OperationRunner::save(const Live& live, std::vector<store::AuditRecord> audit,
                           std::function<void(Status)> done)
{
    store::JournalEntry entry{.at = m_context.clock.now()};
    entry.operations.push_back(live.record);
    entry.audit = std::move(audit);
    m_context.journal.write(std::move(entry), std::move(done));
}

bool OperationRunner::hasOpen() const
{
    return std::any_of(m_live.begin(), m_live.end(), [](const auto& entry) {
        return domain::isOpen(entry.second.record.operation.state);
    });
}

const store::OperationRecord* OperationRunner::find(uint64_t id) const
{
    const auto found = m_live.find(id);
    return found == m_live.end() || found->second.phase == Phase::Writing ? nullptr
                                                                          : &found->second.record;
}

bool OperationRunner::repeats(const std::string& requestId, const std::string& user,
                              const domain::Action* asked, const Answer& answer)
{
    const auto found = m_byRequest.find(requestId);
    if (found == m_byRequest.end())
        return false;
    Live& live = m_live.at(found->second);
    if (live.record.operation.by.user != user)
        answer(absl::AlreadyExistsError(
            "This request id belongs to somebody else's operation. Choose another."));
    else if (const domain::Action& known = live.record.operation.action;
             asked && (asked->kind != known.kind || asked->nodes != known.nodes ||
                       asked->jobs != known.jobs))
        answer(absl::AlreadyExistsError(
            fmt::format("The request id {} is that of operation {}, another action. Nothing was "
                        "done. Choose another id.",
                        requestId, live.record.operation.id)));
    else if (live.phase == Phase::Writing)
        live.answers.push_back(answer);
    else
        answer(live.record.operation);
    return true;
}

std::optional<uint64_t> OperationRunner::requeueOf(const std::string& displayId, int restarts) const
{
    for (const auto& [id, live] : m_live) {
        const ActionKind kind = live.record.operation.action.kind;
        if (kind != ActionKind::Requeue && kind != ActionKind::RequeueHold)
            continue;
        for (const store::Evidence& evidence : live.record.evidence)
            if (evidence.target == displayId && evidence.restarts == restarts - 1)
                return id;
    }
    return std::nullopt;
}

store::AuditRecord OperationRunner::auditOf(const Operation& operation, std::string event,
                                            std::string detail) const
{
    return {.at = m_context.clock.now(),
            .by = operation.by,
            .event = std::move(event),
            .operationId = operation.id,
            .action = std::string(name(operation.action.kind)),
            .targets = foldedTargets(operation),
            .reason = operation.action.reason,
            .command = fmt::format("{}", fmt::join(operation.commands, "\n")),
            .detail = std::move(detail),
            .previousHash = {},
            .hash = {}};
}

}  // namespace yard::control
