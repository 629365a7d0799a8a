#include <QLineEdit>

#include "tests/journeys/desk_window.h"
#include "ui/widgets/segmented_switch.h"

using namespace yard;
using model::JobState;

/// Restart of a running job from the Jobs page, both ways, away from its node; attempts linked.
class RestartJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup()
    {
        if (m_desk)
            m_desk->keepPictureIfFailed();
    }
    void requeueRunsElsewhereUnderTheSameId();
    void resubmitRunsElsewhereAsANewJob();

private:
    QString run(const QString& name);
    /// Opens the restart dialog of the job, with node excluded; `mode` 0 requeue, 2 resubmit.
    bool restart(const QString& job, const QString& excluded, int mode);
    const model::JobInfo* job(const QString& id) const { return m_desk->state().job(id); }
    QVector<model::JobAttemptInfo> attempts(const QString& id);

    test::RealCluster m_cluster{{.lab = {.nodes = 16,
                                         .gpus = 8,
                                         .accounting = true,
                                         .topology = true,
                                         .credExpireSeconds = 5}}};
    std::unique_ptr<test::DeskWindow> m_desk;
};

void RestartJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    m_desk = std::make_unique<test::DeskWindow>(m_cluster.socketPath());
    QVERIFY(QTest::qWaitForWindowExposed(&m_desk->window()));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().nodes().size(), 16, 15'000);
}

QString RestartJourney::run(const QString& name)
{
    // Slurm chooses the node: a job that asks for one by name could not run elsewhere.
    const QString id = m_cluster.submit({"--job-name=" + name, "--gres=gpu:8"});
    return QTest::qWaitFor([&] { return job(id) && job(id)->state == JobState::Running; }, 30'000)
               ? id
               : QString();
}

bool RestartJourney::restart(const QString& id, const QString& excluded, int mode)
{
    m_desk->window().showPage(model::Page::Jobs);
    auto* filter = m_desk->await<QLineEdit>("jobsFilter");
    filter->setFocus();
    filter->clear();
    QTest::keyClicks(filter, id);
    auto* table = m_desk->await<QAbstractItemView>("jobsTable");
    if (!QTest::qWaitFor([&] {
            return table->model()->rowCount() >= 1 &&
                   table->model()->index(0, 0).data().toString() == id;
        }))
        return false;
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(table->model()->index(0, 1)).center());
    auto* button = m_desk->await<QWidget>("restartButton");
    if (!button)
        return false;
    test::DeskWindow::click(button);
    auto* ways = m_desk->await<widgets::SegmentedSwitch>("restartSwitch");
    auto* exclude = m_desk->await<QLineEdit>("excludeField");
    if (!ways || !exclude)
        return false;
    ways->setFocus();
    while (ways->current() < mode)
        QTest::keyClick(ways, Qt::Key_Right);
    QTest::keyClicks(exclude, excluded);
    auto* confirm = m_desk->await<QWidget>("confirmButton");
    const int before = m_desk->state().operations().size();
    if (!QTest::qWaitFor([&] { return confirm->isEnabled(); }))
        return false;
    // The preview is made anew when what it is of has changed; the button waits for it.
    return QTest::qWaitFor(
        [&] {
            if (auto* visible = m_desk->find<QWidget>("confirmButton"))
                test::DeskWindow::click(visible);
            QTest::qWait(200);
            return m_desk->state().operations().size() > before;
        },
        15'000);
}

QVector<model::JobAttemptInfo> RestartJourney::attempts(const QString& id)
{
    bool answered = false;
    QVector<model::JobAttemptInfo> list;
    m_desk->actions().attempts(id, [&](model::Reply<QVector<model::JobAttemptInfo>> reply) {
        answered = true;
        list = reply.value.value_or(QVector<model::JobAttemptInfo>{});
    });
    (void)QTest::qWaitFor([&] { return answered; }, 10'000);
    return list;
}

void RestartJourney::requeueRunsElsewhereUnderTheSameId()
{
    const QString id = run("requeue-me");
    QVERIFY2(!id.isEmpty(), qPrintable(m_cluster.lab().error()));
    const QString first = job(id)->nodes;
    QVERIFY(restart(id, first, 0));
    QTRY_VERIFY_WITH_TIMEOUT(
        job(id) && job(id)->state == JobState::Running && job(id)->restarts == 1, 60'000);
    QVERIFY(job(id)->nodes != first);
    QTRY_COMPARE_WITH_TIMEOUT(attempts(id).size(), 2, 15'000);
    const auto list = attempts(id);
    QCOMPARE(list[0].job.nodes, first);
    QVERIFY(list[1].operationId != 0);
}

void RestartJourney::resubmitRunsElsewhereAsANewJob()
{
    const QString id = run("resubmit-me");
    QVERIFY2(!id.isEmpty(), qPrintable(m_cluster.lab().error()));
    const QString first = job(id)->nodes;
    QVERIFY(restart(id, first, 2));
    QTRY_VERIFY_WITH_TIMEOUT(!m_desk->state().operations().first().newJob.isEmpty(), 20'000);
    const QString next = m_desk->state().operations().first().newJob;
    QVERIFY(next != id);
    QTRY_VERIFY_WITH_TIMEOUT(job(next) && job(next)->state == JobState::Running, 30'000);
    QVERIFY(job(next)->nodes != first);
    QCOMPARE(job(next)->name, QStringLiteral("resubmit-me"));
    QCOMPARE(job(next)->gpus, 8);
    QTRY_COMPARE_WITH_TIMEOUT(job(next)->previousJob, id, 10'000);
    QTRY_VERIFY_WITH_TIMEOUT(job(id) && job(id)->nextJob == next, 10'000);
    QTRY_COMPARE_WITH_TIMEOUT(job(id)->state, JobState::Cancelled, 20'000);
    QCOMPARE(attempts(next).size(), 2);
}

int main(int argc, char** argv)
{
    const test::XDisplay display;
    QApplication app(argc, argv);
    theme::Theme::instance().install(app);
    RestartJourney journey;
    return QTest::qExec(&journey, argc, argv);
}
#include "restart_test.moc"
