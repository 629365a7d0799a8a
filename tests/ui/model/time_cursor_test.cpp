#include "ui/model/time_cursor.h"

#include <QSignalSpy>
#include <QTest>

using namespace yard::model;

namespace {

const QDateTime kFirst = QDateTime::fromSecsSinceEpoch(1'790'000'000, Qt::UTC);

}  // namespace

class TimeCursorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itBeginsLiveAndNowGoesOn();
    void aMomentBeforeAllHistoryIsItsBegin();
    void nowOrLaterIsLive();
    void playingGoesFasterAndEndsLive();
    void zoomKeepsThePlaceUnderThePointer();
    void zoomingOutEndsAtAllThereIs();
    void rangesSlideAlong();
    void restIsToldOnce();

private:
    qint64 m_elapsed = 0;
    std::unique_ptr<TimeCursor> m_cursor;
};

void TimeCursorTest::init()
{
    m_elapsed = 0;
    m_cursor = std::make_unique<TimeCursor>(nullptr, [this] { return m_elapsed; });
    TimelineInfo timeline;
    timeline.first = kFirst;
    timeline.now = kFirst.addSecs(7200);
    m_cursor->takeTimeline(timeline);
}

void TimeCursorTest::itBeginsLiveAndNowGoesOn()
{
    QVERIFY(m_cursor->isLive());
    QCOMPARE(m_cursor->at(), kFirst.addSecs(7200));
    m_elapsed = 5000;
    QCOMPARE(m_cursor->at(), kFirst.addSecs(7205));
    m_cursor->moveTo(kFirst.addSecs(60));
    m_elapsed = 9000;
    QVERIFY(!m_cursor->isLive());
    QCOMPARE(m_cursor->at(), kFirst.addSecs(60));
}

void TimeCursorTest::aMomentBeforeAllHistoryIsItsBegin()
{
    m_cursor->moveTo(kFirst.addDays(-3));
    QCOMPARE(m_cursor->at(), kFirst);
}

void TimeCursorTest::nowOrLaterIsLive()
{
    m_cursor->moveTo(kFirst.addSecs(60));
    QSignalSpy moved(m_cursor.get(), &TimeCursor::moved);
    m_cursor->moveTo(kFirst.addSecs(8000));
    QVERIFY(m_cursor->isLive());
    m_cursor->goLive();
    QCOMPARE(moved.count(), 1);
}

void TimeCursorTest::playingGoesFasterAndEndsLive()
{
    m_cursor->moveTo(kFirst);
    m_cursor->play(1000);
    QVERIFY(!m_cursor->isAtRest());
    m_elapsed = 3000;
    QTRY_COMPARE(m_cursor->at(), kFirst.addSecs(3000));
    m_elapsed = 8000;
    QTRY_VERIFY(m_cursor->isLive());
    QCOMPARE(m_cursor->speed(), 0);
}

void TimeCursorTest::zoomKeepsThePlaceUnderThePointer()
{
    const QDateTime around = kFirst.addSecs(3600);
    m_cursor->zoom(0.5, around);
    QCOMPARE(m_cursor->from(), kFirst.addSecs(1800));
    QCOMPARE(m_cursor->to(), kFirst.addSecs(5400));
    // A stretch of one's own stays where it is.
    m_elapsed = 60'000;
    QCOMPARE(m_cursor->to(), kFirst.addSecs(5400));
    for (int i = 0; i < 50; ++i)
        m_cursor->zoom(0.5, around);
    QCOMPARE(m_cursor->from().msecsTo(m_cursor->to()), qint64(60'000));
}

void TimeCursorTest::zoomingOutEndsAtAllThereIs()
{
    m_cursor->zoom(0.1, kFirst.addSecs(3600));
    QCOMPARE(m_cursor->shownLast(), qint64(-1));
    m_cursor->zoom(100, kFirst.addSecs(3600));
    QCOMPARE(m_cursor->shownLast(), qint64(0));
    QCOMPARE(m_cursor->from(), kFirst);
    m_cursor->zoom(0.5, kFirst.addSecs(3600));
    m_cursor->scrollBy(-100'000'000);
    QCOMPARE(m_cursor->from(), kFirst);
}

void TimeCursorTest::rangesSlideAlong()
{
    m_cursor->showLast(3600);
    QCOMPARE(m_cursor->from(), kFirst.addSecs(3600));
    m_elapsed = 10'000;
    QCOMPARE(m_cursor->from(), kFirst.addSecs(3610));
}

void TimeCursorTest::restIsToldOnce()
{
    QSignalSpy rested(m_cursor.get(), &TimeCursor::rested);
    m_cursor->setDragging(true);
    m_cursor->moveTo(kFirst.addSecs(10));
    m_cursor->moveTo(kFirst.addSecs(20));
    QCOMPARE(rested.count(), 0);
    m_cursor->setDragging(false);
    QCOMPARE(rested.count(), 1);
}

QTEST_GUILESS_MAIN(TimeCursorTest)
#include "time_cursor_test.moc"
