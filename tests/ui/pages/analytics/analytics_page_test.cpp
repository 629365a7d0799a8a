#include "ui/pages/analytics/analytics_page.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QScrollArea>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/local_actions.h"
#include "tests/support/sample_cluster.h"
#include "ui/model/cluster_state.h"
#include "ui/pages/analytics/analytics_cards.h"
#include "ui/pages/analytics/share_bars.h"
#include "ui/theme/theme.h"
#include "ui/widgets/facts/fact_sheet.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/label.h"
#include "ui/widgets/line_chart.h"
#include "ui/widgets/segmented_switch.h"

using namespace yard;
using namespace yard::model;

namespace {

/// The paper's figures as the programs carry them; a cluster of ours that is much like Seren.
Characterization sample()
{
    Characterization all;
    QFile file(QStringLiteral(YARD_SOURCE_DIR "/resources/paper_figures.csv"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("resources/paper_figures.csv is not there");
    while (!file.atEnd()) {
        const QList<QByteArray> cells = file.readLine().trimmed().split(',');
        // "(1,2]" has a comma of its own.
        if (cells.size() != 4 || cells[0].startsWith('#') || cells[0] == "cluster")
            continue;
        const QString cluster = QString::fromUtf8(cells[0]);
        const QString name = QString::fromUtf8(cells[1]);
        all.papers[cluster].add(name, cells[2].toDouble());
        if (cluster == QLatin1String("Seren"))
            all.figures.add(name, std::min(100.0, cells[2].toDouble() * 1.04) >= 100 &&
                                          name.contains(QLatin1String("_pct"))
                                      ? cells[2].toDouble()
                                      : cells[2].toDouble() * 1.04);
    }
    for (const char* type : {"Eval", "SFT", "Other", "MLLM", "Debug", "Pretrain"})
        all.figures.add(QStringLiteral("gpu_jobs_by_type.") + QLatin1String(type), 1000);
    all.figures.add(QStringLiteral("gpu_jobs_by_type.Unclassified"), 8000);
    all.figures.add(QStringLiteral("job_share_pct.Unclassified"), 1.3);
    all.figures.add(QStringLiteral("gpu_time_share_pct.Unclassified"), 0.4);
    all.figures.add(QStringLiteral("unclassified_job_share_pct"), 1.3);
    all.figures.add(QStringLiteral("unclassified_gpu_time_share_pct"), 0.4);
    all.figures.add(QStringLiteral("peak_concurrent_gpus"), 2261);
    all.figures.add(QStringLiteral("peak_concurrent_at"), 1'773'000'000);
    all.figures.add(QStringLiteral("mean_concurrent_gpus"), 1755.2);
    all.figures.add(QStringLiteral("arrivals_per_hour.max"), 812);
    all.figures.add(QStringLiteral("arrivals_per_hour.max_at"), 1'773'000'000);
    for (const char* state : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "RUNNING"}) {
        all.figures.add(QStringLiteral("gpu_jobs_by_state.") + QLatin1String(state), 100'000);
        all.figures.add(QStringLiteral("job_share_pct_by_state.") + QLatin1String(state), 20);
        all.figures.add(QStringLiteral("gpu_time_share_pct_by_state.") + QLatin1String(state), 20);
    }
    all.definitions = {
        {QStringLiteral("gpu_jobs"),
         {},
         QStringLiteral("GPU jobs"),
         QStringLiteral("Jobs with at least one GPU, in any state.")},
        {QStringLiteral("duration_s.*"), QStringLiteral("s"),
         QStringLiteral("Duration of GPU jobs"), QStringLiteral("Duration as the data gives it.")}};
    all.common = QStringList{QStringLiteral("Quantiles interpolate linearly.")};
    all.rules = 41;
    all.to = test::sampleNow();
    all.from = all.to.addDays(-7);
    all.knownFrom = all.to.addDays(-30);
    all.firstHour = all.from;
    for (int hour = 0; hour < 168; ++hour)
        all.arrivals.append(300 + 200 * (hour % 24) / 24);
    return all;
}

}  // namespace

class AnalyticsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init();
    void cleanup();
    void everySizeShowsItselfWhole_data();
    void everySizeShowsItselfWhole();
    void thePaperIsLaidOverDashedOrNot();
    void theUnclassifiedShareAlwaysStands();
    void whatHasNoOutcomeIsNamed();
    void thePeakIsOfTheseJobs();
    void rangesAskAnew();
    void aTypedSpanIsAskedFor();
    void definitionsStandBeside();
    void noJobsIsSaid();
    void fewJobsAreSaid();
    void anErrorIsASentence();
    void theCursorIsFollowed();
    void figuresAreExported();

private:
    void show(const QSize& size = {1736, 968})
    {
        m_page->resize(size);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
    }
    bool hasFigures() const
    {
        return m_page->findChild<QScrollArea*>(QStringLiteral("analyticsScroll"))->isVisible();
    }
    QString text(const char* name) const
    {
        return m_page->findChild<widgets::Label*>(QString::fromLatin1(name))->text();
    }
    widgets::SegmentedSwitch* choice(const char* name) const
    {
        return m_page->findChild<widgets::SegmentedSwitch*>(QString::fromLatin1(name));
    }

    qint64 m_now = 0;
    std::unique_ptr<ClusterState> m_state;
    std::unique_ptr<test::LocalActions> m_actions;
    std::unique_ptr<pages::AnalyticsPage> m_page;
};

void AnalyticsPageTest::init()
{
    m_now = 0;
    theme::Theme::instance().setScheme(theme::Scheme::Dark);
    m_state = std::make_unique<ClusterState>(nullptr, [this] { return m_now; });
    QVERIFY(m_state->apply(test::sampleUpdate()));
    m_state->setConnection(Connection::Connected);
    m_actions = std::make_unique<test::LocalActions>(*m_state);
    m_actions->setCharacterization(sample());
    m_page = std::make_unique<pages::AnalyticsPage>(*m_state, *m_actions);
}

void AnalyticsPageTest::cleanup()
{
    m_page.reset();
    m_actions.reset();
    m_state.reset();
}

void AnalyticsPageTest::everySizeShowsItselfWhole_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("scheme");
    for (const QSize size : {QSize(1232, 704), QSize(1736, 968), QSize(3656, 2048)}) {
        for (const int scheme : {0, 1})
            QTest::addRow("analytics-%d-%s", size.width(), scheme == 0 ? "dark" : "light")
                << size << scheme;
    }
}

void AnalyticsPageTest::everySizeShowsItselfWhole()
{
    QFETCH(QSize, size);
    QFETCH(int, scheme);
    theme::Theme::instance().setScheme(theme::Scheme(scheme));
    show(size);
    QTRY_VERIFY(hasFigures());
    QVERIFY2(m_page->minimumSizeHint().width() <= size.width(),
             qPrintable(QString::number(m_page->minimumSizeHint().width())));
    auto* scroll = m_page->findChild<QScrollArea*>(QStringLiteral("analyticsScroll"));
    QVERIFY2(scroll->height() > size.height() * 2 / 3,
             qPrintable(QString::number(scroll->height())));
    QVERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
             qPrintable(QString::number(scroll->widget()->minimumSizeHint().width())));
    if (size.width() > 3000)  // all of it at once
        QCOMPARE(scroll->verticalScrollBar()->maximum(), 0);
    const QString folder = qEnvironmentVariable("YARD_SCREENSHOTS");
    if (!folder.isEmpty())
        m_page->grab().save(QDir(folder).filePath(QString::fromLatin1(QTest::currentDataTag()) +
                                                  QStringLiteral(".png")));
}

void AnalyticsPageTest::thePaperIsLaidOverDashedOrNot()
{
    show();
    QTRY_VERIFY(hasFigures());
    const auto dashed = [&] {
        int count = 0;
        for (const auto* chart : m_page->findChildren<widgets::LineChart*>()) {
            for (const auto& line : chart->lines())
                count += line.dashed ? 1 : 0;
        }
        return count;
    };
    const int seren = dashed();
    QVERIFY(seren >= 14);  // six types twice, and demand twice
    choice("analyticsPaper")->setCurrent(1);
    QVERIFY(dashed() > 0);
    QVERIFY(dashed() < seren);  // Kalos has neither SFT nor MLLM
    choice("analyticsPaper")->setCurrent(2);
    QCOMPARE(dashed(), 0);
    QCOMPARE(m_actions->characterizationsAsked().size(), 1);  // nothing of it is asked for anew
}

void AnalyticsPageTest::theUnclassifiedShareAlwaysStands()
{
    const auto tiles = pages::headlineTiles(sample(), {});
    QCOMPARE(tiles.last().title, QStringLiteral("Not classified"));
    QCOMPARE(tiles.last().value, QStringLiteral("1.3%"));
    QCOMPARE(tiles.last().caption, QStringLiteral("0.4% of GPU time"));
    QVERIFY(tiles.last().help.contains(QStringLiteral("41 rules")));
    const auto rows = pages::typeRows(sample(), QStringLiteral("Seren"));
    QCOMPARE(rows.last().name, QStringLiteral("Unclassified"));
    QCOMPARE(rows.first().name, QStringLiteral("Pretrain"));
    QVERIFY(!std::isnan(rows.first().paperJobs));
}

void AnalyticsPageTest::whatHasNoOutcomeIsNamed()
{
    pages::OutcomeBars bars;
    const auto named = [&bars] {
        return bars.accessibleName().contains(QStringLiteral("Unfinished: 17.4%"));
    };
    bars.setBars({{QStringLiteral("yours"), {42.9, 5.4, 34.3}}}, {});
    QVERIFY2(named(), qPrintable(bars.accessibleName()));
    bars.setBars({{QStringLiteral("yours"), {50, 10, 40}}}, {});
    QVERIFY(!bars.accessibleName().contains(QStringLiteral("Unfinished")));
}

void AnalyticsPageTest::thePeakIsOfTheseJobs()
{
    for (const auto& tile : pages::headlineTiles(sample(), {})) {
        if (tile.title == QStringLiteral("Peak GPUs at once"))
            QCOMPARE(tile.caption, QStringLiteral("of these jobs alone"));
    }
}

void AnalyticsPageTest::rangesAskAnew()
{
    show();
    QTRY_VERIFY(hasFigures());
    QCOMPARE(m_actions->characterizationsAsked().first().from, m_state->now().addSecs(-86'400));
    choice("analyticsRange")->setCurrent(3);
    QTRY_COMPARE(m_actions->characterizationsAsked().size(), 2);
    QVERIFY(!m_actions->characterizationsAsked().last().from.isValid());
    QCOMPARE(m_actions->characterizationsAsked().last().to, m_state->now());
}

void AnalyticsPageTest::aTypedSpanIsAskedFor()
{
    show();
    QTRY_VERIFY(hasFigures());
    auto* field = m_page->findChild<widgets::FilterField*>(QStringLiteral("analyticsSpan"));
    QVERIFY(!field->isVisible());
    choice("analyticsRange")->setCurrent(4);
    QVERIFY(field->isVisible());
    QTest::keyClicks(field, QStringLiteral("2026-03-01 to x"));
    QTRY_VERIFY(field->problem().contains(QStringLiteral("is no span")));
    QCOMPARE(m_actions->characterizationsAsked().size(), 1);
    field->setText(QStringLiteral("2026-03-01 to 2026-03-02"));
    QTRY_COMPARE(m_actions->characterizationsAsked().size(), 2);
    QCOMPARE(m_actions->characterizationsAsked().last().from.secsTo(
                 m_actions->characterizationsAsked().last().to),
             2 * 86'400);
    QCOMPARE(field->problem(), QString());
}

void AnalyticsPageTest::definitionsStandBeside()
{
    show();
    QTRY_VERIFY(hasFigures());
    const QString words =
        m_page->findChild<widgets::FactSheet*>(QStringLiteral("definitions"))->toText();
    QVERIFY(words.contains(QStringLiteral("Quantiles interpolate linearly.")));
    QVERIFY(words.contains(QStringLiteral("duration_s.*")));
    bool found = false;
    for (const auto* info : m_page->findChildren<QWidget*>(QStringLiteral("infoButton")))
        found = found || info->toolTip().contains(QStringLiteral("Duration as the data gives it"));
    QVERIFY(found);
}

void AnalyticsPageTest::noJobsIsSaid()
{
    Characterization none = sample();
    none.figures = {};
    none.figures.add(QStringLiteral("jobs"), 0);
    m_actions->setCharacterization(none);
    show();
    QTRY_COMPARE(m_actions->characterizationsAsked().size(), 1);
    QTest::qWait(20);
    QVERIFY(!hasFigures());
    QVERIFY(!m_page->findChild<QWidget*>(QStringLiteral("analyticsExportButton"))->isEnabled());
    QVERIFY(choice("analyticsRange")->y() < 40);  // the choices stay where they are
    const QString folder = qEnvironmentVariable("YARD_SCREENSHOTS");
    if (!folder.isEmpty())
        m_page->grab().save(QDir(folder).filePath(QStringLiteral("analytics-empty.png")));
}

void AnalyticsPageTest::fewJobsAreSaid()
{
    Characterization few = sample();
    few.figures.add(QStringLiteral("gpu_jobs"), 11);
    m_actions->setCharacterization(few);
    show();
    QTRY_VERIFY(hasFigures());
    QVERIFY2(text("analyticsTrouble").contains(QStringLiteral("n = 11")),
             qPrintable(text("analyticsTrouble")));
    QVERIFY(pages::headlineTiles(few, {}).first().quiet);
}

void AnalyticsPageTest::anErrorIsASentence()
{
    auto actions = std::make_unique<test::LocalActions>(*m_state);
    m_page = std::make_unique<pages::AnalyticsPage>(*m_state, *actions);
    show();
    QTRY_COMPARE(actions->characterizationsAsked().size(), 1);
    QTest::qWait(20);
    QVERIFY(!hasFigures());
    // Figures that were there stay, with what went wrong beside them.
    actions->setCharacterization(sample());
    choice("analyticsRange")->setCurrent(1);
    QTRY_VERIFY(hasFigures());
    m_page.reset();
}

void AnalyticsPageTest::theCursorIsFollowed()
{
    show();
    QTRY_VERIFY(hasFigures());
    ClusterUpdate then = test::sampleUpdate();
    then.isPast = true;
    then.at = m_state->now().addDays(-2);
    QVERIFY(m_state->apply(then));
    QTRY_COMPARE_WITH_TIMEOUT(m_actions->characterizationsAsked().last().to, then.at, 10'000);
}

void AnalyticsPageTest::figuresAreExported()
{
    show();
    QTRY_VERIFY(hasFigures());
    const QTemporaryDir dir;
    QCOMPARE(m_page->exportTo(dir.filePath(QStringLiteral("a.csv"))), QString());
    QFile file(dir.filePath(QStringLiteral("a.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray csv = file.readAll();
    QVERIFY(csv.startsWith("figure,value,unit,paper_Kalos,paper_Seren\n"));
    QVERIFY(csv.contains("\"duration_s.p50\",126.88,\"s\",124,122\n"));
    QVERIFY(m_page->exportTo(QStringLiteral("/nonexistent/a.csv"))
                .contains(QStringLiteral("Nothing was exported")));
}

QTEST_MAIN(AnalyticsPageTest)
#include "analytics_page_test.moc"
