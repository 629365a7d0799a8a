#include "ui/widgets/series/series_panel.h"

#include <QApplication>
#include <QDir>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_chart.h"

using namespace yard;
using namespace yard::model;
using widgets::LineChart;
using widgets::SeriesPanel;

class SeriesPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init();
    void cleanup();
    void aJobShowsItsOwnSpanAsOneBand();
    void aGpuIsALineOfItsOwn();
    void nothingIsAskedWhileHidden();
    void noMorePointsThanPixels();
    void zoomIsCommonAndAsksForFinerPoints();
    void timeGoesOn();
    void nothingKeptIsSaid();
    void aPartThatFailsIsSaidBesideTheRest();
    void aWaitingJobSaysSo();
    void nodesHaveTheirOwnMetrics();

private:
    QVector<LineChart*> charts() const
    {
        QVector<LineChart*> shown;
        for (auto* chart : m_panel->findChildren<LineChart*>()) {
            if (chart->isVisibleTo(m_panel.get()))
                shown.append(chart);
        }
        return shown;
    }
    bool hasLines() const { return !charts().isEmpty() && !charts().first()->lines().isEmpty(); }
    SeriesScope job(const char* id) const
    {
        return scopeOfJob(*m_state, *m_state->job(QString::fromLatin1(id)));
    }
    SeriesScope node(int gpu = -1) const
    {
        return scopeOfNode(*m_state, m_state->nodeIndex(QStringLiteral("gpu171")), gpu);
    }
    QString text(const char* name) const
    {
        return m_panel->findChild<widgets::Label*>(QString::fromLatin1(name))->text();
    }

    qint64 m_now = 0;
    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<SeriesPanel> m_panel;
};

void SeriesPanelTest::init()
{
    m_now = 0;
    m_state = std::make_unique<ClusterState>(nullptr, [this] { return m_now; });
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    m_panel = std::make_unique<SeriesPanel>(*m_state, *m_actions);
    m_panel->resize(640, 400);
}

void SeriesPanelTest::cleanup()
{
    m_panel.reset();
    m_actions.reset();
    m_state.reset();
}

void SeriesPanelTest::aJobShowsItsOwnSpanAsOneBand()
{
    m_panel->setScope(job("482913"));
    m_panel->show();
    QTRY_VERIFY(hasLines());
    QCOMPARE(charts().size(), 2);  // SM activity and power
    QCOMPARE(charts().first()->lines().size(), 1);
    const LineChart::Line& line = charts().first()->lines().first();
    QVERIFY(line.band);
    QVERIFY(line.name.contains(QStringLiteral("lowest to highest")));
    const JobInfo* job = m_state->job(QStringLiteral("482913"));
    QCOMPARE(m_actions->seriesAsked().first().from, job->startTime);
    QCOMPARE(m_actions->seriesAsked().first().to, m_state->now());
    QVERIFY2(text("seriesNote").contains(QStringLiteral("32 of ")), qPrintable(text("seriesNote")));
    const QString folder = qEnvironmentVariable("YARD_SCREENSHOTS");
    if (!folder.isEmpty())
        m_panel->grab().save(QDir(folder).filePath(QStringLiteral("series-panel.png")));
}

void SeriesPanelTest::aGpuIsALineOfItsOwn()
{
    m_panel->setScope(node(3));
    m_panel->show();
    QTRY_VERIFY(hasLines());
    QCOMPARE(m_actions->seriesAsked().size(), 1);
    QCOMPARE(m_actions->seriesAsked().first().subject.gpu, 3);
    QCOMPARE(charts().first()->lines().first().name, QStringLiteral("gpu171:3"));
    QCOMPARE(m_actions->seriesAsked().first().from.secsTo(m_state->now()), 3600);
    // Another GPU of the same node is another scope.
    m_panel->setScope(node(4));
    QTRY_COMPARE(m_actions->seriesAsked().size(), 2);
    QCOMPARE(m_actions->seriesAsked().last().subject.gpu, 4);
}

void SeriesPanelTest::nothingIsAskedWhileHidden()
{
    m_panel->setScope(node());
    QTest::qWait(300);
    QVERIFY(m_actions->seriesAsked().isEmpty());
    m_panel->show();
    QTRY_VERIFY(!m_actions->seriesAsked().isEmpty());
}

void SeriesPanelTest::noMorePointsThanPixels()
{
    m_panel->setScope(node(0));
    m_panel->show();
    QTRY_VERIFY(hasLines());
    const int asked = m_actions->seriesAsked().last().maxPoints;
    QVERIFY(asked >= 100);
    QVERIFY(asked <= m_panel->width());
}

void SeriesPanelTest::zoomIsCommonAndAsksForFinerPoints()
{
    m_panel->setScope(node(0));
    m_panel->show();
    QTRY_VERIFY(hasLines());
    auto* reset = m_panel->findChild<QWidget*>(QStringLiteral("seriesResetButton"));
    QVERIFY(!reset->isVisible());
    LineChart* chart = charts().first();
    const auto before = m_actions->seriesAsked().size();
    chart->zoomTo(chart->low() + 600'000, chart->low() + 1'200'000);
    QCOMPARE(charts().last()->low(), chart->low());
    QTRY_VERIFY(m_actions->seriesAsked().size() > before);
    QCOMPARE(m_actions->seriesAsked().last().from.msecsTo(m_actions->seriesAsked().last().to),
             600'000);
    QVERIFY(reset->isVisible());
    QTest::mouseClick(reset, Qt::LeftButton);
    QVERIFY(!chart->isZoomed());
    QTRY_COMPARE(m_actions->seriesAsked().last().from.secsTo(m_actions->seriesAsked().last().to),
                 3600);
    QVERIFY(!reset->isVisible());
    chart->setFocus();
    chart->setCrosshair(std::nullopt);
    Q_EMIT chart->crosshairChanged(chart->low() + 1000);
    QVERIFY(charts().last()->crosshair());
}

void SeriesPanelTest::timeGoesOn()
{
    m_panel->setScope(node(0));
    m_panel->show();
    QTRY_VERIFY(hasLines());
    const QDateTime first = m_actions->seriesAsked().last().to;
    m_now += 60'000;
    QTRY_COMPARE_WITH_TIMEOUT(first.secsTo(m_actions->seriesAsked().last().to), 60, 10'000);
}

void SeriesPanelTest::nothingKeptIsSaid()
{
    m_actions->forgetSeriesOf(QStringLiteral("gpu171"));
    m_panel->setScope(node());
    m_panel->show();
    QTRY_COMPARE(m_actions->seriesAsked().size(), 8);
    QTRY_COMPARE(charts().size(), 1);  // one place says it
    QVERIFY(!hasLines());
    QCOMPARE(charts().first()->emptyTitle(), QStringLiteral("No readings"));
}

void SeriesPanelTest::aPartThatFailsIsSaidBesideTheRest()
{
    const SeriesScope scope = job("482913");
    m_actions->forgetSeriesOf(scope.gpus.first().node);
    m_panel->setScope(scope);
    m_panel->show();
    QTRY_VERIFY(hasLines());
    QVERIFY2(text("seriesTrouble").contains(QStringLiteral("could not be read")),
             qPrintable(text("seriesTrouble")));
}

void SeriesPanelTest::aWaitingJobSaysSo()
{
    JobInfo waiting;
    waiting.displayId = QStringLiteral("1");
    waiting.state = JobState::Pending;
    m_panel->setScope(scopeOfJob(*m_state, waiting));
    m_panel->show();
    QTRY_COMPARE(charts().size(), 1);
    QTRY_COMPARE(charts().first()->emptyTitle(), QStringLiteral("No series"));
    QVERIFY(m_actions->seriesAsked().isEmpty());
}

void SeriesPanelTest::nodesHaveTheirOwnMetrics()
{
    m_panel->setScope(node());
    m_panel->show();
    QTRY_VERIFY(hasLines());
    const QStringList names = m_panel->whoNames();
    QCOMPARE(names.first(), QStringLiteral("8 GPUs"));
    QCOMPARE(names.last(), QStringLiteral("node gpu171"));
    m_panel->setWho(int(names.size()) - 1);
    QTRY_COMPARE(m_actions->seriesAsked().last().subject.gpu, -1);
    QVERIFY(m_actions->seriesAsked().last().metrics.contains(int(NodeMetric::CpuUtilization)));
    m_panel->setMetrics({int(NodeMetric::Load)});
    QTRY_COMPARE(m_actions->seriesAsked().last().metrics, QVector<int>{int(NodeMetric::Load)});
    QTRY_COMPARE(charts().size(), 1);
}

QTEST_MAIN(SeriesPanelTest)
#include "series_panel_test.moc"
