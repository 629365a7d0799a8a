#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/model/job_table_model.h"
#include "ui/model/selection.h"
#include "ui/pages/jobs/jobs_page.h"
#include "ui/theme/theme.h"
#include "ui/widgets/actions/action_desk.h"
#include "ui/widgets/table/table_view.h"

using namespace yard;
using namespace yard::model;

/// The job that is being looked at goes on being looked at, whatever a restart makes of it.
class FollowedJobTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init();
    void cleanup();
    void aRequeuedJobStaysInView();
    void theNewJobIsFollowedWhenItIsResubmitted();
    void anOldJobThatWasRestartedLongAgoCanBeLookedAt();

private:
    ClusterUpdate delta() const;
    QString currentId() const;
    bool isInView() const;
    JobInfo aRunningJob() const;

    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<Selection> m_selection;
    std::unique_ptr<widgets::ActionDesk> m_desk;
    std::unique_ptr<pages::JobsPage> m_page;
    widgets::TableView* m_table = nullptr;
};

void FollowedJobTest::init()
{
    m_state = std::make_unique<ClusterState>();
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    m_selection = std::make_unique<Selection>();
    m_desk = std::make_unique<widgets::ActionDesk>(*m_state, *m_actions);
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    m_page = std::make_unique<pages::JobsPage>(*m_desk, *m_selection);
    m_page->resize(1736, 400);
    m_page->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    m_table = m_page->findChild<widgets::TableView*>(QStringLiteral("jobsTable"));
    QVERIFY(m_table);
    // So that a state that changes moves the job far away.
    m_table->sortBy(JobTableModel::State, Qt::DescendingOrder);
}

void FollowedJobTest::cleanup()
{
    m_page.reset();
    m_desk.reset();
    m_selection.reset();
    m_actions.reset();
    m_state.reset();
}

ClusterUpdate FollowedJobTest::delta() const
{
    ClusterUpdate update;
    update.baseRevision = m_state->revision();
    update.revision = update.baseRevision + 1;
    update.at = m_state->now();
    return update;
}

QString FollowedJobTest::currentId() const
{
    return m_table->currentIndex().siblingAtColumn(JobTableModel::Id).data().toString();
}

bool FollowedJobTest::isInView() const
{
    return m_table->viewport()->rect().contains(
        m_table->visualRect(m_table->currentIndex()).center());
}

JobInfo FollowedJobTest::aRunningJob() const
{
    for (const JobInfo& job : m_state->jobs()) {
        if (job.state == JobState::Running && job.arrayJob == 0)
            return job;
    }
    return {};
}

void FollowedJobTest::aRequeuedJobStaysInView()
{
    const JobInfo job = aRunningJob();
    m_selection->setCurrentJob(job.displayId);
    QCOMPARE(currentId(), job.displayId);
    ClusterUpdate update = delta();
    update.removedJobs = {{job.id, job.submitTime.toMSecsSinceEpoch()}};
    JobInfo again = job;
    again.submitTime = m_state->now();
    again.startTime = {};
    again.state = JobState::Pending;
    again.stateText = QStringLiteral("PENDING");
    again.restarts = 1;
    update.jobs = {again};
    QVERIFY(m_state->apply(update));
    QCOMPARE(m_selection->currentJob(), job.displayId);
    QCOMPARE(currentId(), job.displayId);
    QVERIFY(isInView());
}

void FollowedJobTest::theNewJobIsFollowedWhenItIsResubmitted()
{
    JobInfo job = aRunningJob();
    m_selection->setCurrentJob(job.displayId);
    JobInfo next = job;
    next.id = 999'001;
    next.displayId = QStringLiteral("999001");
    next.previousJob = job.displayId;
    next.state = JobState::Pending;
    next.stateText = QStringLiteral("PENDING");
    next.submitTime = m_state->now();
    job.nextJob = next.displayId;
    ClusterUpdate update = delta();
    update.jobs = {job, next};
    QVERIFY(m_state->apply(update));
    QCOMPARE(m_selection->currentJob(), next.displayId);
    QCOMPARE(currentId(), next.displayId);
    QVERIFY(isInView());
}

void FollowedJobTest::anOldJobThatWasRestartedLongAgoCanBeLookedAt()
{
    theNewJobIsFollowedWhenItIsResubmitted();
    const QString old = m_state->job(QStringLiteral("999001"))->previousJob;
    m_selection->setCurrentJob(old);
    ClusterUpdate update = delta();
    update.jobs = {*m_state->job(old)};
    QVERIFY(m_state->apply(update));
    QCOMPARE(m_selection->currentJob(), old);
}

QTEST_MAIN(FollowedJobTest)
#include "followed_job_test.moc"
