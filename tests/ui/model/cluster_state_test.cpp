#include "ui/model/cluster_state.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "tests/support/sample_cluster.h"
#include "ui/model/action_rules.h"
#include "ui/model/outcomes.h"
#include "ui/model/selection.h"

using namespace yard::model;
using namespace yard;

class ClusterStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aFullUpdateReplacesEverything();
    void aDeltaOfAnotherRevisionChangesNothing_data();
    void aDeltaOfAnotherRevisionChangesNothing();
    void aDeltaChangesWhatItNames();
    void anUpdateThatDoesNotFitItselfIsRefused();
    void missingReadingsAreNotZero();
    void agesGrowWhileNothingComes();
    void agesAreKeptByUpdatesWithoutReadings();
    void gpuIdentitiesSurviveANodeDelta();
    void jobsAreFoundByNodeAndGpu();
    void aReusedIdMeansTheNewestJob();
    void removedJobsAreGone();
    void faultsMarkTheirGpu();
    void anOpenOperationIsFoundByTarget();
    void rulesSayWhyNot();
    void outcomesAreToldOnce();
    void aReadingsUpdateOfALargeClusterIsCheap();
    void aPastMomentKeepsTheTrendThatWasTold();

private:
    ClusterUpdate delta() const;
    qint64 m_now = 0;
    std::unique_ptr<ClusterState> m_state;
};

void ClusterStateTest::init()
{
    m_now = 1000;
    m_state = std::make_unique<ClusterState>(nullptr, [this] { return m_now; });
    QVERIFY(m_state->apply(test::sampleUpdate()));
}

ClusterUpdate ClusterStateTest::delta() const
{
    ClusterUpdate update;
    update.baseRevision = m_state->revision();
    update.revision = update.baseRevision + 1;
    update.at = m_state->now();
    return update;
}

void ClusterStateTest::aFullUpdateReplacesEverything()
{
    QSignalSpy topology(m_state.get(), &ClusterState::topologyChanged);
    QSignalSpy nodes(m_state.get(), &ClusterState::nodesChanged);

    QVERIFY(m_state->apply(test::sampleUpdate()));
    QCOMPARE(topology.count(), 0);  // the same nodes in the same order: rows keep their places
    QCOMPARE(nodes.count(), 1);

    test::SampleOptions smaller;
    smaller.nodes = 32;
    QVERIFY(m_state->apply(test::sampleUpdate(smaller)));
    QCOMPARE(topology.count(), 1);
    QCOMPARE(m_state->nodes().size(), 32);
    QCOMPARE(m_state->gpuCount(), 256);
    QCOMPARE(m_state->nodeIndex(QStringLiteral("gpu032")), 31);
    QCOMPARE(m_state->nodeIndex(QStringLiteral("gpu033")), -1);
}

void ClusterStateTest::aDeltaOfAnotherRevisionChangesNothing_data()
{
    QTest::addColumn<int>("base");
    QTest::newRow("one ahead") << 2;
    QTest::newRow("far behind") << 77;
}

void ClusterStateTest::aDeltaOfAnotherRevisionChangesNothing()
{
    QFETCH(int, base);
    QSignalSpy readings(m_state.get(), &ClusterState::readingsChanged);
    ClusterUpdate update = delta();
    update.baseRevision = quint64(base);
    update.readingAgeSeconds.fill(0, 286);

    QVERIFY(!m_state->apply(update));
    QCOMPARE(m_state->revision(), 1U);
    QCOMPARE(readings.count(), 0);
}

void ClusterStateTest::aDeltaChangesWhatItNames()
{
    const QString other = m_state->nodes()[6].stateText;
    QSignalSpy nodes(m_state.get(), &ClusterState::nodesChanged);
    ClusterUpdate update = delta();
    NodeInfo node = m_state->nodes()[5];
    node.stateText = QStringLiteral("DOWN*");
    update.nodes = {node};
    update.nodeIndex = {5};
    update.gpuColumns = {{int(GpuMetric::Power), {333}, {41}}};

    QVERIFY(m_state->apply(update));
    QCOMPARE(m_state->nodes()[5].stateText, QStringLiteral("DOWN*"));
    QCOMPARE(m_state->nodes()[6].stateText, other);
    QCOMPARE(m_state->gpuValue(GpuMetric::Power, 5, 1), 333.0F);
    QCOMPARE(nodes.count(), 1);
    QCOMPARE(nodes.first().first().value<QVector<int>>(), QVector<int>{5});
}

void ClusterStateTest::anUpdateThatDoesNotFitItselfIsRefused()
{
    ClusterUpdate update = delta();
    update.gpuColumns = {{int(GpuMetric::Power), {1, 2}, {3, 99999}}};
    QVERIFY(!m_state->apply(update));

    update = delta();
    update.gpuColumns = {{int(GpuMetric::Power), {1, 2, 3}, {}}};  // not the whole column
    QVERIFY(!m_state->apply(update));

    update = delta();
    update.nodes = {m_state->nodes()[0]};
    update.nodeIndex = {286};
    QVERIFY(!m_state->apply(update));
    QCOMPARE(m_state->revision(), 1U);
}

void ClusterStateTest::missingReadingsAreNotZero()
{
    ClusterUpdate update = delta();
    update.gpuColumns = {{int(GpuMetric::Energy), {7}, {0}}};
    QVERIFY(m_state->apply(update));

    QCOMPARE(m_state->gpuValue(GpuMetric::Energy, 0, 0), 7.0F);
    QVERIFY(std::isnan(m_state->gpuValue(GpuMetric::Energy, 0, 1)));
    QVERIFY(std::isnan(m_state->gpuValue(GpuMetric::Power, 0, 8)));  // there is no ninth
    QVERIFY(std::isnan(m_state->gpuValue(GpuMetric::Power, 999, 0)));
}

void ClusterStateTest::agesGrowWhileNothingComes()
{
    ClusterUpdate update = delta();
    update.readingAgeSeconds.fill(1, 286);
    update.readingAgeSeconds[3] = -1;
    update.readingIntervalSeconds = 15;
    QVERIFY(m_state->apply(update));
    m_state->setConnection(Connection::Disconnected, QStringLiteral("No daemon answers."));

    QCOMPARE(m_state->readingAge(0), 1.0);
    QCOMPARE(m_state->readingAge(3), -1.0);
    QCOMPARE(m_state->freshness(0), Freshness::Live);
    QCOMPARE(m_state->freshness(3), Freshness::Missing);
    m_now += 40'000;
    QCOMPARE(m_state->readingAge(0), 41.0);
    QCOMPARE(m_state->freshness(0), Freshness::Ageing);
    QCOMPARE(m_state->age(), 40.0);
    m_now += 60'000;
    QCOMPARE(m_state->freshness(0), Freshness::Stale);
    m_now += 600'000;
    QCOMPARE(m_state->freshness(0), Freshness::Missing);
    QCOMPARE(m_state->readingAge(3), -1.0);
    QCOMPARE(m_state->now(), update.at.addMSecs(700'000));
}

void ClusterStateTest::agesAreKeptByUpdatesWithoutReadings()
{
    const double before = m_state->readingAge(0);
    m_now += 20'000;
    QVERIFY(m_state->apply(delta()));
    QCOMPARE(m_state->readingAge(0), before + 20);
    QCOMPARE(m_state->age(), 0.0);
}

void ClusterStateTest::gpuIdentitiesSurviveANodeDelta()
{
    ClusterUpdate update = delta();
    update.gpuIdentities = {
        {2, {QStringLiteral("GPU-a")}, {QStringLiteral("0000:07:00.0")}, QStringLiteral("A100")}};
    QVERIFY(m_state->apply(update));
    update = delta();
    NodeInfo bare = m_state->nodes()[2];
    bare.gpuUuids.clear();
    bare.reason = QStringLiteral("new");
    update.nodes = {bare};
    update.nodeIndex = {2};
    QVERIFY(m_state->apply(update));

    QCOMPARE(m_state->nodes()[2].reason, QStringLiteral("new"));
    QCOMPARE(m_state->nodes()[2].gpuUuids, QStringList{QStringLiteral("GPU-a")});
}

void ClusterStateTest::jobsAreFoundByNodeAndGpu()
{
    ClusterUpdate update = delta();
    JobInfo a;
    a.id = 1;
    a.displayId = QStringLiteral("1");
    a.state = JobState::Running;
    a.nodes = QStringLiteral("gpu[284-286]");
    a.gpus = 12;
    a.gpuIndices = {{QStringLiteral("gpu284"), {0, 1}}, {QStringLiteral("gpu285"), {4}}};
    JobInfo b = a;
    b.id = 2;
    b.displayId = QStringLiteral("2");
    b.nodes = QStringLiteral("gpu284");
    b.gpuIndices = {{QStringLiteral("gpu284"), {2}}};
    JobInfo waiting = a;
    waiting.id = 3;
    waiting.displayId = QStringLiteral("3");
    waiting.state = JobState::Pending;
    update.jobs = {a, b, waiting};
    QVERIFY(m_state->apply(update));

    const int node = m_state->nodeIndex(QStringLiteral("gpu284"));
    QCOMPARE(m_state->jobsOnNode(node).size(), 2);
    const auto on = [&](int gpu) {
        const int job = m_state->jobOnGpu(node, gpu);
        return job < 0 ? QString() : m_state->jobs()[job].displayId;
    };
    QCOMPARE(on(1), QStringLiteral("1"));
    QCOMPARE(on(2), QStringLiteral("2"));
    QCOMPARE(on(3), QString());
}

void ClusterStateTest::aReusedIdMeansTheNewestJob()
{
    ClusterUpdate update = delta();
    JobInfo old;
    old.id = 9;
    old.displayId = QStringLiteral("9");
    old.name = QStringLiteral("old");
    old.submitTime = test::sampleNow().addDays(-30);
    JobInfo young = old;
    young.name = QStringLiteral("young");
    young.submitTime = test::sampleNow();
    update.jobs = {young, old};
    const auto jobs = m_state->jobs().size();
    QVERIFY(m_state->apply(update));

    QCOMPARE(m_state->jobs().size(), jobs + 2);
    QCOMPARE(m_state->job(QStringLiteral("9"))->name, QStringLiteral("young"));
}

void ClusterStateTest::removedJobsAreGone()
{
    const JobInfo first = m_state->jobs().first();
    const JobInfo last = m_state->jobs().last();
    const auto before = m_state->jobs().size();
    ClusterUpdate update = delta();
    update.removedJobs = {{first.id, first.submitTime.toMSecsSinceEpoch()}, {123456789, 0}};
    QVERIFY(m_state->apply(update));

    QCOMPARE(m_state->jobs().size(), before - 1);
    QVERIFY(m_state->job(first.displayId) == nullptr);
    QCOMPARE(m_state->job(last.displayId)->id, last.id);
}

void ClusterStateTest::faultsMarkTheirGpu()
{
    const int node = m_state->nodeIndex(QStringLiteral("gpu171"));
    QVERIFY(m_state->gpuHasFault(node, 3));
    QVERIFY(!m_state->gpuHasFault(node, 2));
    ClusterUpdate update = delta();
    update.hasFaults = true;
    QVERIFY(m_state->apply(update));
    QVERIFY(!m_state->gpuHasFault(node, 3));
}

void ClusterStateTest::anOpenOperationIsFoundByTarget()
{
    QVERIFY(m_state->openOperationOn(QStringLiteral("gpu189")));
    ClusterUpdate update = delta();
    OperationInfo settled = *m_state->openOperationOn(QStringLiteral("gpu189"));
    settled.state = OperationState::Observed;
    update.operations = {settled};
    QVERIFY(m_state->apply(update));
    QVERIFY(!m_state->openOperationOn(QStringLiteral("gpu189")));
    QCOMPARE(m_state->operations().first().id, settled.id);
}

void ClusterStateTest::rulesSayWhyNot()
{
    const QStringList busy{QStringLiteral("gpu001")};
    QVERIFY(
        refusalFor(*m_state, ActionKind::Drain, busy).contains(QStringLiteral("Not connected")));
    m_state->setConnection(Connection::Connected);
    QCOMPARE(refusalFor(*m_state, ActionKind::Drain, busy), QString());
    QVERIFY(!refusalFor(*m_state, ActionKind::Drain, {}).isEmpty());
    QVERIFY(refusalFor(*m_state, ActionKind::Resume, busy)
                .contains(QStringLiteral("nothing to resume")));
    QVERIFY(refusalFor(*m_state, ActionKind::Drain, {QStringLiteral("gpu171")})
                .contains(QStringLiteral("already")) ||
            !m_state->nodes()[170].flags.contains(QStringLiteral("DRAIN")));

    ClusterUpdate update = test::sampleUpdate();
    update.rights = {{QStringLiteral("drain"), false, QStringLiteral("Invalid user id")}};
    QVERIFY(m_state->apply(update));
    QVERIFY(
        refusalFor(*m_state, ActionKind::Drain, busy).contains(QStringLiteral("Invalid user id")));
    QCOMPARE(refusalFor(*m_state, ActionKind::Reboot, busy), QString());
    update.role = Role::Viewer;
    QVERIFY(m_state->apply(update));
    QVERIFY(
        refusalFor(*m_state, ActionKind::Reboot, busy).contains(QStringLiteral("operator role")));
}

void ClusterStateTest::outcomesAreToldOnce()
{
    Outcomes outcomes(*m_state);
    QSignalSpy settled(&outcomes, &Outcomes::settled);
    outcomes.expect(QStringLiteral("mine"));
    const auto report = [&](quint64 id, const char* request, OperationState state) {
        ClusterUpdate update = delta();
        OperationInfo operation;
        operation.id = id;
        operation.requestId = QString::fromLatin1(request);
        operation.state = state;
        update.operations = {operation};
        QVERIFY(m_state->apply(update));
    };
    report(9001, "mine", OperationState::Sent);
    report(9002, "of another window", OperationState::Observed);
    QCOMPARE(settled.count(), 0);  // a press of a button is no outcome
    report(9001, "mine", OperationState::Observed);
    report(9001, "mine", OperationState::Observed);
    QCOMPARE(settled.count(), 1);
}

void ClusterStateTest::aReadingsUpdateOfALargeClusterIsCheap()
{
    test::SampleOptions large;
    large.nodes = 16384;
    ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate(large)));
    QVector<ClusterUpdate> updates;
    for (int i = 0; i < 9; ++i)
        updates.append(test::sampleReadings(large, quint64(i) + 1, i));
    QVector<double> milliseconds;
    for (const ClusterUpdate& update : updates) {
        QElapsedTimer timer;
        timer.start();
        QVERIFY(state.apply(update));
        milliseconds.append(double(timer.nsecsElapsed()) / 1e6);
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    qInfo("16,384 nodes: a readings-only update takes %.3f ms (median)", milliseconds[4]);
    QVERIFY2(milliseconds[4] < 5, qPrintable(QString::number(milliseconds[4])));
}

void ClusterStateTest::aPastMomentKeepsTheTrendThatWasTold()
{
    ClusterUpdate live = test::sampleUpdate();
    live.trend.clear();
    live.trend.append(TrendInfo{live.at.addSecs(-60), 5});
    QVERIFY(m_state->apply(live));
    ClusterUpdate past = test::sampleUpdate();
    past.isPast = true;
    past.trend.clear();
    past.at = live.at.addSecs(-240);
    QVERIFY(m_state->apply(past));
    QCOMPARE(m_state->trend().size(), 1);
    live.trend.clear();
    QVERIFY(m_state->apply(live));
    QVERIFY(m_state->trend().isEmpty());
}

QTEST_GUILESS_MAIN(ClusterStateTest)
#include "cluster_state_test.moc"
