#include <QTest>

#include "tests/support/real_cluster.h"

using namespace yard;

/// Actions on a job array with tasks that run and tasks that wait, on a real Slurm.
class ArrayActionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void aHoldIsForTheTasksThatWait();
    void oneTaskOfManyIsHeldAndReleased();
    void aRequeueIsForTheTasksThatRun();
    void aCancelIsForAllOfThemAndOnce();

private:
    using Result = test::RealCluster::CommandResult;
    Result act(const QString& verb, const QString& jobs)
    {
        return m_cluster.yardctl(
            {verb, jobs, QStringLiteral("--yes"), QStringLiteral("--wait"), QStringLiteral("25")});
    }
    /// State and reason of each task, as Slurm has them.
    QStringList tasks(const QString& states)
    {
        return m_cluster.lab()
            .slurm({"squeue", "-h", "-r", "-t", states, "-j", m_job, "-o", "%K %T %r"})
            .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    }

    test::RealCluster m_cluster{{.lab = {.nodes = 3, .gpus = 2}}};
    QString m_job;
};

void ArrayActionsTest::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    m_job = m_cluster.submit({"--array=0-6%3", "--gres=gpu:2"});
    QTRY_COMPARE_WITH_TIMEOUT(int(tasks("running").size()), 3, 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        m_cluster.yardctl({"jobs", m_job, "--state", "running"}).output.count("RUNNING") == 3,
        20'000);
}

void ArrayActionsTest::aHoldIsForTheTasksThatWait()
{
    const Result hold = act("hold", m_job);
    QVERIFY2(hold.exitCode == 0, (hold.output + hold.error).constData());
    QVERIFY2(hold.output.contains("are left out, running already"), hold.output.constData());
    QVERIFY2(hold.output.contains(" held, as the scheduler reports"), hold.output.constData());
    QCOMPARE(tasks("pending").filter("JobHeldAdmin").size(), 4);
    QCOMPARE(tasks("running").filter("JobHeld").size(), 0);

    const Result again = act("hold", m_job + "_0");
    QCOMPARE(again.exitCode, 4);
    QVERIFY2(again.error.contains("a hold is for waiting jobs only"), again.error.constData());

    const Result release = act("release", m_job);
    QVERIFY2(release.exitCode == 0, (release.output + release.error).constData());
    QTRY_COMPARE(tasks("pending").filter("JobHeld").size(), 0);
}

void ArrayActionsTest::oneTaskOfManyIsHeldAndReleased()
{
    const Result hold = act("hold", m_job + "_5");
    QVERIFY2(hold.exitCode == 0, (hold.output + hold.error).constData());
    QCOMPARE(tasks("pending").filter("JobHeldAdmin"), QStringList{"5 PENDING JobHeldAdmin"});
    const Result jobs = m_cluster.yardctl({"jobs", m_job});
    QVERIFY2(!jobs.output.contains("no longer reported"), jobs.output.constData());
    QVERIFY2(jobs.output.contains((m_job + "_5 ").toUtf8()), jobs.output.constData());
    const Result release = act("release", m_job + "_5");
    QVERIFY2(release.exitCode == 0, (release.output + release.error).constData());
    QCOMPARE(tasks("pending").filter("JobHeld").size(), 0);
}

void ArrayActionsTest::aRequeueIsForTheTasksThatRun()
{
    const Result requeue = act("requeue", m_job);
    QVERIFY2(requeue.exitCode == 0, (requeue.output + requeue.error).constData());
    QVERIFY2(requeue.output.contains("waiting already"), requeue.output.constData());
    QVERIFY2(requeue.output.contains("3 jobs requeued"), requeue.output.constData());
}

void ArrayActionsTest::aCancelIsForAllOfThemAndOnce()
{
    const Result cancel = act("cancel", m_job);
    QVERIFY2(cancel.exitCode == 0, (cancel.output + cancel.error).constData());
    QTRY_COMPARE(int(tasks("pending,running").size()), 0);
    const QString ended = m_cluster.submit({"--gres=gpu:1", "--time=1"});
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.yardctl({"jobs", ended}).output.contains("RUNNING"), 30'000);
    QCOMPARE(act("cancel", ended).exitCode, 0);
    const Result twice = act("cancel", ended);
    QCOMPARE(twice.exitCode, 4);
    QVERIFY2(twice.error.contains("has already ended: CANCELLED at "), twice.error.constData());
}

QTEST_GUILESS_MAIN(ArrayActionsTest)
#include "array_actions_test.moc"
