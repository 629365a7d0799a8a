#include <QElapsedTimer>

#include "tests/journeys/desk_window.h"
#include "ui/widgets/banner.h"

using namespace yard;
using model::Freshness;
using model::NodeCategory;

/// What the window says when things die: a node, the scheduler, the daemon.
class OutageJourney : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup()
    {
        if (m_desk)
            m_desk->keepPictureIfFailed();
    }
    void aDeadNodeIsDownOnScreenAndItsCellsAreStale();
    void aStoppedSchedulerIsSaidAndComesBack();
    void aKilledDaemonLeavesTheLastStateAndComesBack();

private:
    const model::NodeInfo& node(const QString& name) const
    {
        return m_desk->state().nodes()[m_desk->state().nodeIndex(name)];
    }

    test::RealCluster m_cluster{
        {.lab = {.nodes = 16, .gpus = 8, .topology = true, .more = {"--slurmd-timeout", "5"}}}};
    std::unique_ptr<test::DeskWindow> m_desk;
};

void OutageJourney::initTestCase()
{
    QVERIFY2(m_cluster.start(), qPrintable(m_cluster.error()));
    m_desk = std::make_unique<test::DeskWindow>(m_cluster.socketPath());
    QVERIFY(QTest::qWaitForWindowExposed(&m_desk->window()));
    auto& state = m_desk->state();
    QTRY_COMPARE_WITH_TIMEOUT(state.nodes().size(), 16, 15'000);
    QTRY_COMPARE_WITH_TIMEOUT(state.gpuCount(), 128, 5'000);
    // Every GPU has a live reading.
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
            for (int node = 0; node < 16; ++node)
                if (state.freshness(node) != Freshness::Live ||
                    std::isnan(state.gpuValue(model::GpuMetric::Power, node, 7)))
                    return false;
            return true;
        }(),
        15'000);
}

void OutageJourney::aDeadNodeIsDownOnScreenAndItsCellsAreStale()
{
    QVERIFY(m_cluster.lab().killNode("node011"));
    QVERIFY(m_cluster.exporters().command("node011 refuse").ok());
    auto& state = m_desk->state();
    const int index = state.nodeIndex("node011");

    // Not live any more after two scrapes of one second, with a moment for the way to the screen.
    QElapsedTimer sinceSilence;
    sinceSilence.start();
    QTRY_VERIFY_WITH_TIMEOUT(state.freshness(index) != Freshness::Live, 10'000);
    QVERIFY2(sinceSilence.elapsed() < 4'000, qPrintable(QString::number(sinceSilence.elapsed())));
    QTRY_COMPARE_WITH_TIMEOUT(state.freshness(index), Freshness::Stale, 10'000);
    // Stale is grey, not gone: the last value is kept.
    QVERIFY(!std::isnan(state.gpuValue(model::GpuMetric::Power, index, 0)));

    QVERIFY(
        QTest::qWaitFor([&] { return m_cluster.nodeState("node011").contains("DOWN"); }, 120'000));
    QElapsedTimer sinceVerdict;
    sinceVerdict.start();
    QTRY_COMPARE_WITH_TIMEOUT(node("node011").category, NodeCategory::Down, 20'000);
    const double poll = state.scheduler().pollSeconds;
    QVERIFY2(sinceVerdict.elapsed() < 1'000 * (poll + 1),
             qPrintable(QString::number(sinceVerdict.elapsed())));
    QVERIFY(node("node011").stateText.contains("DOWN"));
}

void OutageJourney::aStoppedSchedulerIsSaidAndComesBack()
{
    auto& state = m_desk->state();
    const auto before = state.nodes().size();
    QVERIFY(m_cluster.lab().stop("slurmctld"));
    QElapsedTimer stopped;
    stopped.start();
    QTRY_VERIFY_WITH_TIMEOUT(!state.scheduler().up, 15'000);
    QVERIFY2(!state.scheduler().error.isEmpty(), "the desktop says why");
    QVERIFY(state.scheduler().lastSuccess.isValid());
    QCOMPARE(state.connection(), model::Connection::Connected);
    // Twenty seconds of silence: what is shown stays, and ages.
    QVERIFY(QTest::qWaitFor([&] { return stopped.elapsed() > 20'000; }, 30'000));
    QCOMPARE(state.nodes().size(), before);
    QVERIFY(state.scheduler().lastSuccess.secsTo(state.now()) >= 15);

    QVERIFY(m_cluster.lab().start("slurmctld"));
    QTRY_VERIFY_WITH_TIMEOUT(state.scheduler().up, 40'000);
    QCOMPARE(state.nodes().size(), before);
    // And it can act again.
    const auto drained =
        m_cluster.yardctl({"drain", "node016", "--reason", "after the outage", "--yes"});
    QVERIFY2(drained.exitCode == 0, drained.error.constData());
    QTRY_VERIFY_WITH_TIMEOUT(node("node016").stateText.contains("DRAIN"), 10'000);
}

void OutageJourney::aKilledDaemonLeavesTheLastStateAndComesBack()
{
    auto& state = m_desk->state();
    m_cluster.daemon().kill();
    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), model::Connection::Disconnected, 10'000);
    QCOMPARE(state.nodes().size(), 16);
    QVERIFY(!state.connectionError().isEmpty());
    auto* banner = m_desk->await<widgets::Banner>("disconnectedBanner");
    QVERIFY(banner);
    const double age = state.age();
    QTRY_VERIFY_WITH_TIMEOUT(state.age() > age + 1, 5'000);

    QVERIFY2(m_cluster.daemon().start(), qPrintable(m_cluster.daemon().errorOutput()));
    QTRY_COMPARE_WITH_TIMEOUT(state.connection(), model::Connection::Connected, 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(state.age() < 5, 10'000);
    // The operation from before the kill is still known.
    QVERIFY(!state.operations().isEmpty());
    QVERIFY(!m_desk->find<QWidget>("disconnectedBanner"));
}

int main(int argc, char** argv)
{
    const test::XDisplay display;
    QApplication app(argc, argv);
    theme::Theme::instance().install(app);
    OutageJourney journey;
    return QTest::qExec(&journey, argc, argv);
}
#include "outage_test.moc"
