#include "backend/telemetry/scrape_loop.h"

#include <sys/resource.h>

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "tests/support/fake_exporter.h"

using namespace yard;
using namespace yard::telemetry;
using std::chrono::milliseconds;
using yard::test::FakeExporter;
using yard::test::FakeNode;
using yard::test::HttpFault;

namespace {

const Time kNoon = Time(std::chrono::hours(24 * 20000 + 12));

Scrape oneReading(const std::string& host)
{
    Scrape scrape;
    scrape.hosts.push_back({.host = host, .at = kNoon, .gpus = {}});
    scrape.samples = 1;
    return scrape;
}

/// Answers as the test says, on the loop's thread.
class ScriptedSource final : public TelemetrySource {
public:
    using Script = std::function<StatusOr<Scrape>(Deadline)>;
    ScriptedSource(std::string target, Script script)
        : m_target(std::move(target))
        , m_script(std::move(script))
    {
    }
    std::string_view target() const override { return m_target; }
    std::string_view kind() const override { return "scripted"; }
    std::string_view host() const override { return m_target; }
    StatusOr<Scrape> scrape(Deadline deadline) override { return m_script(deadline); }

private:
    std::string m_target;
    Script m_script;
};

/// A page over HTTP, whatever is on it.
class PageSource final : public TelemetrySource {
public:
    PageSource(std::string target, uint16_t port)
        : m_target(std::move(target))
        , m_port(port)
    {
    }
    std::string_view target() const override { return m_target; }
    std::string_view kind() const override { return "page"; }
    std::string_view host() const override { return m_target; }
    StatusOr<Scrape> scrape(Deadline) override { return absl::InternalError("not called"); }
    std::optional<HttpRequest> request() const override
    {
        HttpRequest request;
        request.target = m_target;
        request.url = "http://127.0.0.1:" + std::to_string(m_port) + "/metrics";
        return request;
    }
    StatusOr<Scrape> read(const HttpReply&) override { return oneReading(m_target); }

private:
    std::string m_target;
    uint16_t m_port;
};

ScheduledSource scripted(std::string name, ScriptedSource::Script script,
                         milliseconds interval = milliseconds(80))
{
    return {.source = std::make_unique<ScriptedSource>(std::move(name), std::move(script)),
            .interval = interval,
            .timeout = interval};
}

template <typename... Sources>
std::vector<ScheduledSource> listOf(Sources... sources)
{
    std::vector<ScheduledSource> list;
    (list.push_back(std::move(sources)), ...);
    return list;
}

/// What was delivered, kept for looking at.
class Inbox {
public:
    struct Entry {
        domain::TargetHealth health;
        StatusOr<Scrape> scrape;
        std::chrono::steady_clock::time_point at;
    };
    ScrapeLoop::Deliver taker()
    {
        return [this](domain::TargetHealth health, StatusOr<Scrape> scrape) {
            const std::lock_guard lock(m_mutex);
            m_entries.push_back(
                {std::move(health), std::move(scrape), std::chrono::steady_clock::now()});
        };
    }
    std::vector<Entry> entries() const
    {
        const std::lock_guard lock(m_mutex);
        return m_entries;
    }
    size_t size() const { return entries().size(); }

private:
    mutable std::mutex m_mutex;
    std::vector<Entry> m_entries;
};

}  // namespace

class ScrapeLoopTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void offsetsAreSpreadAndTheSameInEveryRun();
    void aReadIsDeliveredWithItsHealth();
    void aFailureKeepsTheLastSuccess();
    void badLinesAddUpAndKeepTheFirstSentence();
    void twoReadsOfOneTargetNeverOverlap();
    void turnsMissedAreCounted();
    void theDeadlineIsBelowTheInterval();
    void aSlowTakerGetsTheNewestAndTheLossIsCounted();
    void faultsAreNeverDropped();
    void aHundredHungTargetsDoNotDelayTheOthers();
    void blockedSourcesDoNotDelayThoseOverHttp();
    void stopsWithinASecondWhileAllHang();
};

void ScrapeLoopTest::initTestCase()
{
    rlimit files{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &files), 0);
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, 8192);
    QCOMPARE(setrlimit(RLIMIT_NOFILE, &files), 0);
}

void ScrapeLoopTest::offsetsAreSpreadAndTheSameInEveryRun()
{
    QCOMPARE(scrapeOffset("gpu031:9400", milliseconds(5000)).count(),
             scrapeOffset("gpu031:9400", milliseconds(5000)).count());
    std::vector<int> tenths(10);
    for (int i = 1; i <= 1000; ++i) {
        const auto offset =
            scrapeOffset("gpu" + std::to_string(i) + ":9400", milliseconds(5000)).count();
        QVERIFY(offset >= 0 && offset < 5000);
        ++tenths[size_t(offset / 500)];
    }
    for (const int count : tenths)
        QVERIFY2(count > 60 && count < 140, qPrintable(QString::number(count)));
}

void ScrapeLoopTest::aReadIsDeliveredWithItsHealth()
{
    const ManualClock clock(kNoon);
    Inbox inbox;
    const ScrapeLoop loop(listOf(scripted("gpu001", [](Deadline) { return oneReading("gpu001"); })),
                          clock, inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 2, 5000);
    const Inbox::Entry entry = inbox.entries().front();
    QVERIFY(entry.health.up);
    QCOMPARE(entry.health.target, std::string("gpu001"));
    QCOMPARE(entry.health.kind, std::string("scripted"));
    QVERIFY(entry.health.lastSuccess == kNoon);
    QCOMPARE(entry.health.samples, 1u);
    QVERIFY(entry.health.error.empty());
    QCOMPARE(entry.scrape->hosts.front().host, std::string("gpu001"));
}

void ScrapeLoopTest::aFailureKeepsTheLastSuccess()
{
    ManualClock clock(kNoon);
    Inbox inbox;
    std::atomic<bool> broken = false;
    const ScrapeLoop loop(listOf(scripted("gpu001",
                                          [&](Deadline) -> StatusOr<Scrape> {
                                              if (broken)
                                                  return absl::UnavailableError("gpu001 is gone.");
                                              return oneReading("gpu001");
                                          })),
                          clock, inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 1, 5000);
    clock.advance(std::chrono::seconds(30));
    broken = true;
    QTRY_VERIFY_WITH_TIMEOUT(!inbox.entries().back().health.up, 5000);
    const Inbox::Entry entry = inbox.entries().back();
    QCOMPARE(entry.health.error, std::string("gpu001 is gone."));
    QVERIFY(entry.health.lastSuccess.has_value());
    QVERIFY(*entry.health.lastSuccess <= kNoon + std::chrono::seconds(30));
    QVERIFY(!entry.scrape.ok());
}

void ScrapeLoopTest::badLinesAddUpAndKeepTheFirstSentence()
{
    const ManualClock clock(kNoon);
    Inbox inbox;
    int read = 0;
    const ScrapeLoop loop(listOf(scripted("gpu001",
                                          [&](Deadline) {
                                              Scrape scrape = oneReading("gpu001");
                                              if (++read <= 2) {
                                                  scrape.badLines = 3;
                                                  scrape.firstBadLine = "gpu001, line 7: no value.";
                                              }
                                              return scrape;
                                          })),
                          clock, inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 4, 5000);
    QCOMPARE(inbox.entries()[0].health.badLines, 3u);
    QCOMPARE(inbox.entries()[3].health.badLines, 6u);
    QCOMPARE(inbox.entries()[3].health.firstBadLine, std::string("gpu001, line 7: no value."));
}

void ScrapeLoopTest::twoReadsOfOneTargetNeverOverlap()
{
    const ManualClock clock(kNoon);
    Inbox inbox;
    std::atomic<int> inside = 0;
    std::atomic<bool> overlapped = false;
    const auto script = [&](Deadline) {
        if (++inside > 1)
            overlapped = true;
        std::this_thread::sleep_for(milliseconds(35));
        --inside;
        return oneReading("gpu001");
    };
    const ScrapeLoop loop(listOf(scripted("gpu001", script, milliseconds(10))), clock,
                          inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 5, 5000);
    QVERIFY(!overlapped);
}

void ScrapeLoopTest::turnsMissedAreCounted()
{
    const ManualClock clock(kNoon);
    Inbox inbox;
    const auto slow = [](Deadline) {
        std::this_thread::sleep_for(milliseconds(400));
        return oneReading("gpu001");
    };
    const ScrapeLoop loop(listOf(scripted("gpu001", slow)), clock, inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 3, 5000);
    const ScrapeCounters counters = loop.counters();
    QVERIFY2(counters.overruns >= 2 * counters.scrapes - 4,
             qPrintable(QString::number(counters.overruns)));
}

void ScrapeLoopTest::theDeadlineIsBelowTheInterval()
{
    const ManualClock clock(kNoon);
    Inbox inbox;
    std::atomic<int64_t> longest = 0;
    const ScrapeLoop loop(listOf(scripted(
                              "gpu001",
                              [&](Deadline deadline) {
                                  longest = std::max<int64_t>(longest, deadline.left().count());
                                  return oneReading("gpu001");
                              },
                              milliseconds(100))),
                          clock, inbox.taker());
    QTRY_VERIFY_WITH_TIMEOUT(inbox.size() >= 3, 5000);
    QVERIFY2(longest <= 90, qPrintable(QString::number(longest)));
}

void ScrapeLoopTest::aSlowTakerGetsTheNewestAndTheLossIsCounted()
{
    const ManualClock clock(kNoon);
    std::atomic<int> reads = 0;
    std::atomic<bool> open = false;
    std::atomic<int> taken = 0;
    std::atomic<int> secondTaken = 0;
    const ScrapeLoop loop(listOf(scripted("gpu001",
                                          [&](Deadline) {
                                              Scrape scrape = oneReading("gpu001");
                                              scrape.samples = uint64_t(++reads);
                                              return scrape;
                                          })),
                          clock, [&](const domain::TargetHealth&, const StatusOr<Scrape>& scrape) {
                              const int number = ++taken;
                              while (number == 1 && !open)
                                  std::this_thread::sleep_for(milliseconds(1));
                              if (number == 2)
                                  secondTaken = int(scrape->samples);
                          });
    QTRY_VERIFY_WITH_TIMEOUT(reads >= 10, 5000);
    open = true;
    QTRY_VERIFY_WITH_TIMEOUT(secondTaken > 0, 5000);
    QVERIFY2(secondTaken >= 9, qPrintable(QString::number(secondTaken)));
    QVERIFY(loop.counters().droppedReadings >= 7);
}

void ScrapeLoopTest::faultsAreNeverDropped()
{
    const ManualClock clock(kNoon);
    std::atomic<int> made = 0;
    std::atomic<int> taken = 0;
    std::atomic<bool> open = false;
    std::vector<int> codes;
    std::mutex mutex;
    const ScrapeLoop loop(listOf(scripted("kernel",
                                          [&](Deadline) {
                                              Scrape scrape;
                                              scrape.faults.push_back({});
                                              scrape.faults.back().code = ++made;
                                              return scrape;
                                          })),
                          clock, [&](const domain::TargetHealth&, const StatusOr<Scrape>& scrape) {
                              ++taken;
                              while (!open)
                                  std::this_thread::sleep_for(milliseconds(1));
                              const std::lock_guard lock(mutex);
                              for (const domain::Fault& fault : scrape->faults)
                                  codes.push_back(fault.code);
                          });
    QTRY_VERIFY_WITH_TIMEOUT(loop.counters().overruns >= 5, 5000);
    QCOMPARE(made.load(), 2);  // one is being taken, one waits: no more are read
    open = true;
    QTRY_VERIFY_WITH_TIMEOUT(taken >= 6, 5000);
    const std::lock_guard lock(mutex);
    for (size_t i = 0; i < codes.size(); ++i)
        QCOMPARE(codes[i], int(i) + 1);
}

void ScrapeLoopTest::aHundredHungTargetsDoNotDelayTheOthers()
{
#ifdef __SANITIZE_THREAD__
    constexpr int kTargets = 30;  // every step takes about ten times as long
#else
    constexpr int kTargets = 300;
#endif
    const milliseconds interval(1000);
    std::vector<FakeNode> nodes;
    for (int i = 0; i < kTargets; ++i)
        nodes.push_back({.name = "gpu" + std::to_string(i)});
    const auto exporter = FakeExporter::start(nodes, 8);
    QVERIFY2(exporter.ok(), exporter.status().ToString().c_str());
    std::vector<ScheduledSource> sources;
    for (int i = 0; i < kTargets; ++i) {
        const std::string& name = nodes[size_t(i)].name;
        if (i % 3 == 0)
            (*exporter)->setFault(name, i % 2 ? HttpFault::Hang : HttpFault::Mute);
        sources.push_back({.source = std::make_unique<PageSource>(name, (*exporter)->port(name)),
                           .interval = interval,
                           .timeout = milliseconds(900)});
    }
    const ManualClock clock(kNoon);
    Inbox inbox;
    {
        const ScrapeLoop loop(std::move(sources), clock, inbox.taker());
        QTest::qWait(6400);
    }
    std::map<std::string, std::vector<Inbox::Entry>> byTarget;
    for (const Inbox::Entry& entry : inbox.entries())
        byTarget[entry.health.target].push_back(entry);
    QCOMPARE(byTarget.size(), size_t(kTargets));
    std::vector<float> seconds;
    for (int i = 0; i < kTargets; ++i) {
        const auto& entries = byTarget["gpu" + std::to_string(i)];
        if (i % 3 == 0) {
            QVERIFY(entries.size() >= 3);
            for (const Inbox::Entry& entry : entries)
                QVERIFY(absl::IsDeadlineExceeded(entry.scrape.status()));
            continue;
        }
        QVERIFY2(entries.size() >= 5, qPrintable(QString::number(entries.size())));
        for (size_t k = 0; k < entries.size(); ++k) {
            QVERIFY(entries[k].scrape.ok());
            seconds.push_back(entries[k].health.seconds);
            if (k > 0)
                QVERIFY(entries[k].at - entries[k - 1].at < interval * 2);
        }
    }
    std::sort(seconds.begin(), seconds.end());
    qInfo("reads of healthy targets: p50 %.1f ms, p99 %.1f ms",
          double(seconds[seconds.size() / 2]) * 1e3,
          double(seconds[seconds.size() * 99 / 100]) * 1e3);
    QVERIFY(seconds[seconds.size() * 99 / 100] < 0.5F);
}

void ScrapeLoopTest::blockedSourcesDoNotDelayThoseOverHttp()
{
    const auto exporter = FakeExporter::start({{.name = "gpu001"}}, 1);
    QVERIFY(exporter.ok());
    std::vector<ScheduledSource> sources;
    for (int i = 0; i < 10; ++i)
        sources.push_back(scripted("stuck" + std::to_string(i), [](Deadline) -> StatusOr<Scrape> {
            std::this_thread::sleep_for(milliseconds(700));
            return absl::DeadlineExceededError("stuck");
        }));
    sources.push_back(
        {.source = std::make_unique<PageSource>("gpu001", (*exporter)->port("gpu001")),
         .interval = milliseconds(100),
         .timeout = milliseconds(90)});
    const ManualClock clock(kNoon);
    Inbox inbox;
    const ScrapeLoop loop(std::move(sources), clock, inbox.taker());
    const auto healthy = [&] {
        const auto entries = inbox.entries();
        return std::count_if(entries.begin(), entries.end(), [](const Inbox::Entry& entry) {
            return entry.health.target == "gpu001" && entry.scrape.ok();
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(healthy() >= 5, 2000);
}

void ScrapeLoopTest::stopsWithinASecondWhileAllHang()
{
    std::vector<FakeNode> nodes;
    for (int i = 0; i < 50; ++i)
        nodes.push_back({.name = "gpu" + std::to_string(i)});
    const auto exporter = FakeExporter::start(nodes, 1);
    QVERIFY(exporter.ok());
    (*exporter)->command("* mute").IgnoreError();
    std::vector<ScheduledSource> sources;
    for (const FakeNode& node : nodes)
        sources.push_back(
            {.source = std::make_unique<PageSource>(node.name, (*exporter)->port(node.name)),
             .interval = milliseconds(500),
             .timeout = milliseconds(60000)});
    const ManualClock clock(kNoon);
    Inbox inbox;
    QElapsedTimer timer;
    {
        const ScrapeLoop loop(std::move(sources), clock, inbox.taker());
        QTRY_VERIFY_WITH_TIMEOUT(loop.counters().scrapes >= 50, 5000);
        timer.start();
    }
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
}

QTEST_GUILESS_MAIN(ScrapeLoopTest)
#include "scrape_loop_test.moc"
