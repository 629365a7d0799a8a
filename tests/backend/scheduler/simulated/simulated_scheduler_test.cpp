#include "backend/scheduler/simulated/simulated_scheduler.h"

#include <QTest>

#include "tests/backend/scheduler/scheduler_contract.h"

using namespace yard;
using namespace yard::scheduler;
using namespace std::chrono_literals;

namespace {

const Time kStart = std::chrono::sys_days{std::chrono::year{2023} / 5 / 1};

SimulatedOptions emptyCluster()
{
    SimulatedOptions options;
    options.nodes = 4;
    options.load = 0;
    options.oddities = false;
    return options;
}

class SimulatedEnvironment final : public contract::Environment {
public:
    Scheduler& scheduler() override { return m_scheduler; }
    std::vector<std::string> nodeNames() override
    {
        return {"gpu001", "gpu002", "gpu003", "gpu004"};
    }
    bool waitUntil(const std::function<bool()>& done) override
    {
        for (int i = 0; i < 30 && !done(); ++i)
            m_clock.advance(1s);
        return done();
    }
    ManualClock& clock() { return m_clock; }

private:
    ManualClock m_clock{kStart};
    SimulatedScheduler m_scheduler{std::make_shared<SimulatedCluster>(emptyCluster(), m_clock)};
};

}  // namespace

class SimulatedSchedulerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsTheContract_data() { contract::addContractRows(); }
    void keepsTheContract();
    void requeuedJobStartsAgainAfterTwoMinutes();
    void nodeThatIsDeadGoesDownAgainAfterAResume();
    void busyNodeRebootsOnceItIsIdleAndComesBack();
    void arrayIsActedOnWholeOrByTask();
    void everyActionIsAllowed();
};

void SimulatedSchedulerTest::keepsTheContract()
{
    SimulatedEnvironment environment;
    contract::runContractCase(environment);
}

void SimulatedSchedulerTest::requeuedJobStartsAgainAfterTwoMinutes()
{
    SimulatedEnvironment environment;
    contract::Desk desk(environment);
    const auto job = desk.runOn(0);
    YARD_DONE(desk.onJob(domain::ActionKind::Requeue, job));
    QCOMPARE(desk.job(job).reason, std::string("BeginTime"));
    environment.clock().advance(119s);
    QCOMPARE(desk.job(job).state, domain::JobState::Pending);
    environment.clock().advance(2s);
    QCOMPARE(desk.job(job).state, domain::JobState::Running);
}

void SimulatedSchedulerTest::nodeThatIsDeadGoesDownAgainAfterAResume()
{
    ManualClock clock(kStart);
    SimulatedScheduler scheduler(std::make_shared<SimulatedCluster>(SimulatedOptions{}, clock));
    const auto find = [&](auto matches) {
        const auto view = scheduler.poll(Deadline::in(1s));
        const auto node = std::find_if(view->nodes.begin(), view->nodes.end(), matches);
        return node == view->nodes.end() ? domain::Node{} : *node;
    };
    const auto dead = find([](const auto& node) { return node.stateText == "DOWN*"; });
    QVERIFY(!dead.name.empty());
    const auto again = [&](const auto& node) { return node.name == dead.name; };
    YARD_DONE(scheduler.execute(contract::nodeAction(domain::ActionKind::Resume, {dead.name}), "",
                                Deadline::in(1s)));
    QCOMPARE(find(again).stateText, std::string("IDLE*"));
    QVERIFY(!domain::isUsable(find(again)));
    clock.advance(3min);
    QCOMPARE(find(again).stateText, std::string("DOWN*"));
}

void SimulatedSchedulerTest::busyNodeRebootsOnceItIsIdleAndComesBack()
{
    SimulatedEnvironment environment;
    contract::Desk desk(environment);
    const auto job = desk.runOn(0);
    YARD_DONE(desk.onNodes(domain::ActionKind::Reboot, {"gpu001"}));
    QCOMPARE(desk.node("gpu001").stateText, std::string("MIXED+DRAIN+REBOOT_REQUESTED"));
    QCOMPARE(desk.job(job).state, domain::JobState::Running);
    YARD_DONE(desk.onJob(domain::ActionKind::Cancel, job));
    QCOMPARE(desk.node("gpu001").stateText, std::string("DOWN+DRAIN+REBOOT_ISSUED"));
    environment.clock().advance(10min);
    const auto back = desk.node("gpu001");
    QCOMPARE(back.stateText, std::string("IDLE"));
    QCOMPARE(back.reason, std::string());
    QVERIFY(*back.bootTime > kStart);
}

void SimulatedSchedulerTest::arrayIsActedOnWholeOrByTask()
{
    ManualClock clock(kStart);
    SimulatedScheduler scheduler(std::make_shared<SimulatedCluster>(SimulatedOptions{}, clock));
    const auto waiting = [&] {
        const auto view = scheduler.poll(Deadline::in(1s));
        for (const auto& job : view->jobs)
            if (job.array && job.array->pendingCount > 2)
                return job;
        return domain::Job{};
    };
    for (int i = 0; i < 500 && waiting().id == 0; ++i)
        clock.advance(10s);
    const auto array = waiting();
    QVERIFY(array.id != 0);
    QVERIFY(array.displayId.find("_[") != std::string::npos);
    YARD_DONE(scheduler.execute(contract::jobAction(domain::ActionKind::Cancel, {array.displayId}),
                                "", Deadline::in(1s)));
    const auto view = scheduler.poll(Deadline::in(1s));
    for (const auto& job : view->jobs)
        if (job.array && job.array->job == array.array->job)
            QVERIFY(job.state != domain::JobState::Pending);
}

void SimulatedSchedulerTest::everyActionIsAllowed()
{
    SimulatedEnvironment environment;
    const auto rights = environment.scheduler().rights(Deadline::in(1s));
    QCOMPARE(rights->size(), size_t(11));
    for (const auto& right : *rights) {
        QVERIFY(right.allowed);
        QVERIFY(domain::actionKindFrom(right.action).has_value());
    }
}

QTEST_GUILESS_MAIN(SimulatedSchedulerTest)
#include "simulated_scheduler_test.moc"
