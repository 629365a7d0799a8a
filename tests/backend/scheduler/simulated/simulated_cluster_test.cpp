#include "backend/scheduler/simulated/simulated_cluster.h"

#include <rapidcheck.h>

#include <QTest>
#include <map>
#include <set>

#include "backend/scheduler/simulated/simulated_scheduler.h"

using namespace yard;
using domain::ActionKind;
using scheduler::SimulatedCluster;
using scheduler::SimulatedOptions;

namespace {

const Time kStart = Time(std::chrono::hours(400'000));

SimulatedOptions anyOptions()
{
    SimulatedOptions options;
    options.nodes = *rc::gen::inRange(1, 16);
    options.gpus = *rc::gen::element(1, 2, 4, 8, 16);
    options.switchNodes = *rc::gen::inRange(1, 9);
    options.seed = *rc::gen::inRange<uint64_t>(0, 1'000'000);
    options.speed = *rc::gen::element(1.0, 10.0);
    options.load = double(*rc::gen::inRange(0, 16)) / 10;
    options.failures = *rc::gen::arbitrary<bool>();
    options.oddities = *rc::gen::arbitrary<bool>();
    return options;
}

std::string anyNode(const domain::SchedulerView& view)
{
    const auto at = *rc::gen::inRange<size_t>(0, view.nodes.size() + 1);
    return at < view.nodes.size() ? view.nodes[at].name : "nowhere";
}

std::string anyJob(const domain::SchedulerView& view)
{
    const auto at = *rc::gen::inRange<size_t>(0, view.jobs.size() + 1);
    return at < view.jobs.size() ? view.jobs[at].displayId : "1";
}

std::vector<std::string> anySubmitOptions(const domain::SchedulerView& view)
{
    std::vector<std::string> options = {"--gres=gpu:" + std::to_string(*rc::gen::inRange(0, 9))};
    if (*rc::gen::arbitrary<bool>())
        options.push_back("--nodes=" + std::to_string(*rc::gen::inRange(1, 5)));
    if (*rc::gen::inRange(0, 4) == 0)
        options.push_back("--nodelist=" + anyNode(view));
    if (*rc::gen::inRange(0, 4) == 0)
        options.push_back("--exclude=" + anyNode(view));
    if (*rc::gen::inRange(0, 4) == 0)
        options.emplace_back("--hold");
    return options;
}

domain::Action anyAction(const domain::SchedulerView& view)
{
    domain::Action action;
    action.kind = ActionKind(*rc::gen::inRange(0, int(ActionKind::Submit) + 1));
    action.reason = "property";
    action.rebootWhenIdle = *rc::gen::arbitrary<bool>();
    action.cancelOriginal = *rc::gen::arbitrary<bool>();
    if (action.kind == ActionKind::Submit) {
        action.submission.emplace();
        action.submission->script = "#!/bin/sh\nsleep 300\n";
        action.submission->options = anySubmitOptions(view);
    } else if (isNodeAction(action.kind)) {
        action.nodes = {anyNode(view), anyNode(view)};
    } else {
        action.jobs = {anyJob(view)};
        if (*rc::gen::inRange(0, 4) == 0)
            action.excludedNodes = {anyNode(view)};
    }
    return action;
}

// What the jobs say of each node must be what the node says of itself.
void addUp(const domain::SchedulerView& view, const SimulatedOptions& options)
{
    std::map<std::string, std::set<int>> taken;
    std::map<std::string, domain::NodeState> states;
    for (const domain::Node& node : view.nodes)
        states[node.name] = node.state;
    std::set<std::string> displayIds;
    for (const domain::Job& job : view.jobs) {
        RC_ASSERT(!job.exit || job.exit->signal != 0);
        RC_ASSERT(displayIds.insert(job.displayId).second);
        if (!isActive(job.state)) {
            RC_ASSERT(job.gpuIndices.empty());
            RC_ASSERT(isFinished(job.state) || job.nodes.empty());
            continue;
        }
        RC_ASSERT(job.startTime.has_value() && !job.nodes.empty());
        RC_ASSERT(job.nodes.size() == job.gpuIndices.size());
        RC_ASSERT(job.nodeCount == int(job.nodes.size()));
        int gpus = 0;
        for (const std::string& node : job.nodes) {
            RC_ASSERT(states.contains(node));
            RC_ASSERT(states[node] != domain::NodeState::Down);
            for (const int index : job.gpuIndices.at(node)) {
                RC_ASSERT(index >= 0 && index < options.gpus);
                RC_ASSERT(taken[node].insert(index).second);
                ++gpus;
            }
        }
        RC_ASSERT(gpus == job.gpus);
    }
    for (const domain::Node& node : view.nodes) {
        const std::set<int>& used = taken[node.name];
        RC_ASSERT(node.gpusTotal == options.gpus);
        RC_ASSERT(node.gpusAllocated == int(used.size()));
        RC_ASSERT((node.gpuIndicesInUse == std::vector<int>(used.begin(), used.end())));
    }
}

}  // namespace

class SimulatedClusterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noGpuIsGivenTwiceAndCountsAddUp();
    void drainedNodeGetsNoNewJob();
};

// Each case runs a cluster for hours: a few of them see a lot. RC_PARAMS from outside wins.
void SimulatedClusterTest::initTestCase()
{
    if (!qEnvironmentVariableIsSet("RC_PARAMS"))
        qputenv("RC_PARAMS", "max_success=30");
}

void SimulatedClusterTest::noGpuIsGivenTwiceAndCountsAddUp()
{
    QVERIFY(rc::check("whatever is asked of it, the cluster adds up", [] {
        const SimulatedOptions options = anyOptions();
        ManualClock clock(kStart);
        SimulatedCluster cluster(options, clock);
        addUp(cluster.view(), options);
        const int steps = *rc::gen::inRange(1, 25);
        for (int i = 0; i < steps; ++i) {
            (void)cluster.act(anyAction(cluster.view()), std::to_string(i));
            addUp(cluster.view(), options);
            clock.advance(std::chrono::seconds(*rc::gen::inRange(0, 300)));
            addUp(cluster.view(), options);
        }
    }));
}

void SimulatedClusterTest::drainedNodeGetsNoNewJob()
{
    QVERIFY(rc::check("a node that is drained keeps its jobs and gets no other", [] {
        SimulatedOptions options = anyOptions();
        options.failures = false;  // no repair puts a node back
        ManualClock clock(kStart);
        SimulatedCluster cluster(options, clock);
        domain::Action drain;
        drain.kind = ActionKind::Drain;
        drain.reason = "property";
        drain.nodes = {cluster.view().nodes[0].name};
        RC_ASSERT(cluster.act(drain, "1").ok());
        const auto usedOn = [&] {
            const auto view = cluster.view();
            RC_ASSERT(view.nodes[0].hasFlag("DRAIN"));
            const auto& used = view.nodes[0].gpuIndicesInUse;
            return std::set<int>(used.begin(), used.end());
        };
        std::set<int> before = usedOn();
        for (int i = 0; i < 10; ++i) {
            clock.advance(std::chrono::minutes(*rc::gen::inRange(1, 30)));
            const std::set<int> now = usedOn();
            RC_ASSERT(std::includes(before.begin(), before.end(), now.begin(), now.end()));
            before = now;
        }
    }));
}

QTEST_GUILESS_MAIN(SimulatedClusterTest)
#include "simulated_cluster_test.moc"
