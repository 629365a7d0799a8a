#include "backend/control/scheduler_poller.h"

#include <rapidcheck.h>

#include <unistd.h>

#include <QTemporaryFile>
#include <QTest>
#include <atomic>
#include <future>
#include <memory>
#include <mutex>

#include "tests/support/small_scheduler.h"

using namespace yard;
using control::PollerOptions;
using control::SchedulerPoller;
using std::chrono::milliseconds;

namespace {

constexpr int kPatienceMs = 20'000;

PollerOptions quick()
{
    return {.interval = milliseconds(5),
            .afterAction = milliseconds(5),
            .callTimeout = milliseconds(1000),
            .longestRetry = milliseconds(40)};
}

/// A poller on a core loop of its own, and what it reported last.
class Watched {
    mutable std::mutex m_mutex;
    domain::SchedulerHealth m_health;

public:
    explicit Watched(PollerOptions options = quick(), bool isDown = false)
        : scheduler(3)
        , poller(scheduler, clock, core, options,
                 {.view = [this](const domain::SchedulerView&) { ++views; },
                  .health =
                      [this](const domain::SchedulerHealth& found) {
                          const std::lock_guard lock(m_mutex);
                          m_health = found;
                          ++looks;
                      },
                  .rights = [this](const std::vector<domain::Right>&) { ++rights; }})
    {
        scheduler.setDown(isDown);
        poller.start();
    }
    domain::SchedulerHealth health() const
    {
        const std::lock_guard lock(m_mutex);
        return m_health;
    }

    ManualClock clock{Time(std::chrono::seconds(1'790'000'000))};
    testing::SmallScheduler scheduler;
    std::atomic<int> views = 0;
    std::atomic<int> looks = 0;
    std::atomic<int> rights = 0;
    TaskLoop core;
    SchedulerPoller poller;
};

/// What is written to standard error for as long as it lives.
class CapturedLog {
public:
    CapturedLog()
        : m_before(dup(STDERR_FILENO))
    {
        (void)m_file.open();
        dup2(m_file.handle(), STDERR_FILENO);
    }
    ~CapturedLog()
    {
        dup2(m_before, STDERR_FILENO);
        close(m_before);
    }
    QByteArray text() const
    {
        QFile file(m_file.fileName());
        (void)file.open(QIODevice::ReadOnly);
        return file.readAll();
    }

private:
    QTemporaryFile m_file;
    const int m_before;
};

}  // namespace

class SchedulerPollerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void waitsTenTimesAsLongAsAReplyTakes();
    void eachFailureDoublesThePauseUpToTheLongestRetry();
    void pauseIsNeverShorterThanItsBaseNorLongerThanItsBound();
    void pollingGoesOnByItselfAfterAnOutage();
    void aSchedulerThatWasNeverReadIsToldOnce();
    void actionsKeepTheirOrderAndAreAnsweredBeforeTheNextView();
    void aCoreThatIsBehindGetsOneViewNotAHeap();
    void nothingIsCalledAfterStop();
};

void SchedulerPollerTest::waitsTenTimesAsLongAsAReplyTakes()
{
    const PollerOptions options;
    const auto pause = [&](int reply) {
        return SchedulerPoller::pause(options, options.interval, milliseconds(reply), 0);
    };
    QCOMPARE(pause(0), options.interval);
    QCOMPARE(pause(200), milliseconds(2000));
    QCOMPARE(pause(201), milliseconds(2010));
    QCOMPARE(pause(5000), milliseconds(50'000));
    QCOMPARE(pause(60'000), options.longestInterval);
    QCOMPARE(SchedulerPoller::pause(options, milliseconds(500), milliseconds(300), 0),
             milliseconds(3000));
}

void SchedulerPollerTest::eachFailureDoublesThePauseUpToTheLongestRetry()
{
    const PollerOptions options;
    const std::vector<int> expected = {2000, 4000, 8000, 15'000, 15'000};
    for (size_t i = 0; i < expected.size(); ++i)
        QCOMPARE(
            SchedulerPoller::pause(options, options.interval, milliseconds(12'000), int(i + 1)),
            milliseconds(expected[i]));
    // One who asks for less often than that anyway is not hurried.
    QCOMPARE(SchedulerPoller::pause(options, milliseconds(30'000), milliseconds(1), 9),
             milliseconds(30'000));
}

void SchedulerPollerTest::pauseIsNeverShorterThanItsBaseNorLongerThanItsBound()
{
    QVERIFY(rc::check("the pause has bounds", [] {
        const PollerOptions options;
        const milliseconds base(*rc::gen::inRange(1, 300'000));
        const milliseconds reply(*rc::gen::inRange(0, 60'000));
        const int failures = *rc::gen::inRange(0, 1000);
        const milliseconds pause = SchedulerPoller::pause(options, base, reply, failures);
        RC_ASSERT(pause >= base);
        RC_ASSERT(pause <=
                  std::max(base, failures ? options.longestRetry : options.longestInterval));
        RC_ASSERT(SchedulerPoller::pause(options, base, reply, failures + 1) >=
                  (failures ? pause : base));
    }));
}

void SchedulerPollerTest::pollingGoesOnByItselfAfterAnOutage()
{
    Watched watched;
    QTRY_VERIFY_WITH_TIMEOUT(watched.views > 2 && watched.health().up, kPatienceMs);
    QVERIFY(watched.health().error.empty());

    watched.scheduler.setDown(true);
    QTRY_VERIFY_WITH_TIMEOUT(!watched.health().up, kPatienceMs);
    QVERIFY(watched.health().error.find("Unable to contact slurm controller") != std::string::npos);
    QTRY_VERIFY_WITH_TIMEOUT(watched.health().backedOff, kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(watched.health().pollSeconds, 0.04F, kPatienceMs);
    QVERIFY(watched.health().lastSuccess.has_value());
    const int seen = watched.views;

    watched.scheduler.setDown(false);
    QTRY_VERIFY_WITH_TIMEOUT(watched.views > seen && watched.health().up, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(!watched.health().backedOff, kPatienceMs);
    QVERIFY(watched.health().error.empty());
}

void SchedulerPollerTest::aSchedulerThatWasNeverReadIsToldOnce()
{
    const CapturedLog log;
    Watched watched(quick(), true);
    QTRY_VERIFY_WITH_TIMEOUT(watched.looks >= 4, kPatienceMs);
    const QByteArray words =
        "has not been read since the start, so nothing can be shown or done: "
        "Unable to contact slurm controller (connect failure). See that it "
        "runs";
    QCOMPARE(log.text().count(words), 1);
    watched.scheduler.setDown(false);
    const auto read = [&] { return log.text().count("read for the first time since the start"); };
    QTRY_VERIFY_WITH_TIMEOUT(read() == 1, kPatienceMs);
    const int before = watched.looks;
    QTRY_VERIFY_WITH_TIMEOUT(watched.looks >= before + 3, kPatienceMs);
    QCOMPARE(read(), 1);
    QCOMPARE(log.text().count(words), 1);
}

void SchedulerPollerTest::actionsKeepTheirOrderAndAreAnsweredBeforeTheNextView()
{
    PollerOptions slow = quick();
    slow.interval = slow.afterAction = std::chrono::hours(1);
    Watched watched(slow);
    QTRY_COMPARE_WITH_TIMEOUT(watched.views.load(), 1, kPatienceMs);
    std::atomic<int> answered = 0;
    std::atomic<int> viewsAtAnswer = -1;
    for (int i = 1; i <= 3; ++i) {
        domain::Action drain;
        drain.nodes = {"n" + std::to_string(i)};
        QVERIFY(watched.poller.execute(drain, std::to_string(i), [&](const auto& receipt) {
            answered += receipt.ok() ? 1 : 0;
            viewsAtAnswer = watched.views.load();
        }));
    }
    // The look that follows comes by itself, however long the interval is.
    QTRY_VERIFY_WITH_TIMEOUT(answered == 3 && watched.views > viewsAtAnswer, kPatienceMs);
    QCOMPARE(watched.scheduler.log(),
             (std::vector<std::string>{"drain 1 n1", "drain 2 n2", "drain 3 n3"}));
}

void SchedulerPollerTest::aCoreThatIsBehindGetsOneViewNotAHeap()
{
    Watched watched;
    QTRY_VERIFY_WITH_TIMEOUT(watched.views > 0, kPatienceMs);
    std::promise<void> held;
    std::promise<void> release;
    QVERIFY(watched.core.post([&] {
        held.set_value();
        release.get_future().wait();
    }));
    held.get_future().wait();
    const int views = watched.views;
    const uint64_t calls = watched.scheduler.callsMade();
    QTest::qWait(300);  // 60 intervals
    const uint64_t more = watched.scheduler.callsMade() - calls;
    release.set_value();
    QVERIFY2(more <= 2, qPrintable(QString::number(more)));
    // It goes on by itself.
    QTRY_VERIFY_WITH_TIMEOUT(watched.views > views + 2, kPatienceMs);
}

void SchedulerPollerTest::nothingIsCalledAfterStop()
{
    Watched watched;
    QTRY_VERIFY_WITH_TIMEOUT(watched.views > 0, kPatienceMs);
    watched.poller.stop();
    const uint64_t calls = watched.scheduler.callsMade();
    QVERIFY(!watched.poller.execute({}, "1", [](const auto&) {}));
    watched.poller.pollSoon();
    std::atomic<bool> drained = false;
    QVERIFY(watched.core.post([&] { drained = true; }));
    QTRY_VERIFY_WITH_TIMEOUT(drained, kPatienceMs);
    QCOMPARE(watched.scheduler.callsMade(), calls);
}

QTEST_GUILESS_MAIN(SchedulerPollerTest)
#include "scheduler_poller_test.moc"
