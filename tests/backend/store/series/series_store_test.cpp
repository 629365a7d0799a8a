#include "backend/store/series/series_store.h"

#include <signal.h>
#include <sys/resource.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <future>
#include <map>

#include "backend/domain/metric.h"
#include "backend/store/sqlite.h"

using namespace yard;
using domain::GpuMetric;
using domain::SeriesKind;
using domain::SeriesSubject;
using store::SeriesStore;
using store::SeriesTick;

namespace {

constexpr int64_t kStart = 1'790'006'400;  // a whole day, UTC
constexpr auto kPower = uint32_t(GpuMetric::Power);

Time at(int64_t seconds)
{
    return Time(std::chrono::seconds(seconds));
}

/// A cluster of a few GPUs whose power follows a rule, so that every moment's value is known.
class Recorder {
public:
    explicit Recorder(const QString& path, int nodes = 20)
        : m_path(path.toStdString())
        , m_clock(at(kStart))
    {
        auto subjects = std::make_shared<std::vector<SeriesSubject>>();
        for (int node = 0; node < nodes; ++node)
            for (int gpu = 0; gpu < 8; ++gpu)
                subjects->push_back(
                    {"gpu" + std::to_string(node), gpu, "GPU-" + std::to_string(node * 8 + gpu)});
        m_subjects = subjects;
        reopen();
    }
    void reopen()
    {
        m_store.reset();
        auto store = SeriesStore::open(m_path, m_clock);
        if (!store.ok())
            qFatal("%s", std::string(store.status().message()).c_str());
        m_store = *std::move(store);
    }
    static float power(size_t gpu, int64_t seconds)
    {
        if ((seconds / 15 + int64_t(gpu)) % 97 == 0)
            return domain::kNoReading;
        return float(60 + gpu) + float(seconds / 15 % 240);
    }
    void record(int64_t from, int64_t to)
    {
        for (int64_t second = from; second < to; second += 15) {
            SeriesTick tick;
            tick.at = at(second);
            tick.kinds[0].subjects = m_subjects;
            tick.kinds[0].values.resize(kPower + 1);
            for (size_t gpu = 0; gpu < m_subjects->size(); ++gpu)
                tick.kinds[0].values[kPower].push_back(power(gpu, second));
            if (second > kStart)
                m_clock.advance(std::chrono::seconds(15));
            m_store->append(std::move(tick));
            if (second / 15 % 32 == 0)
                (void)flush();
        }
        (void)flush();
    }
    void skip(int64_t seconds) { m_clock.advance(std::chrono::seconds(seconds)); }
    Status flush()
    {
        std::promise<Status> done;
        m_store->flush([&](Status status) { done.set_value(std::move(status)); });
        return done.get_future().get();
    }
    StatusOr<domain::SeriesAnswer> range(size_t gpu, int64_t from, int64_t to,
                                         uint32_t maxPoints = 100000)
    {
        std::promise<StatusOr<domain::SeriesAnswer>> done;
        domain::SeriesRequest request{SeriesKind::Gpu, (*m_subjects)[gpu], {kPower}, at(from),
                                      at(to),          maxPoints};
        m_store->range(request, [&](auto answer) { done.set_value(std::move(answer)); });
        return done.get_future().get();
    }
    StatusOr<domain::InstantAnswer> instant(int64_t second)
    {
        std::promise<StatusOr<domain::InstantAnswer>> done;
        m_store->at({SeriesKind::Gpu, kPower, at(second)},
                    [&](auto answer) { done.set_value(std::move(answer)); });
        return done.get_future().get();
    }
    /// Every reading of one GPU in a span is what was measured, no more and no less.
    QString compare(size_t gpu, int64_t from, int64_t to)
    {
        const auto answer = range(gpu, from, to);
        if (!answer.ok())
            return QString::fromStdString(std::string(answer.status().message()));
        std::map<int64_t, float> got;
        for (const domain::SeriesPoint& point : answer->series.at(0))
            got[std::chrono::floor<std::chrono::seconds>(point.at).time_since_epoch().count()] =
                point.mean;
        if (got.size() != answer->series.at(0).size())
            return QStringLiteral("some moment came twice");
        for (int64_t second = from; second < to; second += 15) {
            const float want = power(gpu, second);
            const auto found = got.find(second);
            if (std::isnan(want) != (found == got.end()))
                return QStringLiteral("at +%1 s: presence differs").arg(second - kStart);
            if (found != got.end() && std::abs(found->second - want) > 0.051F)
                return QStringLiteral("at +%1 s: %2, not %3")
                    .arg(second - kStart)
                    .arg(found->second)
                    .arg(want);
        }
        return {};
    }
    SeriesStore& store() { return *m_store; }
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
    ManualClock m_clock;
    std::shared_ptr<const std::vector<SeriesSubject>> m_subjects;
    std::unique_ptr<SeriesStore> m_store;
};

}  // namespace

class SeriesStoreTest : public QObject {
    Q_OBJECT
private slots:
    void everyReadingComesBack();
    void oneMomentOfAllGpus();
    void survivesARestart();
    void coarserLevelsKeepTheExtremes();
    void longSpansAreThinned();
    void thinnedPointsStandAStepApartAndGapsStay();
    void aReplacedGpuIsAnother();
    void unknownSubjectsAreNamed();
    void aDamagedBlockCostsItself();
    void aFullDiskIsToldAndRecoversByItself();
    void foreignFilesAreLeftAlone();
};

void SeriesStoreTest::everyReadingComesBack()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"));
    // Two whole hours, one that is not over, and a window that is still in memory.
    recorder.record(kStart, kStart + 3 * 3600 + 700);
    for (const size_t gpu : {size_t(0), size_t(63), size_t(64), size_t(159)})
        QCOMPARE(recorder.compare(gpu, kStart, kStart + 3 * 3600 + 690), QString());
    QCOMPARE(recorder.compare(5, kStart + 3000, kStart + 4200), QString());
}

void SeriesStoreTest::oneMomentOfAllGpus()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"));
    recorder.record(kStart, kStart + 2 * 3600 + 400);
    for (const int64_t second : {int64_t(0), int64_t(15), int64_t(3599), int64_t(3600),
                                 int64_t(7200), int64_t(7320), int64_t(7590)}) {
        const auto answer = recorder.instant(kStart + second);
        QVERIFY(answer.ok());
        QCOMPARE(answer->values.size(), size_t(160));
        for (size_t gpu = 0; gpu < 160; ++gpu) {
            const float want = Recorder::power(gpu, kStart + second / 15 * 15);
            QCOMPARE(std::isnan(answer->values[gpu]), std::isnan(want));
            if (!std::isnan(want))
                QVERIFY(std::abs(answer->values[gpu] - want) < 0.051F);
        }
    }
    const auto before = recorder.instant(kStart - 7200);
    QVERIFY(before.ok());
    QVERIFY(std::isnan(before->values.at(0)));
}

void SeriesStoreTest::survivesARestart()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"));
    recorder.record(kStart, kStart + 3600 + 130);
    recorder.reopen();
    recorder.record(kStart + 3600 + 135, kStart + 2 * 3600 + 300);
    QCOMPARE(recorder.compare(3, kStart, kStart + 2 * 3600 + 285), QString());
}

void SeriesStoreTest::coarserLevelsKeepTheExtremes()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"), 1);
    recorder.record(kStart, kStart + 3 * 86400 + 3600);
    const auto five = recorder.range(2, kStart, kStart + 3 * 86400);
    QVERIFY(five.ok());
    QCOMPARE(five->step.count(), int64_t(300));
    QCOMPARE(five->series.at(0).size(), size_t(3 * 288));
    for (const domain::SeriesPoint& point : five->series.at(0)) {
        const int64_t begin =
            std::chrono::floor<std::chrono::seconds>(point.at).time_since_epoch().count();
        float least = 1e9F;
        float most = -1;
        double sum = 0;
        int count = 0;
        for (int64_t second = begin; second < begin + 300; second += 15)
            if (const float value = Recorder::power(2, second); !std::isnan(value)) {
                least = std::min(least, value);
                most = std::max(most, value);
                sum += value;
                ++count;
            }
        QVERIFY(std::abs(point.min - least) < 0.051F);
        QVERIFY(std::abs(point.max - most) < 0.051F);
        QVERIFY(std::abs(point.mean - float(sum / count)) < 0.11F);
    }
}

void SeriesStoreTest::longSpansAreThinned()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"), 1);
    recorder.record(kStart, kStart + 6 * 3600);
    const auto answer = recorder.range(0, kStart, kStart + 6 * 3600, 100);
    QVERIFY(answer.ok());
    QVERIFY(answer->series.at(0).size() <= 100);
    float most = 0;
    for (const domain::SeriesPoint& point : answer->series.at(0))
        most = std::max(most, point.max);
    QVERIFY(std::abs(most - 299.F) < 0.06F);
}

void SeriesStoreTest::thinnedPointsStandAStepApartAndGapsStay()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"), 1);
    recorder.record(kStart, kStart + 3600);
    recorder.skip(3600);
    recorder.record(kStart + 7200, kStart + 10'800);
    const auto answer = recorder.range(0, kStart, kStart + 10'800, 60);
    QVERIFY(answer.ok());
    const auto& points = answer->series.at(0);
    QVERIFY(points.size() <= 61);
    QVERIFY(answer->step >= std::chrono::seconds(180));
    int gaps = 0;
    for (size_t i = 1; i < points.size(); ++i)
        gaps += points[i].at - points[i - 1].at > answer->step ? 1 : 0;
    QCOMPARE(gaps, 1);
}

void SeriesStoreTest::aReplacedGpuIsAnother()
{
    const QTemporaryDir dir;
    ManualClock clock(at(kStart));
    auto store = SeriesStore::open(dir.filePath("series.db").toStdString(), clock);
    QVERIFY(store.ok());
    const auto tick = [&](int64_t second, const std::string& uuid, float value) {
        SeriesTick one;
        one.at = at(kStart + second);
        one.kinds[0].subjects = std::make_shared<std::vector<SeriesSubject>>(
            std::vector<SeriesSubject>{{"gpu1", 0, uuid}});
        one.kinds[0].values.resize(kPower + 1);
        one.kinds[0].values[kPower] = {value};
        (*store)->append(std::move(one));
    };
    tick(0, "GPU-a", 100);
    tick(15, "GPU-b", 200);
    tick(30, "GPU-a", 110);
    clock.advance(std::chrono::seconds(60));
    const auto points = [&](const std::string& uuid) {
        std::promise<std::vector<float>> done;
        (*store)->range(
            {SeriesKind::Gpu, {"gpu1", 0, uuid}, {kPower}, at(kStart), at(kStart + 60), 1000},
            [&](auto answer) {
                std::vector<float> values;
                if (answer.ok())
                    for (const auto& point : answer->series.at(0))
                        values.push_back(point.mean);
                done.set_value(values);
            });
        return done.get_future().get();
    };
    std::promise<void> flushed;
    (*store)->flush([&](const Status&) { flushed.set_value(); });
    flushed.get_future().get();
    QCOMPARE(points("GPU-a"), (std::vector<float>{100, 110}));
    QCOMPARE(points("GPU-b"), (std::vector<float>{200}));
    QCOMPARE(points(""), (std::vector<float>{200}));  // by place: the newest that was new there
}

void SeriesStoreTest::unknownSubjectsAreNamed()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"), 1);
    std::promise<Status> done;
    recorder.store().range({SeriesKind::Gpu, {"nosuch", 0, ""}, {kPower}, at(0), at(1), 10},
                           [&](const auto& answer) { done.set_value(answer.status()); });
    const Status status = done.get_future().get();
    QCOMPARE(status.code(), absl::StatusCode::kNotFound);
    QVERIFY(status.message().find("nosuch") != std::string_view::npos);
}

void SeriesStoreTest::aDamagedBlockCostsItself()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"));
    recorder.record(kStart, kStart + 2 * 3600 + 400);
    {
        auto database = store::Database::open(recorder.path(), store::Database::Mode::ReadWrite);
        QVERIFY(database.ok());
        QVERIFY(database
                    ->execute("UPDATE block SET data=x'00112233' WHERE lane_group=1 AND "
                              "start_s=(SELECT min(start_s) FROM block)")
                    .ok());
    }
    QCOMPARE(recorder.compare(3, kStart, kStart + 2 * 3600), QString());
    const auto hurt = recorder.range(70, kStart, kStart + 2 * 3600);
    QVERIFY(hurt.ok());
    QCOMPARE(hurt->warnings.size(), size_t(1));
    QVERIFY(!hurt->series.at(0).empty());
}

void SeriesStoreTest::aFullDiskIsToldAndRecoversByItself()
{
    const QTemporaryDir dir;
    Recorder recorder(dir.filePath("series.db"));
    std::mutex mutex;
    std::vector<store::SeriesHealth> healths;
    recorder.store().onHealth([&](store::SeriesHealth health) {
        const std::lock_guard lock(mutex);
        healths.push_back(std::move(health));
    });
    recorder.record(kStart, kStart + 600);
    // No file of this process may grow: what a full disk is to it.
    signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit none = before;
    none.rlim_cur = 4096;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &none), 0);
    recorder.record(kStart + 600, kStart + 1800);
    const Status refused = recorder.flush();
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &before), 0);
    QCOMPARE(refused.code(), absl::StatusCode::kUnavailable);
    {
        const std::lock_guard lock(mutex);
        QCOMPARE(healths.size(), size_t(1));
        QVERIFY(!healths[0].ok);
        QVERIFY(healths[0].error.find("not being kept") != std::string::npos);
    }
    recorder.record(kStart + 1800, kStart + 2400);
    {
        const std::lock_guard lock(mutex);
        QCOMPARE(healths.size(), size_t(2));
        QVERIFY(healths[1].ok);
    }
    recorder.store().onHealth(nullptr);
    // What waited was kept.
    QCOMPARE(recorder.compare(9, kStart, kStart + 2400), QString());
}

void SeriesStoreTest::foreignFilesAreLeftAlone()
{
    const QTemporaryDir dir;
    const ManualClock clock(at(kStart));
    const QString path = dir.filePath("other.db");
    {
        auto other = store::Database::open(path.toStdString(), store::Database::Mode::ReadWrite);
        QVERIFY(other.ok());
        QVERIFY(other->execute("CREATE TABLE theirs(x)").ok());
    }
    QCOMPARE(SeriesStore::open(path.toStdString(), clock).status().code(),
             absl::StatusCode::kFailedPrecondition);
    QFile text(dir.filePath("text.db"));
    QVERIFY(text.open(QFile::WriteOnly));
    text.write(QByteArray(5000, 'x'));
    text.close();
    QCOMPARE(SeriesStore::open(text.fileName().toStdString(), clock).status().code(),
             absl::StatusCode::kDataLoss);
}

QTEST_GUILESS_MAIN(SeriesStoreTest)
#include "series_store_test.moc"
