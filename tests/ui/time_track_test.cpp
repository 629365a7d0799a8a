#include "ui/time_track.h"

#include <QApplication>
#include <QHelpEvent>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/model/time_cursor.h"
#include "ui/theme/theme.h"
#include "ui/time_strip.h"
#include "ui/widgets/button.h"
#include "ui/widgets/segmented_switch.h"

using namespace yard;
using model::TimeCursor;

namespace {

const QDateTime kFirst = QDateTime::fromSecsSinceEpoch(1'790'000'000, Qt::UTC);
constexpr int kHours = 10;
constexpr int kBuckets = 600;  // a minute each

}  // namespace

/// The strip under an operator's pointer and keys.
class TimeTrackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void init();
    void cleanup();
    void placesAndMomentsAreEachOther();
    void aDragMovesTheCursorAndRestsOnce();
    void aDragBeyondTheEndIsLive();
    void theWheelZoomsAroundThePointer();
    void shiftAndTheWheelScroll();
    void keysMoveZoomAndGoLive();
    void aDoubleClickIsLive();
    void theTipTellsTheMarksUnderThePointer();
    void marksThatTouchAreOne();
    void withoutHistoryNothingMoves();
    void liveAndRangesAreShownByTheButtons();
    void playPausesAndTakesTheNextSpeed();

private:
    ui::TimeTrack& track() { return *m_strip->findChild<ui::TimeTrack*>(); }
    widgets::Button* button(const char* name)
    {
        return m_strip->findChild<widgets::Button*>(QString::fromLatin1(name));
    }
    void turn(const QPointF& at, int angle, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    QString tipAt(double x);
    QDateTime hour(double hours) const { return kFirst.addMSecs(qint64(hours * 3'600'000)); }
    /// A pixel is half a minute at this width; pointers rest on whole pixels.
    bool isNear(const QDateTime& a, const QDateTime& b) const
    {
        return std::abs(a.msecsTo(b)) <= 45'000;
    }

    qint64 m_elapsed = 0;
    std::unique_ptr<model::ClusterState> m_state;
    std::unique_ptr<TimeCursor> m_cursor;
    std::unique_ptr<ui::TimeStrip> m_strip;
};

void TimeTrackTest::init()
{
    m_elapsed = 0;
    m_state = std::make_unique<model::ClusterState>();
    m_cursor = std::make_unique<TimeCursor>(nullptr, [this] { return m_elapsed; });
    model::TimelineInfo timeline;
    timeline.first = kFirst;
    timeline.from = kFirst;
    timeline.now = hour(kHours);
    timeline.to = timeline.now;
    timeline.known = {{kFirst, timeline.now}};
    timeline.faults.fill(0, kBuckets);
    timeline.operations.fill(0, kBuckets);
    timeline.faults[120] = 1;  // after two hours
    timeline.faults[121] = 2;
    timeline.operations[300] = 1;
    m_cursor->takeTimeline(timeline);
    m_strip = std::make_unique<ui::TimeStrip>(*m_state, *m_cursor);
    m_strip->resize(1736, 64);
    m_strip->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_strip.get()));
}

void TimeTrackTest::cleanup()
{
    m_strip.reset();
    m_cursor.reset();
    m_state.reset();
}

void TimeTrackTest::turn(const QPointF& at, int angle, Qt::KeyboardModifiers modifiers)
{
    QWheelEvent event(at, track().mapToGlobal(at), {}, {0, angle}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&track(), &event);
}

QString TimeTrackTest::tipAt(double x)
{
    const QPoint at(qRound(x), track().height() / 2);
    QHelpEvent event(QEvent::ToolTip, at, track().mapToGlobal(at));
    QApplication::sendEvent(&track(), &event);
    return QToolTip::text();
}

void TimeTrackTest::placesAndMomentsAreEachOther()
{
    for (double hours : {0.0, 2.5, 7.0, 10.0})
        QVERIFY(std::abs(track().timeAt(track().xOf(hour(hours))).msecsTo(hour(hours))) <= 2);
    QVERIFY(track().xOf(hour(2)) < track().xOf(hour(3)));
}

void TimeTrackTest::aDragMovesTheCursorAndRestsOnce()
{
    QSignalSpy rested(m_cursor.get(), &TimeCursor::rested);
    const int y = track().height() / 2;
    const auto at = [&](double hours) { return QPoint(qRound(track().xOf(hour(hours))), y); };
    QTest::mousePress(&track(), Qt::LeftButton, {}, at(3));
    QVERIFY(!m_cursor->isLive());
    QVERIFY(!m_cursor->isAtRest());
    QVERIFY(isNear(m_cursor->at(), hour(3)));
    QMouseEvent move(QEvent::MouseMove, at(5), track().mapToGlobal(at(5)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&track(), &move);
    QVERIFY(isNear(m_cursor->at(), hour(5)));
    QCOMPARE(rested.count(), 0);
    QTest::mouseRelease(&track(), Qt::LeftButton, {}, at(5));
    QCOMPARE(rested.count(), 1);
    // A pointer that only passes over moves nothing.
    QMouseEvent pass(QEvent::MouseMove, at(8), track().mapToGlobal(at(8)), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&track(), &pass);
    QVERIFY(isNear(m_cursor->at(), hour(5)));
}

void TimeTrackTest::aDragBeyondTheEndIsLive()
{
    m_cursor->moveTo(hour(4));
    QTest::mouseClick(&track(), Qt::LeftButton, {}, QPoint(track().width() - 1, 20));
    QVERIFY(m_cursor->isLive());
}

void TimeTrackTest::theWheelZoomsAroundThePointer()
{
    const double x = track().xOf(hour(3));
    const QDateTime under = track().timeAt(x);
    const qint64 before = m_cursor->from().msecsTo(m_cursor->to());
    turn({x, 20}, 120);
    const qint64 after = m_cursor->from().msecsTo(m_cursor->to());
    QVERIFY(after < before);
    QVERIFY(std::abs(track().timeAt(x).msecsTo(under)) < 1000);
    turn({x, 20}, -120);
    QVERIFY(std::abs(m_cursor->from().msecsTo(m_cursor->to()) - before) < 1000);
    QVERIFY(m_cursor->isLive());
}

void TimeTrackTest::shiftAndTheWheelScroll()
{
    m_cursor->zoom(0.2, hour(5));
    const QDateTime from = m_cursor->from();
    const qint64 length = from.msecsTo(m_cursor->to());
    turn({200, 20}, 120, Qt::ShiftModifier);
    QVERIFY(m_cursor->from() < from);
    QVERIFY(std::abs(m_cursor->from().msecsTo(m_cursor->to()) - length) < 1000);
}

void TimeTrackTest::keysMoveZoomAndGoLive()
{
    const qint64 span = m_cursor->from().msecsTo(m_cursor->to());
    QTest::keyClick(&track(), Qt::Key_Left);
    QVERIFY(!m_cursor->isLive());
    QCOMPARE(m_cursor->at().msecsTo(m_cursor->now()), span / 200);
    QTest::keyClick(&track(), Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(m_cursor->at().msecsTo(m_cursor->now()), span / 200 + span / 20);
    QTest::keyClick(&track(), Qt::Key_Right);
    QCOMPARE(m_cursor->at().msecsTo(m_cursor->now()), span / 20);
    QTest::keyClick(&track(), Qt::Key_Home);
    QCOMPARE(m_cursor->at(), kFirst);
    m_cursor->moveTo(hour(5));
    QTest::keyClick(&track(), Qt::Key_Plus);
    QVERIFY(m_cursor->from().msecsTo(m_cursor->to()) < span);
    QTest::keyClick(&track(), Qt::Key_Minus);
    QVERIFY(std::abs(m_cursor->from().msecsTo(m_cursor->to()) - span) < 1000);
    QTest::keyClick(&track(), Qt::Key_End);
    QVERIFY(m_cursor->isLive());
}

void TimeTrackTest::aDoubleClickIsLive()
{
    m_cursor->moveTo(hour(4));
    QTest::mouseDClick(&track(), Qt::LeftButton, {}, QPoint(300, 20));
    QVERIFY(m_cursor->isLive());
}

void TimeTrackTest::theTipTellsTheMarksUnderThePointer()
{
    const double faults = track().xOf(hour(2).addSecs(60));
    QVERIFY2(tipAt(faults).contains(QStringLiteral("3 faults")), qPrintable(tipAt(faults)));
    const double operation = track().xOf(hour(5).addSecs(30));
    QVERIFY(tipAt(operation).contains(QStringLiteral("1 operation")));
    QVERIFY(!tipAt(operation).contains(QStringLiteral("fault")));
    QVERIFY(!tipAt(track().xOf(hour(8))).contains(QStringLiteral("operation")));
}

void TimeTrackTest::marksThatTouchAreOne()
{
    // Zoomed in they part: each is under the pointer alone.
    m_cursor->zoom(0.02, hour(2).addSecs(60));
    QVERIFY(tipAt(track().xOf(hour(2).addSecs(30))).contains(QStringLiteral("1 fault")));
    QVERIFY(tipAt(track().xOf(hour(2).addSecs(90))).contains(QStringLiteral("2 faults")));
}

void TimeTrackTest::withoutHistoryNothingMoves()
{
    m_cursor->takeTimeline({});
    QTest::mouseClick(&track(), Qt::LeftButton, {}, QPoint(300, 20));
    QVERIFY(m_cursor->isLive());
    QVERIFY(!button("timePlay")->isEnabled());
}

void TimeTrackTest::liveAndRangesAreShownByTheButtons()
{
    m_cursor->moveTo(hour(4));
    QTest::mouseClick(button("timeLive"), Qt::LeftButton);
    QVERIFY(m_cursor->isLive());
    auto* ranges = m_strip->findChild<widgets::SegmentedSwitch*>();
    QVERIFY(ranges);
    m_cursor->showLast(6 * 3600);
    QCOMPARE(ranges->current(), 1);
    m_cursor->zoom(0.5, hour(8));
    QCOMPARE(ranges->current(), -1);
    m_cursor->showLast(0);
    QCOMPARE(ranges->current(), 4);
}

void TimeTrackTest::playPausesAndTakesTheNextSpeed()
{
    m_cursor->moveTo(hour(4));
    QTest::mouseClick(button("timePlay"), Qt::LeftButton);
    const int first = m_cursor->speed();
    QVERIFY(first > 0);
    QCOMPARE(button("timePlay")->text(), QStringLiteral("Pause"));
    QTest::mouseClick(button("timeSpeed"), Qt::LeftButton);
    QVERIFY(m_cursor->speed() != first);
    QCOMPARE(button("timeSpeed")->text(), QStringLiteral("%1×").arg(m_cursor->speed()));
    QTest::mouseClick(button("timePlay"), Qt::LeftButton);
    QCOMPARE(m_cursor->speed(), 0);
    QCOMPARE(button("timePlay")->text(), QStringLiteral("Play"));
}

QTEST_MAIN(TimeTrackTest)
#include "time_track_test.moc"
