#pragma once

#include <QTest>
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "backend/domain/job.h"
#include "backend/domain/node.h"
#include "backend/scheduler/scheduler.h"

/// What every Scheduler must do, as cases that run against each implementation.
///
/// A test program instantiates it with a table: `_data()` adds a row for each of contractCases(),
/// the slot calls runContractCase(). Each case starts from an idle cluster (see settle()).
namespace yard::scheduler::contract {

using domain::Action;
using domain::ActionKind;
using domain::JobState;
using domain::NodeCategory;

inline Action nodeAction(ActionKind kind, std::vector<std::string> nodes, std::string reason = "")
{
    Action action;
    action.kind = kind;
    action.nodes = std::move(nodes);
    action.reason = std::move(reason);
    return action;
}

inline Action jobAction(ActionKind kind, std::vector<std::string> jobs,
                        std::vector<std::string> excludedNodes = {})
{
    Action action;
    action.kind = kind;
    action.jobs = std::move(jobs);
    action.excludedNodes = std::move(excludedNodes);
    return action;
}

/// A job that sleeps for ten minutes.
inline Action submitAction(std::vector<std::string> options)
{
    Action action;
    action.kind = ActionKind::Submit;
    action.submission.emplace();
    action.submission->script = "#!/bin/bash\nsleep 600\n";
    action.submission->options = std::move(options);
    action.submission->workDirectory = "/tmp";
    return action;
}

/// The cluster that a scheduler under test talks to. Needs three nodes, each with two GPUs or more,
/// a default partition that holds them all, and the right to do everything.
class Environment {
public:
    virtual ~Environment() = default;
    virtual Scheduler& scheduler() = 0;
    virtual std::vector<std::string> nodeNames() = 0;
    /// Lets time pass until `done` holds, or gives up; returns whether it holds.
    virtual bool waitUntil(const std::function<bool()>& done) = 0;
    /// Options that every submission needs here, such as "--chdir=/tmp".
    virtual std::vector<std::string> submitOptions() { return {}; }
};

/// Shorthand for one case: looks, acts and waits, and fails the test when that is not possible.
class Desk {
public:
    explicit Desk(Environment& environment)
        : m_environment(environment)
    {
    }

    Scheduler& scheduler() { return m_environment.scheduler(); }
    std::string nodeName(size_t i) { return m_environment.nodeNames().at(i); }
    bool waitUntil(const std::function<bool()>& done) { return m_environment.waitUntil(done); }

    domain::SchedulerView look()
    {
        auto view = scheduler().poll(Deadline::in(std::chrono::seconds(20)));
        if (!view.ok())
            QTest::qFail(view.status().ToString().c_str(), __FILE__, __LINE__);
        return view.ok() ? *std::move(view) : domain::SchedulerView{};
    }
    domain::Node node(const std::string& name)
    {
        for (auto& node : look().nodes)
            if (node.name == name)
                return node;
        return {};
    }
    /// The newest record of that display id.
    domain::Job job(const std::string& displayId)
    {
        domain::Job found;
        for (auto& job : look().jobs)
            if (job.displayId == displayId &&
                (found.id == 0 ||
                 job.submitTime.value_or(Time{}) >= found.submitTime.value_or(Time{})))
                found = job;
        return found;
    }
    StatusOr<Receipt> act(const Action& action, std::string_view operationId = "")
    {
        return scheduler().execute(action, operationId, Deadline::in(std::chrono::seconds(20)));
    }
    StatusOr<Receipt> onNodes(ActionKind kind, std::vector<std::string> nodes,
                              std::string reason = "", std::string_view operationId = "")
    {
        return act(nodeAction(kind, std::move(nodes), std::move(reason)), operationId);
    }
    StatusOr<Receipt> onJob(ActionKind kind, const std::string& job,
                            std::vector<std::string> excludedNodes = {},
                            std::string_view operationId = "")
    {
        return act(jobAction(kind, {job}, std::move(excludedNodes)), operationId);
    }
    /// Submits a job that sleeps for ten minutes; its display id, or empty.
    std::string submit(std::vector<std::string> options = {}, std::string_view operationId = "")
    {
        options.insert(options.begin(), "--job-name=contract");
        for (auto& option : m_environment.submitOptions())
            options.push_back(option);
        const auto receipt = act(submitAction(std::move(options)), operationId);
        if (!receipt.ok())
            QTest::qFail(receipt.status().ToString().c_str(), __FILE__, __LINE__);
        return receipt.ok() ? receipt->newJob : std::string();
    }
    /// A job that runs with two GPUs on the i-th node.
    std::string runOn(size_t i, std::vector<std::string> options = {})
    {
        options.push_back("--nodelist=" + nodeName(i));
        options.push_back("--gres=gpu:2");
        const std::string id = submit(std::move(options));
        if (!waitUntil([&] { return job(id).state == JobState::Running; }))
            QTest::qFail(("Job " + id + " did not start.").c_str(), __FILE__, __LINE__);
        return id;
    }
    bool becomes(const std::string& node, NodeCategory category)
    {
        return waitUntil([&] { return categoryOf(this->node(node)) == category; });
    }
    bool becomes(const std::string& job, JobState state)
    {
        return waitUntil([&] { return this->job(job).state == state; });
    }
    /// Ends every job and gives every node back.
    bool settle()
    {
        return waitUntil([&] {
            const auto view = look();
            bool settled = !view.nodes.empty();
            for (const auto& job : view.jobs) {
                if (domain::isFinished(job.state))
                    continue;
                settled = false;
                (void)onJob(ActionKind::Cancel, job.displayId);
            }
            for (const auto& node : view.nodes) {
                const auto category = categoryOf(node);
                settled = settled && category == NodeCategory::Idle;
                if (category == NodeCategory::Drained || category == NodeCategory::Down ||
                    category == NodeCategory::Draining)
                    (void)onNodes(ActionKind::Resume, {node.name});
            }
            return settled;
        });
    }

private:
    Environment& m_environment;
};

struct Case {
    const char* name;
    void (*run)(Desk&);
};

inline bool says(const Status& status, std::string_view words)
{
    return std::string(status.message()).find(words) != std::string::npos;
}

#define YARD_REFUSED(result, words)                                                         \
    do {                                                                                    \
        const auto yardResult = (result);                                                   \
        QVERIFY2(!yardResult.ok(), "it was accepted");                                      \
        QVERIFY2(says(yardResult.status(), words), yardResult.status().ToString().c_str()); \
    } while (false)
#define YARD_DONE(result)                                                  \
    do {                                                                   \
        const auto yardResult = (result);                                  \
        QVERIFY2(yardResult.ok(), yardResult.status().ToString().c_str()); \
    } while (false)

inline void drainOfAnIdleNodeIsDrained(Desk& desk)
{
    const auto name = desk.nodeName(0);
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "bad fan"));
    QVERIFY(desk.becomes(name, NodeCategory::Drained));
    const auto node = desk.node(name);
    QCOMPARE(node.reason, std::string("bad fan"));
    QCOMPARE(node.stateText, std::string("IDLE+DRAIN"));
    QVERIFY(node.reasonTime.has_value());
    QVERIFY(!node.reasonUser.empty());
    QVERIFY(!domain::isUsable(node));
}

inline void drainOfABusyNodeWaitsForItsJob(Desk& desk)
{
    const auto name = desk.nodeName(0);
    const auto job = desk.runOn(0);
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "bad fan"));
    QVERIFY(desk.becomes(name, NodeCategory::Draining));
    QCOMPARE(desk.job(job).state, JobState::Running);
    YARD_DONE(desk.onJob(ActionKind::Cancel, job));
    QVERIFY(desk.becomes(name, NodeCategory::Drained));
}

inline void secondDrainReplacesTheReason(Desk& desk)
{
    const auto name = desk.nodeName(1);
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "first"));
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "second thought"));
    QVERIFY(desk.waitUntil([&] { return desk.node(name).reason == "second thought"; }));
    QCOMPARE(categoryOf(desk.node(name)), NodeCategory::Drained);
}

inline void drainWithoutAReasonIsRefused(Desk& desk)
{
    for (auto kind : {ActionKind::Drain, ActionKind::Down})
        YARD_REFUSED(desk.onNodes(kind, {desk.nodeName(0)}), "You must specify a reason");
    QCOMPARE(categoryOf(desk.node(desk.nodeName(0))), NodeCategory::Idle);
}

inline void anUnknownNodeRefusesTheWholeRequest(Desk& desk)
{
    const auto name = desk.nodeName(0);
    const auto result = desk.onNodes(ActionKind::Drain, {name, "nosuchnode"}, "bad fan");
    YARD_REFUSED(result, "Invalid node name specified");
    QCOMPARE(result.status().code(), absl::StatusCode::kInvalidArgument);
    QCOMPARE(categoryOf(desk.node(name)), NodeCategory::Idle);
}

inline void resumeGivesTheNodeBack(Desk& desk)
{
    const auto name = desk.nodeName(2);
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "bad fan"));
    QVERIFY(desk.becomes(name, NodeCategory::Drained));
    YARD_DONE(desk.onNodes(ActionKind::Resume, {name}));
    QVERIFY(desk.becomes(name, NodeCategory::Idle));
    QCOMPARE(desk.node(name).reason, std::string());
}

inline void resumeOfAnIdleNodeIsRefused(Desk& desk)
{
    YARD_REFUSED(desk.onNodes(ActionKind::Resume, {desk.nodeName(0)}),
                 "Invalid node state specified");
}

inline void drainReasonCarriesTheOperation(Desk& desk)
{
    const auto name = desk.nodeName(0);
    YARD_DONE(desk.onNodes(ActionKind::Drain, {name}, "bad fan", "17"));
    QVERIFY(desk.waitUntil([&] { return desk.node(name).reason == "yard:17 bad fan"; }));
}

inline void downEndsJobsAndRequeuesThoseThatMay(Desk& desk)
{
    const auto name = desk.nodeName(0);
    const auto kept = desk.runOn(0);
    const auto lost = desk.runOn(0, {"--no-requeue"});
    QVERIFY(!desk.job(lost).requeueable);
    YARD_DONE(desk.onNodes(ActionKind::Down, {name}, "smoke"));
    QVERIFY(desk.becomes(name, NodeCategory::Down));
    QVERIFY(desk.becomes(lost, JobState::NodeFail));
    QVERIFY(desk.becomes(kept, JobState::Pending));
    QCOMPARE(desk.job(kept).restarts, 1);
    YARD_DONE(desk.onNodes(ActionKind::Resume, {name}));
    QVERIFY(desk.waitUntil([&] { return domain::isUsable(desk.node(name)); }));
}

inline void holdAndRelease(Desk& desk)
{
    const auto job = desk.submit({"--begin=now+3600"});
    QVERIFY(desk.becomes(job, JobState::Pending));
    QVERIFY(!desk.job(job).held);
    YARD_DONE(desk.onJob(ActionKind::Hold, job));
    QVERIFY(desk.waitUntil([&] { return desk.job(job).held; }));
    YARD_DONE(desk.onJob(ActionKind::Release, job));
    QVERIFY(desk.waitUntil([&] { return !desk.job(job).held; }));
    QCOMPARE(desk.job(job).state, JobState::Pending);
}

inline void aJobSubmittedOnHoldRunsOnceReleased(Desk& desk)
{
    const auto job = desk.submit({"--hold", "--gres=gpu:1"});
    QVERIFY(desk.waitUntil([&] { return desk.job(job).held; }));
    YARD_DONE(desk.onJob(ActionKind::Release, job));
    QVERIFY(desk.becomes(job, JobState::Running));
}

/// What is told to one task by its number gives it a record of its own, which it keeps.
inline void oneTaskOfAnArrayIsHeldAndReleased(Desk& desk)
{
    const auto array = desk.submit({"--array=0-3", "--begin=now+3600"});
    const auto one = array + "_2";
    const auto rest = array + "_[0-1,3]";
    QVERIFY(desk.becomes(array + "_[0-3]", JobState::Pending));
    YARD_DONE(desk.onJob(ActionKind::Hold, one));
    QVERIFY(desk.waitUntil([&] { return desk.job(one).held; }));
    const auto held = desk.job(one);
    QVERIFY(desk.becomes(rest, JobState::Pending));
    QVERIFY(!desk.job(rest).held);
    YARD_DONE(desk.onJob(ActionKind::Release, one));
    QVERIFY(desk.waitUntil([&] { return desk.job(one).id != 0 && !desk.job(one).held; }));
    QCOMPARE(desk.job(one).state, JobState::Pending);
    QCOMPARE(desk.job(one).id, held.id);
    QCOMPARE(desk.job(rest).state, JobState::Pending);
}

inline void requeueOfARunningJobKeepsItsId(Desk& desk)
{
    const auto job = desk.runOn(0);
    YARD_DONE(desk.onJob(ActionKind::Requeue, job));
    QVERIFY(desk.becomes(job, JobState::Pending));
    const auto again = desk.job(job);
    QCOMPARE(again.restarts, 1);
    QVERIFY(!again.held);
    QVERIFY(again.nodes.empty());
    QCOMPARE(desk.scheduler().requeueDelaySeconds(), 120);
}

inline void requeueOfAPendingJobIsRefused(Desk& desk)
{
    const auto job = desk.submit({"--begin=now+3600"});
    YARD_REFUSED(desk.onJob(ActionKind::Requeue, job), "Job is pending execution");
}

inline void requeueOfAJobThatMayNotIsRefused(Desk& desk)
{
    const auto job = desk.runOn(0, {"--no-requeue"});
    YARD_REFUSED(desk.onJob(ActionKind::Requeue, job), "Requested operation is presently disabled");
    QCOMPARE(desk.job(job).state, JobState::Running);
}

inline void requeueHoldWaitsForARelease(Desk& desk)
{
    const auto job = desk.runOn(1);
    YARD_DONE(desk.onJob(ActionKind::RequeueHold, job));
    QVERIFY(desk.waitUntil([&] {
        const auto again = desk.job(job);
        return again.state == JobState::Pending && again.held;
    }));
    YARD_DONE(desk.onJob(ActionKind::Release, job));
    QVERIFY(desk.waitUntil([&] { return !desk.job(job).held; }));
}

inline void requeueCanExcludeNodes(Desk& desk)
{
    const auto job = desk.submit({"--gres=gpu:1"});
    QVERIFY(desk.becomes(job, JobState::Running));
    const auto first = desk.job(job).nodes.at(0);
    YARD_DONE(desk.onJob(ActionKind::Requeue, job, {first}));
    QVERIFY(desk.waitUntil([&] {
        const auto again = desk.job(job);
        return again.state == JobState::Pending && !again.held;
    }));
    QCOMPARE(desk.job(job).excludedNodes, first);
}

inline void resubmitIsANewJobElsewhere(Desk& desk)
{
    const auto job = desk.submit({"--gres=gpu:1"});
    QVERIFY(desk.becomes(job, JobState::Running));
    const auto original = desk.job(job);
    const auto first = original.nodes.at(0);
    const auto receipt = desk.onJob(ActionKind::Resubmit, job, {first}, "21");
    QVERIFY2(receipt.ok(), receipt.status().ToString().c_str());
    QVERIFY(!receipt->newJob.empty());
    QVERIFY(receipt->newJob != job);
    QVERIFY(desk.becomes(job, JobState::Cancelled));
    QVERIFY(desk.becomes(receipt->newJob, JobState::Running));
    const auto copy = desk.job(receipt->newJob);
    QCOMPARE(copy.comment, std::string("yard:21"));
    QCOMPARE(copy.excludedNodes, first);
    QCOMPARE(copy.name, original.name);
    QVERIFY(std::find(copy.nodes.begin(), copy.nodes.end(), first) == copy.nodes.end());
}

inline void resubmitCanLeaveTheOriginalRunning(Desk& desk)
{
    const auto job = desk.submit({"--gres=gpu:1"});
    QVERIFY(desk.becomes(job, JobState::Running));
    Action again = jobAction(ActionKind::Resubmit, {job});
    again.cancelOriginal = false;
    const auto receipt = desk.act(again, "22");
    QVERIFY2(receipt.ok(), receipt.status().ToString().c_str());
    QVERIFY(desk.becomes(receipt->newJob, JobState::Running));
    QCOMPARE(desk.job(job).state, JobState::Running);
}

inline void cancelEndsRunningAndPendingJobs(Desk& desk)
{
    const auto running = desk.runOn(0);
    const auto waiting = desk.submit({"--begin=now+3600"});
    YARD_DONE(desk.act(jobAction(ActionKind::Cancel, {running, waiting})));
    QVERIFY(desk.becomes(running, JobState::Cancelled));
    QVERIFY(desk.becomes(waiting, JobState::Cancelled));
    QVERIFY(desk.waitUntil([&] { return desk.node(desk.nodeName(0)).gpusAllocated == 0; }));
}

/// scancel says nothing about a job that does not exist; an implementation that knows may refuse.
inline void unknownJobsChangeNothing(Desk& desk)
{
    const auto job = desk.runOn(0);
    const auto cancelled = desk.onJob(ActionKind::Cancel, "99999999");
    QVERIFY(cancelled.ok() || cancelled.status().code() == absl::StatusCode::kInvalidArgument);
    for (auto kind : {ActionKind::Hold, ActionKind::Requeue})
        YARD_REFUSED(desk.onJob(kind, "99999999"), "Invalid job id specified");
    QCOMPARE(desk.job(job).state, JobState::Running);
}

inline void submitGivesAMarkedJobThatHoldsItsGpus(Desk& desk)
{
    const auto name = desk.nodeName(1);
    const auto id = desk.submit({"--nodelist=" + name, "--gres=gpu:2"}, "18");
    QVERIFY(!id.empty());
    QVERIFY(desk.becomes(id, JobState::Running));
    const auto job = desk.job(id);
    QCOMPARE(job.name, std::string("contract"));
    QCOMPARE(job.comment, std::string("yard:18"));
    QCOMPARE(job.gpus, 2);
    QCOMPARE(job.nodes, std::vector<std::string>{name});
    QVERIFY(job.startTime.has_value());
    QVERIFY(!job.endTime.has_value());
    QVERIFY(desk.waitUntil([&] { return desk.node(name).gpusAllocated == 2; }));
}

inline void submitToAnUnknownNodeIsRefused(Desk& desk)
{
    YARD_REFUSED(desk.act(submitAction({"--nodelist=nosuchnode"})), "Invalid node name specified");
}

inline void everyActionHasItsCommand(Desk& desk)
{
    const auto drain = desk.scheduler().commands(
        nodeAction(ActionKind::Drain, {desk.nodeName(0)}, "bad fan"), "17");
    QCOMPARE(drain, (std::vector<std::vector<std::string>>{
                        {"scontrol", "update", "NodeName=" + desk.nodeName(0), "State=DRAIN",
                         "Reason=yard:17 bad fan"}}));
    const auto cancel = desk.scheduler().commands(jobAction(ActionKind::Cancel, {"7"}), "");
    QCOMPARE(cancel.size(), size_t(1));
    QCOMPARE(cancel.at(0).at(0), std::string("scancel"));
    QCOMPARE(cancel.at(0).back(), std::string("7"));
}

inline void aLookIsCompleteAndCounted(Desk& desk)
{
    const auto before = desk.scheduler().callsMade();
    const auto view = desk.look();
    QVERIFY(desk.scheduler().callsMade() > before);
    QVERIFY(!view.cluster.empty());
    QVERIFY(!view.partitions.empty());
    for (const auto& node : view.nodes) {
        QVERIFY(node.gpusTotal >= 2);
        QVERIFY(!node.partitions.empty());
        QVERIFY(!node.stateText.empty());
    }
    const auto rights = desk.scheduler().rights(Deadline::in(std::chrono::seconds(20)));
    QVERIFY2(rights.ok(), rights.status().ToString().c_str());
    QVERIFY(!rights->empty());
}

inline const std::vector<Case>& contractCases()
{
#define YARD_CASE(function)  \
    {                        \
#function, &function \
    }
    static const std::vector<Case> cases{
        YARD_CASE(aLookIsCompleteAndCounted),
        YARD_CASE(everyActionHasItsCommand),
        YARD_CASE(drainOfAnIdleNodeIsDrained),
        YARD_CASE(drainOfABusyNodeWaitsForItsJob),
        YARD_CASE(secondDrainReplacesTheReason),
        YARD_CASE(drainWithoutAReasonIsRefused),
        YARD_CASE(anUnknownNodeRefusesTheWholeRequest),
        YARD_CASE(resumeGivesTheNodeBack),
        YARD_CASE(resumeOfAnIdleNodeIsRefused),
        YARD_CASE(drainReasonCarriesTheOperation),
        YARD_CASE(downEndsJobsAndRequeuesThoseThatMay),
        YARD_CASE(holdAndRelease),
        YARD_CASE(aJobSubmittedOnHoldRunsOnceReleased),
        YARD_CASE(oneTaskOfAnArrayIsHeldAndReleased),
        YARD_CASE(requeueOfARunningJobKeepsItsId),
        YARD_CASE(requeueOfAPendingJobIsRefused),
        YARD_CASE(requeueOfAJobThatMayNotIsRefused),
        YARD_CASE(requeueHoldWaitsForARelease),
        YARD_CASE(requeueCanExcludeNodes),
        YARD_CASE(resubmitIsANewJobElsewhere),
        YARD_CASE(resubmitCanLeaveTheOriginalRunning),
        YARD_CASE(cancelEndsRunningAndPendingJobs),
        YARD_CASE(unknownJobsChangeNothing),
        YARD_CASE(submitGivesAMarkedJobThatHoldsItsGpus),
        YARD_CASE(submitToAnUnknownNodeIsRefused),
    };
#undef YARD_CASE
    return cases;
}

/// Adds a row for each case; for the `_data()` slot.
inline void addContractRows()
{
    QTest::addColumn<int>("number");
    for (size_t i = 0; i < contractCases().size(); ++i)
        QTest::newRow(contractCases()[i].name) << int(i);
}

/// Runs the current row from an idle cluster.
inline void runContractCase(Environment& environment)
{
    QFETCH(int, number);
    Desk desk(environment);
    QVERIFY2(desk.settle(), "The cluster did not become idle.");
    contractCases().at(size_t(number)).run(desk);
}

}  // namespace yard::scheduler::contract
