#include "ui/widgets/line_chart.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <cmath>

#include "ui/theme/theme.h"

using namespace yard;
using namespace yard::widgets;

namespace {

constexpr QColor kLine(255, 0, 200);  // of no theme, so that pixels can be told

LineChart::Line lineOf(const QVector<LineChart::Point>& points, double gap = 0, bool band = false)
{
    LineChart::Line line;
    line.name = QStringLiteral("power");
    line.color = [] { return kLine; };
    line.points = points;
    line.gap = gap;
    line.band = band;
    return line;
}

bool isLine(const QColor& color)
{
    return color.red() > 150 && color.green() < 90 && color.blue() > 110;
}

}  // namespace

class LineChartTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init();
    void cleanup() { m_chart.reset(); }
    void gapsStayGaps();
    void aLoneReadingIsSeen();
    void bandsReachFromLeastToGreatest();
    void draggingZoomsAndADoubleClickShowsAllAgain();
    void aClickIsNoZoom();
    void keysMoveZoomAndReset();
    void escapeGoesOnWhenNothingIsZoomed();
    void theCrosshairSaysTheValues();
    void inAGapThereIsNoReading();
    void anEmptyChartSaysSo();
    void axesAreRound_data();
    void axesAreRound();
    void timesAreRoundInTheClustersZone();
    void manyGapsArePaintedAtOnce();

private:
    /// How many pixels of the column at x have the line's colour.
    int inked(double x)
    {
        const QImage image = m_chart->grab().toImage();
        const int column = int(std::round(m_chart->pixelOf(x)));
        int count = 0;
        for (int y = 0; y < image.height(); ++y)
            count += isLine(image.pixelColor(column, y)) ? 1 : 0;
        return count;
    }
    QPoint at(double x) const
    {
        return {int(std::round(m_chart->pixelOf(x))), m_chart->height() / 2};
    }
    std::unique_ptr<LineChart> m_chart;
};

void LineChartTest::init()
{
    m_chart = std::make_unique<LineChart>(QStringLiteral("Power"));
    m_chart->resize(600, 200);
    m_chart->setX(0, 100,
                  {[](double, double) { return QVector<LineChart::Tick>{}; },
                   [](double x) { return QStringLiteral("x %1").arg(x); }});
    m_chart->setY(0, 100, {}, [](double y) { return QStringLiteral("%1 W").arg(y); });
    m_chart->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_chart.get()));
}

void LineChartTest::gapsStayGaps()
{
    QVector<LineChart::Point> points;
    for (int x = 0; x <= 100; ++x) {
        if (x < 40 || x > 60)
            points.append({double(x), 50, 50, 50});
    }
    m_chart->setLines({lineOf(points, 1.6)});
    QVERIFY(inked(20) > 0);
    QVERIFY(inked(80) > 0);
    QCOMPARE(inked(50), 0);
    m_chart->setLines({lineOf(points)});
    QVERIFY(inked(50) > 0);
    // NaN is a gap too.
    points.insert(40, {50, NAN, NAN, NAN});
    m_chart->setLines({lineOf(points)});
    QCOMPARE(inked(45), 0);
}

void LineChartTest::aLoneReadingIsSeen()
{
    m_chart->setLines({lineOf({{50, 50, 50, 50}}, 1)});
    QVERIFY(inked(50) > 0);
}

void LineChartTest::bandsReachFromLeastToGreatest()
{
    QVector<LineChart::Point> points;
    for (int x = 0; x <= 100; ++x)
        points.append({double(x), 10, 50, 90});
    m_chart->setLines({lineOf(points, 0, true)});
    const QImage image = m_chart->grab().toImage();
    const int column = int(m_chart->pixelOf(30));
    const auto isTinted = [&](double value) {
        const QRectF plot = m_chart->chart()->plotArea();
        const QColor color =
            image.pixelColor(column, int(plot.bottom() - value / 100 * plot.height()));
        return color.red() > color.green() + 20;
    };
    QVERIFY(isTinted(20));
    QVERIFY(isTinted(80));
    QVERIFY(!isTinted(5));
    QVERIFY(!isTinted(95));
}

void LineChartTest::draggingZoomsAndADoubleClickShowsAllAgain()
{
    QSignalSpy views(m_chart.get(), &LineChart::viewChanged);
    QTest::mousePress(m_chart->viewport(), Qt::LeftButton, {}, at(20));
    QTest::mouseMove(m_chart->viewport(), at(40));
    QTest::mouseRelease(m_chart->viewport(), Qt::LeftButton, {}, at(60));
    QCOMPARE(views.count(), 1);
    QVERIFY(m_chart->isZoomed());
    QVERIFY(std::abs(m_chart->low() - 20) < 1);
    QVERIFY(std::abs(m_chart->high() - 60) < 1);
    QTest::mouseDClick(m_chart->viewport(), Qt::LeftButton, {}, at(40));
    QVERIFY(!m_chart->isZoomed());
    QCOMPARE(views.count(), 2);
    // New data does not undo what somebody has chosen.
    m_chart->zoomTo(10, 30);
    m_chart->setX(0, 110, {});
    QCOMPARE(m_chart->low(), 10.0);
    QCOMPARE(m_chart->high(), 30.0);
}

void LineChartTest::aClickIsNoZoom()
{
    QTest::mouseClick(m_chart->viewport(), Qt::LeftButton, {}, at(40));
    QVERIFY(!m_chart->isZoomed());
}

void LineChartTest::keysMoveZoomAndReset()
{
    QTest::keyClick(m_chart.get(), Qt::Key_Right);
    QVERIFY(m_chart->crosshair());
    QCOMPARE(*m_chart->crosshair(), 51.0);
    QTest::keyClick(m_chart.get(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(*m_chart->crosshair(), 41.0);
    QTest::keyClick(m_chart.get(), Qt::Key_Plus);
    QVERIFY(m_chart->isZoomed());
    QVERIFY(m_chart->low() < 41 && m_chart->high() > 41);
    QTest::keyClick(m_chart.get(), Qt::Key_0);
    QVERIFY(!m_chart->isZoomed());
    QTest::keyClick(m_chart.get(), Qt::Key_End);
    QCOMPARE(*m_chart->crosshair(), 100.0);
}

void LineChartTest::escapeGoesOnWhenNothingIsZoomed()
{
    m_chart->zoomTo(10, 20);
    QKeyEvent first(QEvent::KeyPress, Qt::Key_Escape, {});
    QApplication::sendEvent(m_chart.get(), &first);
    QVERIFY(first.isAccepted());
    QVERIFY(!m_chart->isZoomed());
    QKeyEvent second(QEvent::KeyPress, Qt::Key_Escape, {});
    second.accept();
    QApplication::sendEvent(m_chart.get(), &second);
    QVERIFY(!second.isAccepted());
}

void LineChartTest::theCrosshairSaysTheValues()
{
    m_chart->setLines({lineOf({{0, 1, 2, 3}, {50, 4, 5, 6}, {100, 7, 8, 9}}, 0, true)});
    m_chart->setCrosshair(52);
    QCOMPARE(m_chart->crosshairWords(),
             (QStringList{QStringLiteral("x 52"), QStringLiteral("power 5 W  (4 W to 6 W)")}));
    QVERIFY(m_chart->accessibleDescription().contains(QStringLiteral("5 W")));
    QVERIFY(!m_chart->grab().isNull());
}

void LineChartTest::inAGapThereIsNoReading()
{
    m_chart->setLines({lineOf({{0, 1, 2, 3}, {100, 7, 8, 9}}, 5)});
    m_chart->setCrosshair(50);
    QCOMPARE(m_chart->crosshairWords().last(), QStringLiteral("power no reading"));
}

void LineChartTest::anEmptyChartSaysSo()
{
    const QImage before = m_chart->grab().toImage();
    m_chart->setEmptyText(QStringLiteral("No readings"), QStringLiteral("Nothing was kept."));
    QVERIFY(m_chart->grab().toImage() != before);
}

void LineChartTest::axesAreRound_data()
{
    QTest::addColumn<double>("most");
    QTest::addColumn<double>("top");
    QTest::addColumn<QString>("last");
    QTest::newRow("watts") << 412.0 << 800.0 << QStringLiteral("800 W");
    QTest::newRow("a few") << 3.1 << 4.0 << QStringLiteral("4 W");
    QTest::newRow("less than one") << 0.31 << 0.4 << QStringLiteral("0.4 W");
    QTest::newRow("quarters") << 9.0 << 10.0 << QStringLiteral("10.0 W");
    QTest::newRow("nothing") << 0.0 << 1.0 << QStringLiteral("1.00 W");
}

void LineChartTest::axesAreRound()
{
    QFETCH(double, most);
    QFETCH(double, top);
    QFETCH(QString, last);
    const AmountAxis axis = amountAxis(most, QStringLiteral("W"));
    QVERIFY2(std::abs(axis.top - top) < 1e-9, qPrintable(QString::number(axis.top)));
    QCOMPARE(axis.ticks.size(), 5);
    QCOMPARE(axis.ticks.last().text, last.replace(QLatin1Char(' '), QChar(0x2009)));
}

void LineChartTest::timesAreRoundInTheClustersZone()
{
    const QTimeZone shanghai("Asia/Shanghai");
    const QDateTime from(QDate(2026, 3, 10), QTime(21, 10), shanghai);
    const auto ticks = timeTicks(from.toMSecsSinceEpoch(),
                                 from.addSecs(6 * 3600).toMSecsSinceEpoch(), shanghai, 6);
    QStringList words;
    for (const auto& tick : ticks)
        words << tick.text;
    QCOMPARE(words, (QStringList{QStringLiteral("22:00"), QStringLiteral("23:00"),
                                 QStringLiteral("Mar 11"), QStringLiteral("01:00"),
                                 QStringLiteral("02:00"), QStringLiteral("03:00")}));
    QVERIFY(std::abs(ticks.first().at - 50.0 / 360) < 1e-6);
    QVERIFY(timeTicks(0, 30 * 86'400'000LL, QTimeZone::utc(), 8).size() <= 8);
}

void LineChartTest::manyGapsArePaintedAtOnce()
{
    QVector<LineChart::Line> lines;
    for (int line = 0; line < 6; ++line) {
        QVector<LineChart::Point> points;
        for (int i = 0; i < 2000; ++i) {
            if (i % 3 != 0)
                points.append({i / 20.0, 10.0 * line, 10.0 * line + 2, 10.0 * line + 4});
        }
        lines.append(lineOf(points, 0.06, true));
    }
    m_chart->setLines(lines);
    m_chart->grab();
    QElapsedTimer timer;
    timer.start();
    m_chart->grab();
    // A debug build on a busy machine; what it guards against took seconds.
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_MAIN(LineChartTest)
#include "line_chart_test.moc"
