#include "backend/control/operation_service.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "tests/support/desk_harness.h"

using namespace yard;
using domain::ActionKind;
using domain::OperationState;
using testing::DeskHarness;
using Trouble = testing::SmallScheduler::Trouble;

namespace {

constexpr int kPatienceMs = 20'000;

domain::Action onNodes(ActionKind kind, std::vector<std::string> nodes, std::string reason = {})
{
    domain::Action action;
    action.kind = kind;
    action.nodes = std::move(nodes);
    action.reason = std::move(reason);
    return action;
}

domain::Action onJobs(ActionKind kind, std::vector<std::string> jobs)
{
    domain::Action action;
    action.kind = kind;
    action.jobs = std::move(jobs);
    return action;
}

bool mentions(const std::vector<std::string>& sentences, std::string_view words)
{
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string& sentence) {
        return sentence.find(words) != std::string::npos;
    });
}

bool mentions(const Status& status, std::string_view words)
{
    return std::string(status.message()).find(words) != std::string::npos;
}

}  // namespace

class OperationServiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void everyActionIsPreviewedSentAndObserved_data();
    void everyActionIsPreviewedSentAndObserved();
    void previewListsTheDamage();
    void refusalKeepsTheSchedulersWordsAndChangesNothing();
    void unreachableSchedulerIsARefusal();
    void timeoutThatWasCarriedOutIsObservedAfterReadingBack();
    void timeoutThatWasNotCarriedOutSaysSo();
    void executeNamesWhatHasChangedSinceThePreview();
    void repeatedRequestIsTheSameOperation();
    void reasonAndCountAreRequiredByTheServer();
    void previewBelongsToItsMakerAndIsUsedOnce();
    void foreignDrainIsResumedOnlyWhenNamedByItself();
    void drainLeavesTheReasonOfOthersAlone();
    void undoIsOfferedWhileTheStateIsAsWeLeftIt();
    void aSecondDrainSaysWhatItCannotTakeBack();
    void restartsAreLinkedAsAttempts();
    void severalResubmissionsAreAllShownAndKept();
    void lackingRightIsTheFirstWarning();
    void deniedCallIsInTheAuditChain();
    void acceptedOperationIsNotSentAgainAfterARestart();
    void unknownTargetsAreNamed();

private:
    domain::Operation run(domain::Action action, uint32_t typed = 0);
    domain::Operation wait(uint64_t id);
    int calls(const std::string& prefix) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DeskHarness> m_harness;
    int m_request = 0;
};

void OperationServiceTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_harness = std::make_unique<DeskHarness>(m_folder->path().toStdString());
    m_harness->open();
    QTRY_VERIFY_WITH_TIMEOUT(!m_harness->snapshot()->nodes.empty(), kPatienceMs);
}

void OperationServiceTest::cleanup()
{
    m_harness.reset();
    m_folder.reset();
}

domain::Operation OperationServiceTest::wait(uint64_t id)
{
    domain::Operation operation;
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(!isOpen((operation = m_harness->operation(id)).state),
                                 kPatienceMs);
    }();
    return operation;
}

domain::Operation OperationServiceTest::run(domain::Action action, uint32_t typed)
{
    const auto preview = m_harness->preview(std::move(action));
    if (!preview.ok())
        qFatal("preview: %s", std::string(preview.status().message()).c_str());
    const auto operation = m_harness->execute({.token = preview->token,
                                               .requestId = "r" + std::to_string(++m_request),
                                               .reason = {},
                                               .typedCount = typed});
    if (!operation.ok())
        qFatal("execute: %s", std::string(operation.status().message()).c_str());
    return wait(operation->id);
}

int OperationServiceTest::calls(const std::string& prefix) const
{
    const auto log = m_harness->scheduler.log();
    return int(std::count_if(log.begin(), log.end(),
                             [&](const auto& line) { return line.starts_with(prefix); }));
}

void OperationServiceTest::everyActionIsPreviewedSentAndObserved_data()
{
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= int(ActionKind::Submit); ++kind)
        QTest::newRow(std::string(domain::name(ActionKind(kind))).c_str()) << kind;
}

void OperationServiceTest::everyActionIsPreviewedSentAndObserved()
{
    QFETCH(int, kind);
    const auto action = ActionKind(kind);
    domain::Action wanted = onJobs(action, {"101"});
    if (isNodeAction(action))
        wanted = onNodes(action, {"n1"}, "bad link");
    if (action == ActionKind::Submit) {
        wanted.jobs.clear();
        wanted.submission = domain::Submission{
            .script = "#!/bin/sh\n", .options = {}, .user = {}, .workDirectory = {}};
    }
    if (action == ActionKind::Resume)
        run(onNodes(ActionKind::Drain, {"n1"}, "first"));
    if (action == ActionKind::Hold || action == ActionKind::Release)
        run(onJobs(ActionKind::RequeueHold, {"101"}));
    if (action == ActionKind::Hold) {
        m_harness->scheduler.changeJob("101", [](domain::Job& job) { job.reason = "Dependency"; });
        run(onJobs(ActionKind::Release, {"101"}));
    }

    const domain::Operation operation = run(wanted);

    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Observed));
    QVERIFY(operation.sentAt && operation.finishedAt);
    QVERIFY(!operation.commands.empty());
    QCOMPARE(calls(std::string(domain::name(action)) + " " + std::to_string(operation.id) + " "),
             1);
    // The chain's writer is a thread of its own and may be a moment behind.
    const auto events = [&] {
        std::vector<std::string> found;
        const auto page = m_harness->audit();
        if (page.ok() && page->chainOk)
            for (const store::AuditRecord& record : page->records)
                if (record.operationId == operation.id)
                    found.push_back(record.event);
        return found;
    };
    QTRY_COMPARE(events(), (std::vector<std::string>{"requested", "sent", "observed"}));
    if (action == ActionKind::Resubmit || action == ActionKind::Submit)
        QVERIFY(!operation.newJob.empty());
}

void OperationServiceTest::previewListsTheDamage()
{
    m_harness->scheduler.changeJob("102", [](domain::Job& job) {
        job.timeLimit = {.unlimited = true, .seconds = {}};
        job.user = "bob";
    });
    m_harness->scheduler.changeNode(
        "n9", [](domain::Node& node) { node.state = domain::NodeState::Idle; });
    QTRY_VERIFY(m_harness->preview(onNodes(ActionKind::Drain, {"n1"}))->freeReplacements == 1);
    const auto drain = m_harness->preview(onNodes(ActionKind::Drain, {}), "n[1-2]");
    QVERIFY(drain.ok());
    QCOMPARE(drain->targets, std::string("n[1-2]"));
    QCOMPARE(drain->jobs.size(), size_t(2));
    QCOMPARE(drain->users, 2);
    QCOMPARE(drain->gpus, 16);
    QCOMPARE(drain->jobsKilled, 0);
    QVERIFY(!drain->emptyBy);
    QVERIFY(mentions(drain->warnings, "no time limit"));
    QVERIFY(drain->reasonRequired);

    const auto down = m_harness->preview(onNodes(ActionKind::Down, {"n1"}, "x"));
    QCOMPARE(down->jobsKilled, 1);
    QVERIFY(down->gpuHoursAtRisk > 0);
    const auto requeue = m_harness->preview(onJobs(ActionKind::Requeue, {"101"}));
    QVERIFY(mentions(requeue->warnings, "120 seconds"));
    QVERIFY(requeue->jobs.front().endsBy.has_value());
    QVERIFY(mentions(requeue->warnings, "cannot be undone"));
}

void OperationServiceTest::refusalKeepsTheSchedulersWordsAndChangesNothing()
{
    m_harness->scheduler.setTrouble(Trouble::Denied);
    const domain::Operation operation = run(onNodes(ActionKind::Drain, {"n1"}, "x"));
    QCOMPARE(operation.state, OperationState::Refused);
    QCOMPARE(operation.message, std::string("slurm_update error: Invalid user id"));
    QVERIFY(m_harness->scheduler.log().empty());
    QVERIFY(!operation.undoable);
}

void OperationServiceTest::unreachableSchedulerIsARefusal()
{
    m_harness->scheduler.setTrouble(Trouble::Unreachable);
    const domain::Operation operation = run(onJobs(ActionKind::Cancel, {"101"}));
    QCOMPARE(operation.state, OperationState::Refused);
    QVERIFY(m_harness->scheduler.log().empty());
}

void OperationServiceTest::timeoutThatWasCarriedOutIsObservedAfterReadingBack()
{
    m_harness->scheduler.setTrouble(Trouble::TimesOutDone);
    const domain::Operation operation = run(onJobs(ActionKind::Requeue, {"101"}));
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Observed));
    QCOMPARE(calls("requeue "), 1);
    const auto page = m_harness->audit();
    QVERIFY(std::any_of(page->records.begin(), page->records.end(),
                        [](const auto& record) { return record.event == "in doubt"; }));
}

void OperationServiceTest::timeoutThatWasNotCarriedOutSaysSo()
{
    m_harness->scheduler.setTrouble(Trouble::TimesOutUndone);
    const domain::Operation operation = run(onJobs(ActionKind::Requeue, {"101"}));
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Refused));
    QVERIFY(operation.message.find("not carried out") != std::string::npos);
    QCOMPARE(calls("requeue "), 0);
}

void OperationServiceTest::executeNamesWhatHasChangedSinceThePreview()
{
    const auto preview = m_harness->preview(onNodes(ActionKind::Drain, {"n3", "n4"}, "x"));
    m_harness->scheduler.changeNode("n4", [](domain::Node& node) {
        node.flags = {"DRAIN"};
        node.reason = "dimm";
    });
    QTRY_VERIFY(m_harness->snapshot()->nodes[3].hasFlag("DRAIN"));
    const auto result = m_harness->execute(
        {.token = preview->token, .requestId = "a", .reason = {}, .typedCount = 0});
    QVERIFY(absl::IsFailedPrecondition(result.status()));
    QVERIFY(mentions(result.status(), "n4 was in service and is now drained (dimm)"));
    QVERIFY(m_harness->scheduler.log().empty());
}

void OperationServiceTest::repeatedRequestIsTheSameOperation()
{
    const auto preview = m_harness->preview(onNodes(ActionKind::Drain, {"n1"}, "x"));
    const control::ExecuteRequest request{
        .token = preview->token, .requestId = "same", .reason = {}, .typedCount = 0};
    const auto first = m_harness->execute(request);
    const auto second = m_harness->execute(request);
    QVERIFY(first.ok() && second.ok());
    QCOMPARE(first->id, second->id);
    QCOMPARE(wait(first->id).state, OperationState::Observed);
    m_harness->close();
    m_harness->open();
    QCOMPARE(m_harness->execute(request)->id, first->id);
    QCOMPARE(calls("drain "), 1);
    QVERIFY(absl::IsAlreadyExists(m_harness->execute(request, "other").status()));
}

void OperationServiceTest::reasonAndCountAreRequiredByTheServer()
{
    const auto one = m_harness->preview(onNodes(ActionKind::Down, {"n1"}));
    const auto blank = m_harness->execute(
        {.token = one->token, .requestId = "a", .reason = " \n", .typedCount = 0});
    QVERIFY(absl::IsInvalidArgument(blank.status()));
    const auto many = m_harness->preview(onNodes(ActionKind::Drain, {}, "x"), "n[1-9]");
    QCOMPARE(many->typedCountRequired, 9u);
    control::ExecuteRequest request{
        .token = many->token, .requestId = "b", .reason = {}, .typedCount = 8};
    QVERIFY(absl::IsInvalidArgument(m_harness->execute(request).status()));
    QVERIFY(m_harness->scheduler.log().empty());
    request.typedCount = 9;
    const auto operation = m_harness->execute(request);
    QVERIFY(operation.ok());
    QCOMPARE(wait(operation->id).state, OperationState::Observed);
    QCOMPARE(calls("drain "), 9);
}

void OperationServiceTest::previewBelongsToItsMakerAndIsUsedOnce()
{
    const auto preview = m_harness->preview(onNodes(ActionKind::Drain, {"n1"}, "x"));
    control::ExecuteRequest request{
        .token = preview->token, .requestId = "a", .reason = {}, .typedCount = 0};
    QVERIFY(absl::IsPermissionDenied(m_harness->execute(request, "eve").status()));
    QVERIFY(m_harness->execute(request).ok());
    request.requestId = "b";
    QVERIFY(absl::IsFailedPrecondition(m_harness->execute(request).status()));
    const auto old = m_harness->preview(onNodes(ActionKind::Drain, {"n2"}, "x"));
    m_harness->clock.advance(std::chrono::minutes(11));
    const auto late =
        m_harness->execute({.token = old->token, .requestId = "c", .reason = {}, .typedCount = 0});
    QVERIFY(mentions(late.status(), "too old"));
}

void OperationServiceTest::foreignDrainIsResumedOnlyWhenNamedByItself()
{
    m_harness->scheduler.changeNode("n2", [](domain::Node& node) {
        node.flags = {"DRAIN"};
        node.reason = "bad dimm";
        node.reasonUser = "root";
    });
    run(onNodes(ActionKind::Drain, {"n1"}, "x"));
    QTRY_VERIFY(m_harness->snapshot()->nodes[1].hasFlag("DRAIN"));

    const auto range = m_harness->preview(onNodes(ActionKind::Resume, {}), "n[1-3]");
    QCOMPARE(range->action.nodes, (std::vector<std::string>{"n1"}));
    QVERIFY(mentions(range->warnings, "n2 was taken out by root"));
    QVERIFY(mentions(range->warnings, "bad dimm"));
    QVERIFY(mentions(range->warnings, "n3: in service"));

    const auto bulk = m_harness->preview(onNodes(ActionKind::Resume, {"n1", "n2"}));
    QCOMPARE(bulk->action.nodes, (std::vector<std::string>{"n1"}));
    const auto named = m_harness->preview(onNodes(ActionKind::Resume, {}), "n1,n2");
    QCOMPARE(named->action.nodes, (std::vector<std::string>{"n1", "n2"}));
    QVERIFY(mentions(named->warnings, "because you named it by itself"));
    const auto only = m_harness->preview(onNodes(ActionKind::Resume, {}), "n[2-3]");
    QVERIFY(!only->refusal.empty());
    const auto refused =
        m_harness->execute({.token = only->token, .requestId = "a", .reason = {}, .typedCount = 0});
    QVERIFY(absl::IsFailedPrecondition(refused.status()));
}

void OperationServiceTest::drainLeavesTheReasonOfOthersAlone()
{
    m_harness->scheduler.changeNode("n2", [](domain::Node& node) {
        node.flags = {"DRAIN"};
        node.reason = "bad dimm";
    });
    QTRY_VERIFY(m_harness->snapshot()->nodes[1].hasFlag("DRAIN"));
    const auto range = m_harness->preview(onNodes(ActionKind::Drain, {}, "x"), "n[1-2]");
    QCOMPARE(range->action.nodes, (std::vector<std::string>{"n1"}));
    const domain::Operation named = run(onNodes(ActionKind::Drain, {"n2"}, "mine"));
    QCOMPARE(named.state, OperationState::Observed);
    QVERIFY(!named.undoable);
}

void OperationServiceTest::undoIsOfferedWhileTheStateIsAsWeLeftIt()
{
    const domain::Operation drain = run(onNodes(ActionKind::Drain, {"n1", "n2"}, "x"));
    QTRY_VERIFY(m_harness->operation(drain.id).undoable);
    const auto undo = m_harness->previewUndo(drain.id);
    QVERIFY(undo.ok());
    QCOMPARE(undo->action.kind, ActionKind::Resume);
    QCOMPARE(*undo->undoes, drain.id);
    const auto resumed =
        m_harness->execute({.token = undo->token, .requestId = "u", .reason = {}, .typedCount = 0});
    QVERIFY(resumed.ok());
    QCOMPARE(*wait(resumed->id).undoes, drain.id);
    QTRY_VERIFY(!m_harness->operation(drain.id).undoable);
    QVERIFY(absl::IsFailedPrecondition(m_harness->previewUndo(drain.id).status()));

    QTRY_VERIFY(m_harness->operation(resumed->id).undoable);
    const auto back = m_harness->previewUndo(resumed->id);
    QCOMPARE(back->action.kind, ActionKind::Drain);
    QCOMPARE(back->action.reason, std::string("x"));
}

void OperationServiceTest::aSecondDrainSaysWhatItCannotTakeBack()
{
    run(onNodes(ActionKind::Drain, {"n1"}, "bad link"));
    const auto same = m_harness->preview(onNodes(ActionKind::Drain, {"n1"}, "bad link"));
    QVERIFY2(same->refusal.find("n1: already drained from this desk for this reason, nothing "
                                "would change") == 0,
             same->refusal.c_str());
    const auto other = m_harness->preview(onNodes(ActionKind::Drain, {"n1", "n2"}, "bad fan"));
    QVERIFY(other->refusal.empty());
    QVERIFY(mentions(other->warnings,
                     "n1: already drained from this desk, so that nothing but "
                     "the reason would change. An undo would not give it back"));
    const domain::Operation second = run(onNodes(ActionKind::Drain, {"n1"}, "bad fan"));
    QCOMPARE(second.state, OperationState::Observed);
    QVERIFY(mentions(m_harness->previewUndo(second.id).status(),
                     "n1 was out of service before it already"));
    const domain::Operation requeue = run(onJobs(ActionKind::Requeue, {"103"}));
    QVERIFY(mentions(m_harness->previewUndo(requeue.id).status(), "a requeue has no reverse"));
}

void OperationServiceTest::restartsAreLinkedAsAttempts()
{
    const domain::Operation requeue = run(onJobs(ActionKind::Requeue, {"101"}));
    QTRY_COMPARE(m_harness->attempts("101")->size(), size_t(2));
    QCOMPARE(*m_harness->attempts("101")->at(1).operationId, requeue.id);
    QTRY_VERIFY(m_harness->preview(onJobs(ActionKind::Resubmit, {"101"}))->jobsKilled == 1);
    const domain::Operation resubmit = run(onJobs(ActionKind::Resubmit, {"101"}));
    const auto attempts = m_harness->attempts(resubmit.newJob);
    QCOMPARE(attempts->size(), size_t(3));
    QCOMPARE(attempts->at(1).job.nextJob, resubmit.newJob);
    QCOMPARE(attempts->at(2).job.previousJob, std::string("101"));
    QCOMPARE(*attempts->at(2).operationId, resubmit.id);
    QVERIFY(absl::IsNotFound(m_harness->attempts("999").status()));
}

void OperationServiceTest::severalResubmissionsAreAllShownAndKept()
{
    const auto preview = m_harness->preview(onJobs(ActionKind::Resubmit, {"101", "102"}));
    QVERIFY(preview.ok());
    QCOMPARE(preview->commands.size(), size_t(2));
    QVERIFY(mentions(preview->commands, "101 'yard:1.1 '"));
    QVERIFY(mentions(preview->commands, "102 'yard:1.2 '"));
    const auto asked = m_harness->execute(
        {.token = preview->token, .requestId = "two", .reason = {}, .typedCount = 0});
    QVERIFY(asked.ok());
    QCOMPARE(asked->commands, preview->commands);
    const domain::Operation operation = wait(asked->id);
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Observed));
    QCOMPARE(operation.targets.size(), size_t(2));
    const std::string first = operation.targets[0].newJob;
    const std::string second = operation.targets[1].newJob;
    QVERIFY(!first.empty() && !second.empty() && first != second);
    QCOMPARE(operation.newJob, first + ", " + second);
    QCOMPARE(m_harness->attempts(first)->at(1).job.previousJob, std::string("101"));
    QCOMPARE(m_harness->attempts(second)->at(1).job.previousJob, std::string("102"));
    m_harness->close();
    m_harness->open();
    QTRY_COMPARE(m_harness->operation(operation.id).newJob, operation.newJob);
    QCOMPARE(m_harness->operation(operation.id).targets[1].newJob, second);
}

void OperationServiceTest::lackingRightIsTheFirstWarning()
{
    m_harness->close();
    m_harness->scheduler.setRights(
        {{.action = "drain", .allowed = false, .detail = "not an administrator"}});
    m_harness->open();
    QTRY_VERIFY(m_harness->snapshot()->rights.size() == 1);
    const auto preview = m_harness->preview(onNodes(ActionKind::Drain, {"n1"}));
    QVERIFY(preview->warnings.front().find("not an administrator") != std::string::npos);
}

void OperationServiceTest::deniedCallIsInTheAuditChain()
{
    m_harness->desk->operations().recordDenied(DeskHarness::who("eve"), "Execute", "viewer");
    QTRY_VERIFY(!m_harness->audit()->records.empty());
    const auto page = m_harness->audit();
    QCOMPARE(page->records[0].event, std::string("denied"));
    QCOMPARE(page->records[0].by.user, std::string("eve"));
    QVERIFY(page->chainOk);
}

void OperationServiceTest::acceptedOperationIsNotSentAgainAfterARestart()
{
    // The scheduler says yes to a hold but never shows it.
    const auto preview = m_harness->preview(onJobs(ActionKind::RequeueHold, {"101"}));
    const auto operation = m_harness->execute(
        {.token = preview->token, .requestId = "a", .reason = {}, .typedCount = 0});
    QVERIFY(operation.ok());
    QCOMPARE(wait(operation->id).state, OperationState::Observed);
    m_harness->close();
    m_harness->open();
    QTRY_VERIFY(!m_harness->snapshot()->nodes.empty());
    QCOMPARE(calls("requeue-hold "), 1);
}

void OperationServiceTest::unknownTargetsAreNamed()
{
    QVERIFY(
        mentions(m_harness->preview(onNodes(ActionKind::Drain, {}), "n[1,77]").status(), "n77"));
    QVERIFY(mentions(m_harness->preview(onJobs(ActionKind::Cancel, {"999"})).status(), "999"));
    QVERIFY(absl::IsInvalidArgument(m_harness->preview(onNodes(ActionKind::Drain, {})).status()));
}

QTEST_GUILESS_MAIN(OperationServiceTest)
#include "operation_service_test.moc"
