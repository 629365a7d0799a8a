#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "backend/domain/array_tasks.h"
#include "tests/support/desk_harness.h"

using namespace yard;
using domain::ActionKind;
using domain::JobState;
using domain::OperationState;
using testing::DeskHarness;
using Trouble = testing::SmallScheduler::Trouble;

namespace {

constexpr int kPatienceMs = 20'000;

domain::Job arrayRecord(uint64_t id, std::optional<uint32_t> task, std::string pending)
{
    domain::Job job;
    job.id = id;
    job.displayId = task ? "201_" + std::to_string(*task) : "201_[" + pending + "]";
    job.array = domain::ArrayPlace{
        .job = 201, .task = task, .pending = pending, .pendingCount = domain::countTasks(pending)};
    job.name = "sweep";
    job.user = "ada";
    job.partition = "batch";
    job.state = task ? JobState::Running : JobState::Pending;
    job.reason = task ? "" : "Dependency";
    job.submitTime = Time(std::chrono::seconds(1'790'000'900));
    if (task)
        job.startTime = Time(std::chrono::seconds(1'790'001'000));
    job.nodes = task ? std::vector<std::string>{"n1"} : std::vector<std::string>{};
    return job;
}

bool contains(const std::string& text, std::string_view words)
{
    return text.find(words) != std::string::npos;
}

bool mentions(const std::vector<std::string>& sentences, std::string_view words)
{
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& sentence) { return contains(sentence, words); });
}

}  // namespace

/// Which jobs an action takes of those that are named, and what is told of those it missed.
class JobTargetsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void holdOfAnArrayLeavesRunningTasksOut();
    void heldTasksLeaveNoRowBehind();
    void oneWaitingTaskOfManyCanBeHeld();
    void aTaskThatStartsMeanwhileEndsTheHold();
    void requeueOfAnArrayLeavesWaitingTasksOut();
    void cancelOfAnArrayTakesAllThatHasNotEnded();
    void nothingToHoldIsRefused();
    void whatIsHeldAlreadyIsNotHeldAgain();
    void aUsersOwnHoldMayBecomeTheAdministrators();
    void aRequeueForeseesThatTheJobHasEnded();
    void aJobThatIsNoLongerReportedIsNotRequeued();
    void cancelOfAnEndedJobIsRefusedWithItsEnd();
    void aJobThatEndedByItselfWasNotCancelled();
    void aRequeuedJobIsTheSameUnderItsNextStamp();
    void anotherJobUnderTheSameIdIsNotTaken();
    void aNodeAskedForByNameCannotBeKeptOut();
    void someNodeMustBeLeftForTheJob();

private:
    control::Preview preview(ActionKind kind, const std::string& job);
    domain::Operation run(const control::Preview& preview);
    domain::Operation settled(uint64_t id);
    QStringList shownNames();

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<DeskHarness> m_harness;
    int m_request = 0;
};

void JobTargetsTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_harness = std::make_unique<DeskHarness>(m_folder->path().toStdString());
    m_harness->scheduler.addJob(arrayRecord(202, 0, ""));
    m_harness->scheduler.addJob(arrayRecord(201, std::nullopt, "1-3"));
    m_harness->open();
    QTRY_VERIFY(m_harness->snapshot()->jobs.size() == 14);
}

void JobTargetsTest::cleanup()
{
    m_harness.reset();
    m_folder.reset();
}

control::Preview JobTargetsTest::preview(ActionKind kind, const std::string& job)
{
    domain::Action action;
    action.kind = kind;
    action.jobs = {job};
    const auto preview = m_harness->preview(std::move(action));
    if (!preview.ok())
        qFatal("preview: %s", std::string(preview.status().message()).c_str());
    return *preview;
}

domain::Operation JobTargetsTest::run(const control::Preview& preview)
{
    const auto operation = m_harness->execute({.token = preview.token,
                                               .requestId = "r" + std::to_string(++m_request),
                                               .reason = {},
                                               .typedCount = preview.typedCountRequired});
    if (!operation.ok())
        qFatal("execute: %s", std::string(operation.status().message()).c_str());
    return settled(operation->id);
}

domain::Operation JobTargetsTest::settled(uint64_t id)
{
    domain::Operation operation;
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(
            (operation = m_harness->operation(id), !domain::isOpen(operation.state)), kPatienceMs);
    }();
    return operation;
}

QStringList JobTargetsTest::shownNames()
{
    QStringList names;
    const auto delta = m_harness->snapshot();
    for (const control::TrackedJob& job : delta->jobs)
        if (job.job.array)
            names.append(QString::fromStdString(job.job.displayId));
    names.sort();
    return names;
}

void JobTargetsTest::holdOfAnArrayLeavesRunningTasksOut()
{
    const control::Preview hold = preview(ActionKind::Hold, "201");
    QCOMPARE(hold.action.jobs, std::vector<std::string>{"201_[1-3]"});
    QVERIFY(mentions(hold.warnings, "Job 201_0 is left out, running already"));
    QVERIFY(hold.jobs.empty());
    const domain::Operation operation = run(hold);
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Observed));
    QCOMPARE(operation.targets.front().observed, std::string("3 PENDING, held"));

    const control::Preview release = preview(ActionKind::Release, "201");
    QCOMPARE(release.action.jobs, (std::vector<std::string>{"201_1", "201_2", "201_3"}));
    QCOMPARE(run(release).state, OperationState::Observed);
}

void JobTargetsTest::heldTasksLeaveNoRowBehind()
{
    QTRY_COMPARE(shownNames(), (QStringList{"201_0", "201_[1-3]"}));
    QCOMPARE(run(preview(ActionKind::Hold, "201")).state, OperationState::Observed);
    QTRY_COMPARE(shownNames(), (QStringList{"201_0", "201_1", "201_2", "201_3"}));
}

void JobTargetsTest::oneWaitingTaskOfManyCanBeHeld()
{
    const control::Preview hold = preview(ActionKind::Hold, "201_2");
    QCOMPARE(hold.action.jobs, std::vector<std::string>{"201_2"});
    QVERIFY(hold.refusal.empty());
    const control::Preview several = preview(ActionKind::Hold, "201_[0,2-3]");
    QCOMPARE(several.action.jobs, std::vector<std::string>{"201_[0,2-3]"});
    QVERIFY(mentions(several.warnings, "Job 201_0 is left out"));
}

void JobTargetsTest::aTaskThatStartsMeanwhileEndsTheHold()
{
    const control::Preview hold = preview(ActionKind::Hold, "201");
    m_harness->scheduler.setTrouble(Trouble::EndsFirst);
    const domain::Operation operation = run(hold);
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Refused));
    QVERIFY2(contains(operation.message, "none of its tasks waits any more"),
             operation.message.c_str());
}

void JobTargetsTest::requeueOfAnArrayLeavesWaitingTasksOut()
{
    const control::Preview requeue = preview(ActionKind::Requeue, "201");
    QCOMPARE(requeue.action.jobs, std::vector<std::string>{"201_0"});
    QVERIFY(mentions(requeue.warnings, "Job 201_[1-3] is waiting already"));
    QCOMPARE(requeue.jobsKilled, 1);
    QCOMPARE(run(requeue).state, OperationState::Observed);
}

void JobTargetsTest::cancelOfAnArrayTakesAllThatHasNotEnded()
{
    const control::Preview cancel = preview(ActionKind::Cancel, "201");
    QCOMPARE(cancel.action.jobs, (std::vector<std::string>{"201_[1-3]", "201_0"}));
    QCOMPARE(cancel.jobsKilled, 1);
    QCOMPARE(run(cancel).state, OperationState::Observed);
    // By the number of the array as by that of a task: known, and refused.
    QCOMPARE(preview(ActionKind::Cancel, "201").refusal,
             std::string("Jobs 201_[1-3], 201_0 have already ended. There is nothing to cancel."));
    QVERIFY(contains(preview(ActionKind::Cancel, "201_0").refusal, "has already ended"));
}

void JobTargetsTest::nothingToHoldIsRefused()
{
    const control::Preview hold = preview(ActionKind::Hold, "201_0");
    QVERIFY2(contains(hold.refusal, "a hold is for waiting jobs only"), hold.refusal.c_str());
    QVERIFY(hold.commands.empty());
    QVERIFY(hold.targets.empty());
    const control::Preview requeue = preview(ActionKind::Requeue, "201_[1-3]");
    QVERIFY2(contains(requeue.refusal, "nothing to requeue"), requeue.refusal.c_str());
}

void JobTargetsTest::whatIsHeldAlreadyIsNotHeldAgain()
{
    QCOMPARE(run(preview(ActionKind::Hold, "201")).state, OperationState::Observed);
    QCOMPARE(preview(ActionKind::Hold, "201_2").refusal,
             std::string("Job 201_2 is already held: nothing would change."));
    QVERIFY(contains(preview(ActionKind::Hold, "201").refusal,
                     "Jobs 201_1, 201_2, 201_3 are already held: nothing would change."));
    QCOMPARE(run(preview(ActionKind::Release, "201_2")).state, OperationState::Observed);
    QCOMPARE(preview(ActionKind::Release, "201_2").refusal,
             std::string("Job 201_2 is not held: nothing would change."));
    const control::Preview rest = preview(ActionKind::Hold, "201");
    QCOMPARE(rest.action.jobs, std::vector<std::string>{"201_2"});
    QVERIFY(mentions(rest.warnings, "Jobs 201_1, 201_3 are already held"));
}

void JobTargetsTest::aUsersOwnHoldMayBecomeTheAdministrators()
{
    domain::Job job = arrayRecord(301, std::nullopt, "");
    job.displayId = "301";
    job.array.reset();
    job.held = true;
    job.reason = "JobHeldUser";
    m_harness->scheduler.addJob(job);
    QTRY_VERIFY(m_harness->snapshot()->jobs.size() == 15);
    const control::Preview hold = preview(ActionKind::Hold, "301");
    QVERIFY2(hold.refusal.empty(), hold.refusal.c_str());
    QVERIFY(mentions(hold.warnings, "Job 301 is already held, by its user"));
}

void JobTargetsTest::aRequeueForeseesThatTheJobHasEnded()
{
    m_harness->scheduler.changeJob("103", [](domain::Job& job) {
        job.state = JobState::Failed;
        job.endTime = Time(std::chrono::seconds(1'790'003'600));
    });
    QTRY_VERIFY(mentions(preview(ActionKind::Requeue, "103").warnings,
                         "Job 103 has already ended: FAILED at 2026-09-21 15:13:20 UTC"));
    QVERIFY(preview(ActionKind::Requeue, "103").refusal.empty());
    QCOMPARE(run(preview(ActionKind::Requeue, "103")).state, OperationState::Observed);
}

void JobTargetsTest::aJobThatIsNoLongerReportedIsNotRequeued()
{
    m_harness->scheduler.changeJob("103", [](domain::Job& job) {
        job.id = 999;
        job.displayId = "999";
    });
    QTRY_VERIFY(contains(preview(ActionKind::Requeue, "103").refusal,
                         "Job 103 is no longer reported by the scheduler"));
}

void JobTargetsTest::cancelOfAnEndedJobIsRefusedWithItsEnd()
{
    m_harness->scheduler.changeJob("103", [](domain::Job& job) {
        job.state = JobState::Failed;
        job.endTime = Time(std::chrono::seconds(1'790'003'600));
    });
    QTRY_VERIFY(!preview(ActionKind::Cancel, "103").refusal.empty());
    QCOMPARE(preview(ActionKind::Cancel, "103").refusal,
             std::string("Job 103 has already ended: FAILED at 2026-09-21 15:13:20 UTC. There is "
                         "nothing to cancel."));
}

void JobTargetsTest::aJobThatEndedByItselfWasNotCancelled()
{
    const control::Preview cancel = preview(ActionKind::Cancel, "103");
    m_harness->scheduler.setTrouble(Trouble::EndsFirst);
    const domain::Operation operation = run(cancel);
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Refused));
    QVERIFY2(contains(operation.message, "103 had already ended by itself: COMPLETED"),
             operation.message.c_str());
}

void JobTargetsTest::aRequeuedJobIsTheSameUnderItsNextStamp()
{
    m_harness->scheduler.changeJob("103", [](domain::Job& job) {
        job.restarts = 1;
        job.state = JobState::Pending;
        job.reason = "Dependency";
    });
    QTRY_VERIFY(preview(ActionKind::Cancel, "103").jobsKilled == 0);
    const auto rows = [this] {
        const auto delta = m_harness->snapshot();
        return std::count_if(delta->jobs.begin(), delta->jobs.end(),
                             [](const auto& job) { return job.job.displayId == "103"; });
    };
    const control::Preview cancel = preview(ActionKind::Cancel, "103");
    m_harness->scheduler.setTrouble(Trouble::StampsFirst);
    const domain::Operation operation = run(cancel);
    QCOMPARE(domain::name(operation.state), domain::name(OperationState::Observed));
    QCOMPARE(int(rows()), 1);
}

void JobTargetsTest::anotherJobUnderTheSameIdIsNotTaken()
{
    const control::Preview cancel = preview(ActionKind::Cancel, "103");
    m_harness->scheduler.setTrouble(Trouble::StampsFirst);
    const auto operation = m_harness->execute({.token = cancel.token,
                                               .requestId = "another",
                                               .reason = {},
                                               .typedCount = cancel.typedCountRequired});
    QVERIFY(operation.ok());
    QTRY_COMPARE(m_harness->operation(operation->id).targets.front().observed.substr(0, 9),
                 std::string("CANCELLED"));
    QVERIFY(domain::isOpen(m_harness->operation(operation->id).state));
}

void JobTargetsTest::aNodeAskedForByNameCannotBeKeptOut()
{
    m_harness->scheduler.changeJob("103", [](domain::Job& job) { job.requiredNodes = "n[3-4]"; });
    const auto keepOut = [&](std::vector<std::string> nodes) {
        domain::Action action;
        action.kind = ActionKind::Requeue;
        action.jobs = {"103"};
        action.excludedNodes = std::move(nodes);
        return m_harness->preview(std::move(action)).value();
    };
    QTRY_VERIFY(!keepOut({"n3"}).refusal.empty());
    QVERIFY2(contains(keepOut({"n3"}).refusal, "Job 103 asks for n[3-4] by name"),
             keepOut({"n3"}).refusal.c_str());
    QVERIFY(keepOut({"n5"}).refusal.empty());
}

void JobTargetsTest::someNodeMustBeLeftForTheJob()
{
    domain::Action action;
    action.kind = ActionKind::Requeue;
    action.jobs = {"103"};
    for (int node = 1; node <= 12; ++node)
        action.excludedNodes.push_back("n" + std::to_string(node));
    const control::Preview none = m_harness->preview(action).value();
    QVERIFY2(contains(none.refusal, "No node of the partition batch is left for job 103"),
             none.refusal.c_str());
    m_harness->scheduler.changeJob("103", [](domain::Job& job) { job.nodeCount = 2; });
    action.excludedNodes.pop_back();
    QTRY_VERIFY(mentions(m_harness->preview(action).value().warnings, "and 1 are left"));
    QVERIFY(m_harness->preview(action).value().refusal.empty());
}

QTEST_GUILESS_MAIN(JobTargetsTest)
#include "job_targets_test.moc"
