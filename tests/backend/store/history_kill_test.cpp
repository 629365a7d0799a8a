#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <random>
#include <thread>

#include "backend/domain/metric.h"
#include "backend/store/journal.h"
#include "backend/store/series/series_store.h"
#include "backend/store/sqlite.h"

using namespace yard;

namespace {

constexpr int kKills = 200;
constexpr int kFlushEvery = 4;
constexpr auto kMetric = uint32_t(domain::NodeMetric::Power);

Time at(int64_t step)
{
    return Time(std::chrono::seconds(1'790'006'400 + 15 * step));
}

float watts(int64_t step)
{
    return float(step % 5000);
}

/// What the writer has been told to be on the disk, in a pipe that outlives it.
struct Acknowledged {
    char what;  ///< 'j' an entry of the journal, 's' the series up to here
    int64_t step;
};

template <typename Call>
Status wait(Call call)
{
    std::promise<Status> done;
    call([&](Status status) { done.set_value(std::move(status)); });
    return done.get_future().get();
}

store::JournalEntry entry(int64_t step, bool isAnew)
{
    domain::Node node;
    node.name = "gpu1";
    node.stateText = "S" + std::to_string(step);
    store::JournalEntry entry{.at = at(step)};
    entry.states =
        store::StatesSeen{isAnew, {{store::StateKind::Node, node.name, store::packBody(node)}}};
    return entry;
}

store::SeriesTick tick(int64_t step)
{
    static const auto kSubjects = std::make_shared<const std::vector<domain::SeriesSubject>>(
        1, domain::SeriesSubject{"gpu1", -1, {}});
    store::SeriesTick tick;
    tick.at = at(step);
    auto& columns = tick.kinds[size_t(domain::SeriesKind::Node)];
    columns.subjects = kSubjects;
    columns.values.resize(kMetric + 1);
    columns.values[kMetric] = {watts(step)};
    return tick;
}

/// Writes until it is killed.
[[noreturn]] void writeForEver(const std::string& folder, int64_t step, int pipe)
{
    ManualClock clock(at(step));
    auto journal = store::Journal::open(folder + "/journal.db");
    auto series = store::SeriesStore::open(folder + "/series.db", clock);
    if (!journal.ok() || !series.ok())
        _exit(1);
    const auto acknowledge = [pipe](char what, int64_t step) {
        const Acknowledged done{what, step};
        if (write(pipe, &done, sizeof done) != sizeof done)
            _exit(1);
    };
    for (bool isAnew = true;; isAnew = false, ++step) {
        clock.advance(std::chrono::seconds(15));
        (*series)->append(tick(step));
        if (!wait([&](auto done) { (*journal)->write(entry(step, isAnew), done); }).ok())
            _exit(1);
        acknowledge('j', step);
        if (step % kFlushEvery != 0)
            continue;
        if (!wait([&](auto done) { (*series)->flush(done); }).ok())
            _exit(1);
        acknowledge('s', step);
    }
}

}  // namespace

class HistoryKillTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsAcknowledgedSurvivesEveryKill();

private:
    /// One life of the writer; false if it did not die by our hand.
    bool live(std::mt19937& random);
    QString check(std::mt19937& random);
    QString checkMoment(store::Journal& journal, int64_t step);
    QString checkReading(store::SeriesStore& series, int64_t step);

    std::string m_folder;
    std::vector<int64_t> m_entries;
    std::vector<int64_t> m_flushed;
    int64_t m_next = 0;
};

bool HistoryKillTest::live(std::mt19937& random)
{
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        ::close(ends[0]);
        writeForEver(m_folder, m_next, ends[1]);
    }
    ::close(ends[1]);
    // Some die while they open, others in the middle of many writes.
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 120'000));
    ::kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    const int64_t begin = m_next;
    Acknowledged done{};
    int64_t lastFlush = -1;
    while (read(ends[0], &done, sizeof done) == sizeof done) {
        if (done.what == 'j')
            m_entries.push_back(done.step);
        else
            lastFlush = done.step;
        m_next = std::max(m_next, done.step + 1);
    }
    for (int64_t step = begin; step <= lastFlush; ++step)
        m_flushed.push_back(step);
    ::close(ends[0]);
    // What was written but not acknowledged must not be taken for another's.
    m_next += 2;
    return WIFSIGNALED(status);
}

QString HistoryKillTest::checkMoment(store::Journal& journal, int64_t step)
{
    std::promise<StatusOr<store::Moment>> done;
    journal.moment(at(step), [&](auto found) { done.set_value(std::move(found)); });
    const auto moment = done.get_future().get();
    if (!moment.ok())
        return QString::fromStdString(std::string(moment.status().message()));
    if (!moment->known || moment->nodes.size() != 1)
        return QStringLiteral("the state of step %1 is lost").arg(step);
    if (moment->nodes[0].stateText != "S" + std::to_string(step))
        return QStringLiteral("step %1 shows %2")
            .arg(step)
            .arg(QString::fromStdString(moment->nodes[0].stateText));
    return {};
}

QString HistoryKillTest::checkReading(store::SeriesStore& series, int64_t step)
{
    std::promise<StatusOr<domain::InstantAnswer>> done;
    series.at({domain::SeriesKind::Node, kMetric, at(step)},
              [&](auto found) { done.set_value(std::move(found)); });
    const auto answer = done.get_future().get();
    if (!answer.ok())
        return QString::fromStdString(std::string(answer.status().message()));
    if (!answer->warnings.empty())
        return QString::fromStdString(answer->warnings.front());
    if (answer->values.size() != 1 || answer->values[0] != watts(step))
        return QStringLiteral("the reading of step %1 is %2")
            .arg(step)
            .arg(answer->values.empty() ? -1.0 : double(answer->values[0]));
    return {};
}

QString HistoryKillTest::check(std::mt19937& random)
{
    const ManualClock clock(at(m_next));
    auto journal = store::Journal::open(m_folder + "/journal.db");
    auto series = store::SeriesStore::open(m_folder + "/series.db", clock);
    for (const Status& status : {journal.status(), series.status()})
        if (!status.ok())
            return QString::fromStdString(std::string(status.message()));
    // The newest are the ones in danger; of the old ones a few.
    for (size_t i = 0; i < 6 && !m_entries.empty(); ++i) {
        const size_t which = i < 3 ? m_entries.size() - 1 - std::min(i, m_entries.size() - 1)
                                   : random() % m_entries.size();
        if (QString wrong = checkMoment(**journal, m_entries[which]); !wrong.isEmpty())
            return wrong;
    }
    for (size_t i = 0; i < 6 && !m_flushed.empty(); ++i) {
        const size_t which = i < 3 ? m_flushed.size() - 1 - std::min(i, m_flushed.size() - 1)
                                   : random() % m_flushed.size();
        if (QString wrong = checkReading(**series, m_flushed[which]); !wrong.isEmpty())
            return wrong;
    }
    return {};
}

void HistoryKillTest::whatIsAcknowledgedSurvivesEveryKill()
{
    const QTemporaryDir folder;
    m_folder = folder.path().toStdString();
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    for (int life = 0; life < kKills; ++life) {
        QVERIFY2(live(random), "the writer ended by itself");
        const QString wrong = check(random);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("life %1: %2").arg(life).arg(wrong)));
    }
    for (const char* name : {"/journal.db", "/series.db"}) {
        auto database = store::Database::open(m_folder + name, store::Database::Mode::ReadWrite);
        auto sound = database->prepare("PRAGMA integrity_check");
        QVERIFY(*sound->step());
        QCOMPARE(sound->text(0), std::string("ok"));
    }
    qInfo("%zu entries and %zu readings acknowledged over %d kills", m_entries.size(),
          m_flushed.size(), kKills);
    QVERIFY(m_entries.size() > size_t(kKills));
    QVERIFY(m_flushed.size() > size_t(kKills));
}

QTEST_GUILESS_MAIN(HistoryKillTest)
#include "history_kill_test.moc"
