#include "backend/control/desk.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <future>
#include <thread>

#include "tests/support/desk_harness.h"

using namespace yard;

class DeskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scrapesOfTheWholeClusterWaitOneAtATime();
    void manySmallScrapesMayWait();
    void whyReadingsAreNotKeptIsShownUntilTheyAre();

private:
    /// How many of `count` scrapes of `hosts` hosts a core that is held up lets in.
    int letIn(int count, int hosts);
};

int DeskTest::letIn(int count, int hosts)
{
    const QTemporaryDir folder;
    testing::DeskHarness harness(folder.path().toStdString());
    harness.open();
    std::promise<void> held;
    std::promise<void> release;
    if (!harness.desk->core().post([&] {
            held.set_value();
            release.get_future().wait();
        }))
        return -1;
    held.get_future().wait();
    std::atomic<int> inside = 0;
    std::thread worker([&] {
        for (int i = 0; i < count; ++i) {
            domain::TargetHealth target;
            target.target = "all";
            telemetry::Scrape scrape;
            scrape.hosts.resize(size_t(hosts));
            harness.desk->scraped(std::move(target), std::move(scrape));
            ++inside;
        }
    });
    for (int waited = 0; inside < count && waited < 300; waited += 10)
        QTest::qWait(10);
    const int result = inside;
    release.set_value();
    worker.join();
    return inside == count ? result : -1;
}

void DeskTest::scrapesOfTheWholeClusterWaitOneAtATime()
{
    QCOMPARE(letIn(5, 5000), 1);
}

void DeskTest::manySmallScrapesMayWait()
{
    QCOMPARE(letIn(200, 1), 200);
    QCOMPARE(letIn(300, 1), 256);
}

void DeskTest::whyReadingsAreNotKeptIsShownUntilTheyAre()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("series.db"));
    QVERIFY(QDir().mkdir(path));  // in the way
    testing::DeskHarness harness(folder.path().toStdString());
    store::SeriesKeeper history(path.toStdString(), harness.clock, {},
                                std::chrono::milliseconds(20));
    harness.open(&history);
    const auto error = [&] { return harness.snapshot()->daemon.value().historyError; };
    QTRY_VERIFY(!error().empty());
    QVERIFY(QDir().rmdir(path));
    QTRY_COMPARE(error(), std::string());
    // And then what is read is there to be asked for.
    telemetry::Scrape scrape;
    auto& host = scrape.hosts.emplace_back();
    QTRY_VERIFY(!harness.snapshot()->nodes.empty());
    host.host = harness.snapshot()->nodes.front().name;
    host.node[size_t(domain::NodeMetric::Power)] = 4000;
    domain::TargetHealth target;
    target.target = "ipmi";
    harness.desk->scraped(target, scrape);
    harness.clock.advance(std::chrono::seconds(15));
    const auto power = [&] {
        std::promise<float> done;
        history.at(
            {domain::SeriesKind::Node, uint32_t(domain::NodeMetric::Power), harness.clock.now()},
            [&](const StatusOr<domain::InstantAnswer>& answer) {
                done.set_value(answer.ok() && !answer->values.empty() ? answer->values[0] : -1.0F);
            });
        return done.get_future().get();
    };
    QTRY_COMPARE(power(), 4000.0F);
    harness.close();
}

QTEST_GUILESS_MAIN(DeskTest)
#include "desk_test.moc"
