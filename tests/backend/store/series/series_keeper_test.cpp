#include "backend/store/series/series_keeper.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <future>

#include "backend/domain/metric.h"

using namespace yard;
using store::SeriesKeeper;

namespace {

constexpr int64_t kStart = 1'790'006'400;

store::SeriesTick tick(Time at, float watts)
{
    store::SeriesTick tick;
    tick.at = at;
    auto& columns = tick.kinds[size_t(domain::SeriesKind::Node)];
    columns.subjects = std::make_shared<std::vector<domain::SeriesSubject>>(
        1, domain::SeriesSubject{"gpu1", -1, {}});
    columns.values.assign(size_t(domain::NodeMetric::Power) + 1, {});
    columns.values.back() = {watts};
    return tick;
}

StatusOr<domain::InstantAnswer> power(SeriesKeeper& keeper, Time at)
{
    std::promise<StatusOr<domain::InstantAnswer>> done;
    keeper.at({domain::SeriesKind::Node, uint32_t(domain::NodeMetric::Power), at},
              [&](auto answer) { done.set_value(std::move(answer)); });
    return done.get_future().get();
}

}  // namespace

class SeriesKeeperTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFileThatCannotBeOpenedIsToldAndTriedAgain();
};

void SeriesKeeperTest::aFileThatCannotBeOpenedIsToldAndTriedAgain()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("series.db"));
    QVERIFY(QDir().mkdir(path));  // in the way
    const ManualClock clock{Time{std::chrono::seconds(kStart)}};
    SeriesKeeper keeper(path.toStdString(), clock, {}, std::chrono::milliseconds(20));
    std::mutex mutex;
    store::SeriesHealth health;
    keeper.onHealth([&](const store::SeriesHealth& found) {
        const std::lock_guard lock(mutex);
        health = found;
    });
    const auto now = [&] {
        const std::lock_guard lock(mutex);
        return health;
    };
    QVERIFY(!now().ok);
    QVERIFY2(now().error.find("not being kept") != std::string::npos, now().error.c_str());
    keeper.append(tick(clock.now(), 100));
    const auto refused = power(keeper, clock.now());
    QVERIFY(absl::IsUnavailable(refused.status()));
    QCOMPARE(std::string(refused.status().message()), now().error);

    QVERIFY(QDir().rmdir(path));
    QTRY_VERIFY(now().ok);
    QCOMPARE(now().lostTicks, uint64_t(1));
    keeper.append(tick(clock.now(), 200));
    // What was appended is asked for on another thread.
    float value = domain::kNoReading;
    QTRY_VERIFY((value = power(keeper, clock.now())->values.empty()
                             ? domain::kNoReading
                             : power(keeper, clock.now())->values.at(0),
                 value == 200.0F));
    keeper.onHealth(nullptr);
}

QTEST_GUILESS_MAIN(SeriesKeeperTest)
#include "series_keeper_test.moc"
