#include "ui/model/series_query.h"

#include <QSignalSpy>
#include <QTest>
#include <deque>

#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/model/series_scope.h"

using namespace yard;
using namespace yard::model;

namespace {

/// Answers when the test says so, in the order of the calls.
class HeldSeries final : public Actions {
public:
    void preview(const ActionRequest&, Callback<PreviewInfo>) override {}
    void previewUndo(quint64, Callback<PreviewInfo>) override {}
    void execute(const QString&, const QString&, const QString&, int,
                 Callback<OperationInfo>) override
    {
    }
    void audit(quint64, int, Callback<AuditPage>) override {}
    void attempts(const QString&, Callback<QVector<JobAttemptInfo>>) override {}
    void characterize(const CharacterizeRequest&, Callback<Characterization>) override {}
    void series(const SeriesRequest& request, Callback<SeriesInfo> done) override
    {
        asked.append(request);
        m_open.push_back(std::move(done));
        mostOpen = std::max(mostOpen, int(m_open.size()));
    }
    void answer(const QString& error = {})
    {
        const Callback<SeriesInfo> done = std::move(m_open.front());
        m_open.pop_front();
        if (!error.isEmpty())
            return done({{}, error, ReplyCode::Refused});
        SeriesInfo info;
        info.stepMs = 15'000;
        info.metrics = {{{0, 1, 2, 3}}};
        done({info, {}, ReplyCode::Ok});
    }
    int open() const { return int(m_open.size()); }

    QVector<SeriesRequest> asked;
    int mostOpen = 0;

private:
    std::deque<Callback<SeriesInfo>> m_open;
};

SeriesQuery::Wish wishOf(int subjects, int firstHour = 0)
{
    SeriesQuery::Wish wish;
    for (int i = 0; i < subjects; ++i)
        wish.subjects.append({QStringLiteral("gpu%1").arg(i), 0, {}});
    wish.metrics = {int(GpuMetric::Power)};
    wish.from = QDateTime::fromSecsSinceEpoch(firstHour * 3600, Qt::UTC);
    wish.to = wish.from.addSecs(3600);
    wish.maxPoints = 300;
    return wish;
}

}  // namespace

class SeriesQueryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFewCallsAtATimeAndOneAnswer();
    void onlyTheNewestWishIsAnswered();
    void failuresAreCountedAndSaidOnce();
    void answersAfterTheEndAreDropped();
    void mergedKeepsExtremesAndGaps();
    void aJobsScopeIsItsSpanAndItsGpus();
    void aWaitingJobSaysWhyThereIsNothing();
    void ofManyGpusAnEvenChoiceIsAsked();
    void aNodesScopeKnowsTheGpuAskedFor();
};

void SeriesQueryTest::aFewCallsAtATimeAndOneAnswer()
{
    HeldSeries actions;
    SeriesQuery query(actions);
    QVector<SeriesQuery::Result> results;
    connect(&query, &SeriesQuery::answered, this, [&](const auto& r) { results.append(r); });
    query.ask(wishOf(10));
    while (actions.open() > 0) {
        QVERIFY(results.isEmpty());
        actions.answer();
    }
    QCOMPARE(actions.mostOpen, SeriesQuery::kMostAtOnce);
    QCOMPARE(actions.asked.size(), 10);
    QCOMPARE(actions.asked.first().maxPoints, 300);
    QCOMPARE(results.size(), 1);
    QCOMPARE(results.first().bySubject.size(), 10);
    QCOMPARE(results.first().stepMs, 15'000);
    QVERIFY(!query.isAsking());
}

void SeriesQueryTest::onlyTheNewestWishIsAnswered()
{
    HeldSeries actions;
    SeriesQuery query(actions);
    QVector<SeriesQuery::Result> results;
    connect(&query, &SeriesQuery::answered, this, [&](const auto& r) { results.append(r); });
    for (int hour = 0; hour < 50; ++hour)
        query.ask(wishOf(10, hour));
    while (actions.open() > 0)
        actions.answer();
    QCOMPARE(results.size(), 1);
    QCOMPARE(results.first().wish, wishOf(10, 49));
    // Dragging over fifty moments costs the daemon no more than the first calls and the last.
    QVERIFY(actions.asked.size() <= 10 + SeriesQuery::kMostAtOnce);
    QCOMPARE(actions.mostOpen, SeriesQuery::kMostAtOnce);
}

void SeriesQueryTest::failuresAreCountedAndSaidOnce()
{
    HeldSeries actions;
    SeriesQuery query(actions);
    SeriesQuery::Result result;
    connect(&query, &SeriesQuery::answered, this, [&](const auto& r) { result = r; });
    query.ask(wishOf(3));
    actions.answer(QStringLiteral("No readings of it were ever kept."));
    actions.answer();
    actions.answer(QStringLiteral("No readings of it were ever kept."));
    QCOMPARE(result.failed, 2);
    QCOMPARE(result.errors, QStringList{QStringLiteral("No readings of it were ever kept.")});
    QCOMPARE(result.bySubject[1].metrics.size(), 1);
    QVERIFY(result.bySubject[0].metrics.isEmpty());
}

void SeriesQueryTest::answersAfterTheEndAreDropped()
{
    HeldSeries actions;
    auto query = std::make_unique<SeriesQuery>(actions);
    query->ask(wishOf(2));
    query.reset();
    actions.answer();
    actions.answer();
    QCOMPARE(actions.asked.size(), 2);
}

void SeriesQueryTest::mergedKeepsExtremesAndGaps()
{
    const QVector<SeriesPoint> one{{0, 1, 2, 3}, {15'000, 5, 6, 7}, {60'000, 1, 1, 1}};
    const QVector<SeriesPoint> two{{0, 0, 4, 9}, {20'000, 2, 2, 8}};
    const QVector<SeriesPoint> all = merged({one, two}, 15'000);
    const QVector<SeriesPoint> wanted{{0, 0, 3, 9}, {15'000, 2, 4, 8}, {60'000, 1, 1, 1}};
    QCOMPARE(all, wanted);
    QVERIFY(merged({}, 15'000).isEmpty());
}

void SeriesQueryTest::aJobsScopeIsItsSpanAndItsGpus()
{
    ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate()));
    const JobInfo* job = state.job(QStringLiteral("482913"));
    QVERIFY(job);
    const SeriesScope scope = scopeOfJob(state, *job);
    QCOMPARE(scope.from, job->startTime);
    QVERIFY(!scope.to.isValid());  // it runs
    QCOMPARE(scope.gpuCount, job->gpus);
    QVERIFY(scope.nodeCount > 1);
    QCOMPARE(scope.nothing, QString());

    JobInfo ended = *job;
    ended.state = JobState::Completed;
    ended.endTime = job->startTime.addSecs(100);
    QCOMPARE(scopeOfJob(state, ended).to, ended.endTime);

    // Whole nodes are all of their GPUs, parts of nodes are not known.
    ended.gpuIndices.clear();
    QCOMPARE(scopeOfJob(state, ended).gpuCount, job->gpus);
    ended.gpus -= 1;
    QVERIFY(scopeOfJob(state, ended).gpus.isEmpty());
    QVERIFY(scopeOfJob(state, ended).noGpus.contains(QStringLiteral("does not say which")));
}

void SeriesQueryTest::aWaitingJobSaysWhyThereIsNothing()
{
    ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate()));
    JobInfo job;
    job.displayId = QStringLiteral("1");
    job.state = JobState::Pending;
    QVERIFY(scopeOfJob(state, job).nothing.contains(QStringLiteral("It waits")));
    job.state = JobState::Cancelled;
    QVERIFY(scopeOfJob(state, job).nothing.contains(QStringLiteral("never ran")));
}

void SeriesQueryTest::ofManyGpusAnEvenChoiceIsAsked()
{
    ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate()));
    const JobInfo* job = state.job(QStringLiteral("482790"));
    QVERIFY(job && job->gpus > 500);
    const SeriesScope scope = scopeOfJob(state, *job);
    QCOMPARE(scope.gpus.size(), kMostSeriesSubjects);
    QCOMPARE(scope.gpuCount, job->gpus);
    QSet<QString> nodes;
    for (const SeriesSubject& gpu : scope.gpus)
        nodes.insert(gpu.node);
    QCOMPARE(nodes.size(), kMostSeriesSubjects);
}

void SeriesQueryTest::aNodesScopeKnowsTheGpuAskedFor()
{
    ClusterState state;
    QVERIFY(state.apply(test::sampleUpdate()));
    const int node = state.nodeIndex(QStringLiteral("gpu171"));
    QCOMPARE(scopeOfNode(state, node).gpu, -1);
    const SeriesScope scope = scopeOfNode(state, node, 3);
    QCOMPARE(scope.gpu, 3);
    QCOMPARE(scope.gpus.size(), 8);
    QVERIFY(!scope.from.isValid());
}

QTEST_GUILESS_MAIN(SeriesQueryTest)
#include "series_query_test.moc"
