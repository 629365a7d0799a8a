#include "backend/scheduler/simulated/workload.h"

#include <QTest>
#include <map>

#include "backend/scheduler/simulated/simulated_cluster.h"

using namespace yard;
using namespace yard::scheduler;
using domain::JobState;

class WorkloadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void typesHaveTheirShareOfTheJobs();
    void pretrainingTakesMostOfTheGpuTime();
    void demandFollowsTheFigure();
    void runAndQueueTimesHaveTheirMedians();
    void jobsEndInThePublishedShares();
    void infrastructureFailuresAreFewButCostMost();
    void sameSeedSameCluster();
    void optionsThatAreNotUnderstoodAreNamed();

private:
    double share(auto matches) const
    {
        return double(std::count_if(m_jobs.begin(), m_jobs.end(), matches)) / double(m_jobs.size());
    }
    double timeShare(auto matches, auto among) const
    {
        double part = 0, all = 0;
        for (const auto& job : m_jobs) {
            if (!among(job))
                continue;
            const double time = job.gpus * job.runSeconds;
            all += time;
            part += matches(job) ? time : 0;
        }
        return part / all;
    }
    double median(WorkloadType type, double JobDraw::*field) const
    {
        std::vector<double> values;
        for (const auto& job : m_jobs)
            if (job.type == type)
                values.push_back(job.*field);
        std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
        return values[values.size() / 2];
    }
    std::vector<JobDraw> m_jobs;
};

namespace {

bool near(double value, double expected, double tolerance)
{
    if (std::abs(value - expected) > tolerance)
        qWarning("%g instead of %g within %g", value, expected, tolerance);
    return std::abs(value - expected) <= tolerance;
}

bool failed(const JobDraw& job)
{
    return job.end == JobState::Failed || job.end == JobState::NodeFail ||
           job.end == JobState::Timeout;
}

bool any(const JobDraw&)
{
    return true;
}

}  // namespace

void WorkloadTest::initTestCase()
{
    const Workload workload(WorkloadProfile::Seren, 1024, 2288, 0.7);
    Random random(42);
    for (int i = 0; i < 200'000; ++i)
        m_jobs.push_back(workload.draw(random));
}

void WorkloadTest::typesHaveTheirShareOfTheJobs()
{
    const std::map<WorkloadType, double> shares{
        {WorkloadType::Eval, .649}, {WorkloadType::Pretrain, .009}, {WorkloadType::Sft, .149},
        {WorkloadType::Mllm, .029}, {WorkloadType::Debug, .019},    {WorkloadType::Other, .146}};
    for (const auto& [type, expected] : shares)
        QVERIFY(near(share([&](const JobDraw& job) { return job.type == type; }), expected, .005));
}

void WorkloadTest::pretrainingTakesMostOfTheGpuTime()
{
    const auto isPretrain = [](const JobDraw& job) { return job.type == WorkloadType::Pretrain; };
    QVERIFY(near(timeShare(isPretrain, any), .695, .08));
}

void WorkloadTest::demandFollowsTheFigure()
{
    const std::map<int, double> figure{{1, .540}, {2, .654},  {4, .679},
                                       {8, .967}, {64, .993}, {512, .998}};
    for (const auto& [gpus, expected] : figure)
        QVERIFY(near(share([&](const JobDraw& job) { return job.gpus <= gpus; }), expected, .01));
}

void WorkloadTest::runAndQueueTimesHaveTheirMedians()
{
    const std::map<WorkloadType, double> run{
        {WorkloadType::Eval, 129}, {WorkloadType::Pretrain, 297}, {WorkloadType::Sft, 197},
        {WorkloadType::Mllm, 253}, {WorkloadType::Debug, 114},    {WorkloadType::Other, 77}};
    for (const auto& [type, expected] : run)
        QVERIFY(near(median(type, &JobDraw::runSeconds), expected, .12 * expected));
    QVERIFY(median(WorkloadType::Eval, &JobDraw::queueSeconds) > 1);
    QVERIFY(median(WorkloadType::Pretrain, &JobDraw::queueSeconds) <= 1);
}

void WorkloadTest::jobsEndInThePublishedShares()
{
    const auto ended = [](JobState state) {
        return [state](const JobDraw& job) { return job.end == state; };
    };
    QVERIFY(near(share(ended(JobState::Completed)), .497, .02));
    QVERIFY(near(share(ended(JobState::Cancelled)), .075, .02));
    QVERIFY(near(share(failed), .429, .02));
    QVERIFY(near(timeShare(ended(JobState::Completed), any), .212, .07));
    QVERIFY(near(timeShare(ended(JobState::Cancelled), any), .664, .08));
    QVERIFY(near(timeShare(failed, any), .124, .05));
}

void WorkloadTest::infrastructureFailuresAreFewButCostMost()
{
    const auto isInfrastructure = [](const JobDraw& job) {
        return job.failure && job.failure->category == FailureCategory::Infrastructure;
    };
    QVERIFY(near(share(isInfrastructure) / share(failed), .109, .02));
    QVERIFY(near(timeShare(isInfrastructure, failed), .82, .1));
}

void WorkloadTest::sameSeedSameCluster()
{
    const auto options = *parseSimulatedOptions("nodes=64,seed=5");
    const auto start = Time{} + std::chrono::hours(400'000);
    ManualClock one(start), two(start);
    SimulatedCluster first(options, one), second(options, two);
    for (int i = 0; i < 60; ++i) {  // one is looked at often, the other once
        one.advance(std::chrono::minutes(2));
        (void)first.readings();
    }
    two.advance(std::chrono::minutes(120));
    QVERIFY(first.view().nodes == second.view().nodes);
    QVERIFY(first.view().jobs == second.view().jobs);
    const auto a = first.readings(), b = second.readings();
    QCOMPARE(a.size(), b.size());
    QCOMPARE(a[3].gpus[1][domain::GpuMetric::Power], b[3].gpus[1][domain::GpuMetric::Power]);
    SimulatedCluster other(*parseSimulatedOptions("nodes=64,seed=6"), one);
    QVERIFY(other.view().jobs != first.view().jobs);
}

void WorkloadTest::optionsThatAreNotUnderstoodAreNamed()
{
    QCOMPARE(parseSimulatedOptions("nodes=12500,speed=60")->nodes, 12500);
    QVERIFY(*parseSimulatedOptions("") == SimulatedOptions{});
    for (const char* text : {"nodes=0", "gpus=65", "speed=nan", "colour=red", "nodes"})
        QVERIFY2(!parseSimulatedOptions(text).ok(), text);
}

QTEST_GUILESS_MAIN(WorkloadTest)
#include "workload_test.moc"
