#include "backend/control/call_rate.h"

#include <QTest>

using namespace yard;
using control::CallRate;
using std::chrono::seconds;

class CallRateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMomentMakesNoRate();
    void theFirstMinuteIsNotCountedFromTheStart();
    void olderThanAMinuteNoLongerCounts();
};

namespace {

/// Two calls every two seconds, from a start that had made ten.
CallRate after(int secondsPassed, CallRate rate = {})
{
    const CallRate::Time start{};
    for (int second = 0; second <= secondsPassed; second += 2)
        rate.add(start + seconds(second), 10 + uint64_t(second));
    return rate;
}

}  // namespace

void CallRateTest::aMomentMakesNoRate()
{
    QCOMPARE(CallRate().perMinute(), 0.0F);
    QCOMPARE(after(0).perMinute(), 0.0F);
    QCOMPARE(after(8).perMinute(), 0.0F);
}

void CallRateTest::theFirstMinuteIsNotCountedFromTheStart()
{
    QCOMPARE(after(10).perMinute(), 60.0F);
    QCOMPARE(after(30).perMinute(), 60.0F);
    QCOMPARE(after(60).perMinute(), 60.0F);
}

void CallRateTest::olderThanAMinuteNoLongerCounts()
{
    CallRate rate = after(120);
    const CallRate::Time start{};
    for (int second = 122; second <= 200; second += 2)
        rate.add(start + seconds(second), 130);
    QCOMPARE(rate.perMinute(), 0.0F);
}

QTEST_GUILESS_MAIN(CallRateTest)
#include "call_rate_test.moc"
