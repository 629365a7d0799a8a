#include "ui/pages/jobs/job_cells.h"

#include <QTest>

#include "tests/support/sample_cluster.h"
#include "ui/model/cell_roles.h"
#include "ui/model/cluster_state.h"
#include "ui/model/job_table_model.h"
#include "ui/model/selection.h"

using namespace yard;
using namespace yard::model;

/// What the Jobs table says of a row, in the room it has.
class JobCellsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void anArrayIsKnownByWhatRuns();
    void countsThatDoNotFitAreSummedNotCut();
    void waitsAreWholeSeconds();

private:
    QVariant cell(int column, int role = Qt::DisplayRole) const
    {
        return m_cells->data(m_cells->index(0, column), role);
    }

    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<JobTableModel> m_jobs;
    std::unique_ptr<pages::JobCells> m_cells;
};

void JobCellsTest::init()
{
    m_cells.reset();
    m_jobs.reset();
    m_state = std::make_unique<ClusterState>();
    m_selection = std::make_unique<Selection>();
    ClusterUpdate update = test::sampleUpdate();
    update.jobs.clear();
    quint64 id = 101;
    const auto add = [&](int count, JobState state, const char* words) {
        for (int i = 0; i < count; ++i, ++id) {
            JobInfo job;
            job.id = id;
            job.arrayJob = 100;
            job.displayId = QStringLiteral("100_%1").arg(id - 100);
            job.state = state;
            job.stateText = QString::fromLatin1(words);
            job.submitTime = QDateTime::fromSecsSinceEpoch(1'790'000'000);
            job.startTime = job.submitTime;
            update.jobs << job;
        }
    };
    add(6, JobState::Completed, "COMPLETED");
    add(5, JobState::Running, "RUNNING");
    add(4, JobState::Failed, "FAILED");
    add(3, JobState::Timeout, "TIMEOUT");
    QVERIFY(m_state->apply(update));
    m_jobs = std::make_unique<JobTableModel>(*m_state, *m_selection);
    m_cells = std::make_unique<pages::JobCells>(*m_state, *m_jobs);
    QCOMPARE(m_cells->rowCount(), 1);
}

void JobCellsTest::anArrayIsKnownByWhatRuns()
{
    // Its first task has ended.
    QCOMPARE(cell(JobTableModel::State, JobStateRole).toInt(), int(JobState::Running));
}

void JobCellsTest::countsThatDoNotFitAreSummedNotCut()
{
    const QString all = QStringLiteral("5 RUNNING, 6 COMPLETED, 4 FAILED, 3 TIMEOUT");
    m_cells->setStateColumns(60);
    QCOMPARE(cell(JobTableModel::State).toString(), all);
    m_cells->setStateColumns(41);
    QCOMPARE(cell(JobTableModel::State).toString(),
             QStringLiteral("5 RUNNING, 6 COMPLETED, 4 FAILED, +3 more"));
    m_cells->setStateColumns(35);
    QCOMPARE(cell(JobTableModel::State).toString(),
             QStringLiteral("5 RUNNING, 6 COMPLETED, +7 more"));
    m_cells->setStateColumns(10);
    QCOMPARE(cell(JobTableModel::State).toString(), QStringLiteral("5 RUNNING, +13 more"));
    QCOMPARE(cell(JobTableModel::State, FullTextRole).toString(), all);
}

void JobCellsTest::waitsAreWholeSeconds()
{
    QCOMPARE(cell(JobTableModel::Waited).toString(), QStringLiteral("0 s"));
}

QTEST_GUILESS_MAIN(JobCellsTest)
#include "job_cells_test.moc"
