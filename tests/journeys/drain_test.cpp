#include <QElapsedTimer>
#include <QLineEdit>

#include "tests/journeys/desk_window.h"
#include "ui/model/node_table_model.h"

using namespace yard;
using model::OperationState;

/// A click on *Drain* in a real window, on a real Slurm: the damage, requested, observed, undo.
class DrainJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup()
    {
        if (m_desk)
            m_desk->keepPictureIfFailed();
    }
    void theJobsThatRunThereAreInThePreview();
    void requestedShowsUntilSlurmSaysSo();
    void drainedIsOnScreenWithinTwoSecondsOfSlurm();
    void undoGivesTheNodesBack();

private:
    /// What the Nodes page shows of a node.
    QString shown(const QString& node, int role = Qt::DisplayRole) const;
    bool mark(const QString& hostlist);

    test::RealCluster m_cluster;
    std::unique_ptr<test::DeskWindow> m_desk;
    QString m_job;
};

void DrainJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    m_job = m_cluster.submit({"--nodelist=node003", "--gres=gpu:8", "--job-name=journey"});
    QVERIFY2(!m_job.isEmpty(), qPrintable(m_cluster.lab().error()));
    QVERIFY(test::RealCluster::waitUntil(
        [&] {
            return m_cluster.nodeState("node003").contains("ALLOC") ||
                   m_cluster.nodeState("node003").contains("MIX");
        },
        20'000));
    m_desk = std::make_unique<test::DeskWindow>(m_cluster.socketPath());
    QVERIFY(QTest::qWaitForWindowExposed(&m_desk->window()));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().nodes().size(), 16, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(m_desk->state().job(m_job) && m_desk->state().job(m_job)->isActive(),
                             15'000);
    m_desk->window().showPage(model::Page::Nodes);
}

QString DrainJourney::shown(const QString& node, int role) const
{
    auto* table = m_desk->find<QAbstractItemView>("nodesTable");
    if (!table)
        return {};
    const auto* model = table->model();
    for (int row = 0; row < model->rowCount(); ++row) {
        if (model->index(row, model::NodeTableModel::Name).data().toString() == node)
            return model->index(row, model::NodeTableModel::State).data(role).toString();
    }
    return {};
}

bool DrainJourney::mark(const QString& hostlist)
{
    auto* filter = m_desk->await<QLineEdit>("nodesFilter");
    if (!filter)
        return false;
    filter->setFocus();
    filter->clear();
    QTest::keyClicks(filter, hostlist);
    auto* table = m_desk->await<QAbstractItemView>("nodesTable");
    if (!QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }))
        return false;
    test::DeskWindow::click(m_desk->await<QWidget>("markShownButton"));
    return QTest::qWaitFor([&] { return m_desk->find<QWidget>("selectionBar") != nullptr; });
}

void DrainJourney::theJobsThatRunThereAreInThePreview()
{
    QVERIFY(mark("node[003-004]"));
    auto* drain = m_desk->await<QWidget>("drainButton");
    QVERIFY(drain);
    test::DeskWindow::click(drain);
    auto* jobs = m_desk->await<QAbstractItemView>("affectedJobs");
    QVERIFY(jobs);
    QTRY_COMPARE(jobs->model()->rowCount(), 1);
    QCOMPARE(jobs->model()->index(0, 0).data().toString(), m_job);

    // Without a reason nothing can be confirmed.
    auto* confirm = m_desk->await<QWidget>("confirmButton");
    test::DeskWindow::click(confirm);
    QVERIFY(m_desk->state().operations().isEmpty());
    QVERIFY(!m_cluster.nodeState("node004").contains("DRAIN"));
}

void DrainJourney::requestedShowsUntilSlurmSaysSo()
{
    auto* reason = m_desk->await<QLineEdit>("reasonField");
    QVERIFY(reason);
    QTest::keyClicks(reason, "fan tray FT-22");
    test::DeskWindow::click(m_desk->await<QWidget>("confirmButton"));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().operations().size(), 1, 10'000);
    // The first thing the desktop hears of it is the intent, not a fact.
    const auto& operation = m_desk->state().operations().first();
    QCOMPARE(operation.kind, model::ActionKind::Drain);
    QCOMPARE(operation.reason, QStringLiteral("fan tray FT-22"));

    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.nodeState("node004").contains("DRAIN"), 10'000);
    QElapsedTimer sinceSlurm;
    sinceSlurm.start();
    QTRY_VERIFY_WITH_TIMEOUT(shown("node004").contains("DRAIN"), 10'000);
    QVERIFY2(sinceSlurm.elapsed() < 2'000, qPrintable(QString::number(sinceSlurm.elapsed())));
    QTRY_VERIFY_WITH_TIMEOUT(shown("node003").contains("DRAIN"), 5'000);
    QCOMPARE(m_desk->state().nodes()[m_desk->state().nodeIndex("node003")].category,
             model::NodeCategory::Draining);
    QCOMPARE(m_desk->state().nodes()[m_desk->state().nodeIndex("node004")].category,
             model::NodeCategory::Drained);
    const QString text = m_cluster.lab().slurm({"scontrol", "show", "node", "node004"});
    QVERIFY2(text.contains(QStringLiteral("Reason=yard:%1 fan tray FT-22").arg(operation.id)),
             qPrintable(text));
}

void DrainJourney::drainedIsOnScreenWithinTwoSecondsOfSlurm()
{
    m_cluster.lab().slurm({"scancel", m_job});
    QVERIFY(
        QTest::qWaitFor([&] { return m_cluster.nodeState("node003") == "IDLE+DRAIN"; }, 30'000));
    QElapsedTimer sinceSlurm;
    sinceSlurm.start();
    const int node = m_desk->state().nodeIndex("node003");
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().nodes()[node].category, model::NodeCategory::Drained,
                              10'000);
    QVERIFY2(sinceSlurm.elapsed() < 2'000, qPrintable(QString::number(sinceSlurm.elapsed())));
    QTRY_COMPARE_WITH_TIMEOUT(m_desk->state().operations().first().state, OperationState::Observed,
                              5'000);
}

void DrainJourney::undoGivesTheNodesBack()
{
    QVERIFY(m_desk->state().operations().first().undoable);
    QVERIFY(mark("node[003-004]"));
    test::DeskWindow::click(m_desk->await<QWidget>("resumeButton"));
    auto* confirm = m_desk->await<QWidget>("confirmButton");
    QVERIFY(confirm);
    QTRY_VERIFY(confirm->isEnabled());
    test::DeskWindow::click(confirm);
    QTRY_VERIFY_WITH_TIMEOUT(m_cluster.nodeState("node003").startsWith("IDLE") &&
                                 !m_cluster.nodeState("node003").contains("DRAIN"),
                             15'000);
    QTRY_VERIFY_WITH_TIMEOUT(
        shown("node003").startsWith("IDLE") && !shown("node003").contains("DRAIN"), 10'000);

    const auto audit = m_cluster.yardctl({"audit", "--json"});
    QCOMPARE(audit.exitCode, 0);
    QVERIFY2(audit.output.contains("fan tray FT-22"), audit.output.constData());
}

int main(int argc, char** argv)
{
    const test::XDisplay display;
    QApplication app(argc, argv);
    theme::Theme::instance().install(app);
    DrainJourney journey;
    return QTest::qExec(&journey, argc, argv);
}
#include "drain_test.moc"
