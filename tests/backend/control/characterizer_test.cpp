#include "backend/control/characterizer.h"

#include <QTemporaryDir>
#include <QTest>
#include <future>

#include "backend/store/job_archive.h"
#include "backend/store/journal.h"

using namespace yard;
using namespace std::chrono_literals;
using control::Characterizer;
using store::StateKind;

namespace {

constexpr int64_t kStart = 1'790'000'000;

Time at(int64_t seconds)
{
    return Time(std::chrono::seconds(kStart + seconds));
}

store::StateVersion version(uint64_t id, domain::JobState state, int gpus, int64_t submit,
                            std::optional<int64_t> start = {}, std::optional<int64_t> end = {},
                            const std::string& name = "run-7b")
{
    store::KeptJob kept;
    kept.job.id = id;
    kept.job.displayId = std::to_string(id);
    kept.job.name = name;
    kept.job.state = state;
    kept.job.gpus = gpus;
    kept.job.submitTime = at(submit);
    if (start)
        kept.job.startTime = at(*start);
    if (end)
        kept.job.endTime = at(*end);
    return {StateKind::Job, std::to_string(id) + " x", store::packBody(kept)};
}

}  // namespace

class CharacterizerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void eachJobCountsOnceAsItWasLastSeen();
    void statesAreThoseOfThen();
    void theSpanIsOfSubmissions();
    void importedJobsAreAddedOnce();
    void anEmptyJournalHasNoJobs();
    void theNewestJobsAreLookedAtAndTheRestIsSaid();
    void tooManyAtOnceAreRefused();

private:
    void write(int64_t seconds, std::vector<store::StateVersion> versions)
    {
        std::promise<Status> done;
        store::JournalEntry entry;
        entry.at = at(seconds);
        entry.states = store::StatesSeen{m_anew, std::move(versions)};
        m_anew = false;
        m_journal->write(std::move(entry), [&](Status status) { done.set_value(status); });
        QVERIFY(done.get_future().get().ok());
    }
    Characterizer::Sources sources(const QString& archive = {}) const
    {
        return {m_dir->filePath(QStringLiteral("journal.db")).toStdString(), archive.toStdString(),
                "seren"};
    }
    static StatusOr<Characterizer::Result> study(Characterizer& characterizer, int64_t from,
                                                 int64_t to)
    {
        std::promise<StatusOr<Characterizer::Result>> done;
        characterizer.characterize({at(from), at(to)},
                                   [&](auto result) { done.set_value(std::move(result)); });
        return done.get_future().get();
    }
    static double value(const Characterizer::Result& result, const char* name)
    {
        return result.characterization.figures.value(name);
    }

    bool m_anew = true;
    std::unique_ptr<QTemporaryDir> m_dir;
    std::unique_ptr<store::Journal> m_journal;
};

void CharacterizerTest::init()
{
    m_journal.reset();
    m_anew = true;
    m_dir = std::make_unique<QTemporaryDir>();
    m_journal = std::move(
        store::Journal::open(m_dir->filePath(QStringLiteral("journal.db")).toStdString()).value());
}

void CharacterizerTest::eachJobCountsOnceAsItWasLastSeen()
{
    using domain::JobState;
    write(10, {version(1, JobState::Pending, 8, 0), version(2, JobState::Pending, 2, 5)});
    write(20, {version(1, JobState::Running, 8, 0, 20)});
    write(3640, {version(1, JobState::Completed, 8, 0, 20, 3620)});
    write(3650, {{StateKind::Job, "1 x", {}}});  // gone from the scheduler's list
    Characterizer characterizer(sources());
    const auto result = study(characterizer, 0, 4000);
    QVERIFY2(result.ok(), std::string(result.status().message()).c_str());
    QCOMPARE(value(*result, "jobs"), 2.0);
    QCOMPARE(value(*result, "gpu_jobs_by_state.COMPLETED"), 1.0);
    QCOMPARE(value(*result, "gpu_jobs_by_state.PENDING"), 1.0);
    QCOMPARE(value(*result, "gpu_hours"), 8.0);
    QCOMPARE(value(*result, "queue_s.p50"), 20.0);
    QCOMPARE(value(*result, "peak_concurrent_gpus"), 8.0);
    QCOMPARE(result->knownFrom, at(10));
    QVERIFY(result->rules > 0);
}

void CharacterizerTest::statesAreThoseOfThen()
{
    using domain::JobState;
    write(10, {version(1, JobState::Running, 8, 0, 5)});
    write(100, {version(1, JobState::Failed, 8, 0, 5, 95)});
    Characterizer characterizer(sources());
    QCOMPARE(value(*study(characterizer, 0, 50), "gpu_jobs_by_state.RUNNING"), 1.0);
    QCOMPARE(value(*study(characterizer, 0, 200), "gpu_jobs_by_state.FAILED"), 1.0);
}

void CharacterizerTest::theSpanIsOfSubmissions()
{
    using domain::JobState;
    write(10, {version(1, JobState::Running, 8, 0, 5), version(2, JobState::Pending, 1, 9)});
    Characterizer characterizer(sources());
    QCOMPARE(value(*study(characterizer, 5, 100), "jobs"), 1.0);
    QCOMPARE(value(*study(characterizer, 0, 100), "jobs"), 2.0);
}

void CharacterizerTest::importedJobsAreAddedOnce()
{
    write(10, {version(1, domain::JobState::Running, 8, 0, 5)});
    const QString path = m_dir->filePath(QStringLiteral("jobs.db"));
    {
        auto archive =
            store::JobArchive::open(path.toStdString(), store::Database::Mode::ReadWrite);
        QVERIFY(archive.ok());
        auto record = archive->begin({"sacct.txt", 1, 1});
        QVERIFY(record.ok());
        std::vector<store::ArchivedJob> jobs(3);
        for (int i = 0; i < 3; ++i) {
            jobs[size_t(i)].cluster = i == 2 ? "kalos" : "seren";
            jobs[size_t(i)].id = std::to_string(i + 1);
            jobs[size_t(i)].submit = kStart;
            jobs[size_t(i)].gpus = 4;
            jobs[size_t(i)].duration = 3600;
            jobs[size_t(i)].type = "Eval";
            jobs[size_t(i)].state = domain::JobState::Completed;
        }
        QVERIFY(archive->add(jobs, 4, *record).ok());
    }
    Characterizer characterizer(sources(path));
    const auto result = study(characterizer, 0, 100);
    QVERIFY2(result.ok(), std::string(result.status().message()).c_str());
    QCOMPARE(value(*result, "jobs"), 2.0);  // 1 is in both, 3 is another cluster's
    QCOMPARE(result->imported, uint64_t(1));
    QCOMPARE(value(*result, "gpu_hours"), 4.0);
    QCOMPARE(value(*result, "gpu_jobs_by_type.Eval"), 1.0);
}

void CharacterizerTest::anEmptyJournalHasNoJobs()
{
    Characterizer characterizer(sources());
    const auto result = study(characterizer, 0, 100);
    QVERIFY(result.ok());
    QCOMPARE(value(*result, "jobs"), 0.0);
    QCOMPARE(result->knownFrom, Time{});

    Characterizer without({});
    QCOMPARE(study(without, 0, 100).status().code(), absl::StatusCode::kFailedPrecondition);
}

void CharacterizerTest::theNewestJobsAreLookedAtAndTheRestIsSaid()
{
    using domain::JobState;
    for (int i = 0; i < 5; ++i)
        write(10 + i, {version(uint64_t(i + 1), JobState::Pending, i + 1, i)});
    Characterizer characterizer(sources(), 2);
    const auto result = study(characterizer, 0, 100);
    QVERIFY(result.ok());
    QCOMPARE(value(*result, "jobs"), 2.0);
    QCOMPARE(value(*result, "gpus_per_job.min"), 4.0);
    QCOMPARE(result->notes.size(), size_t(1));
    QVERIFY(result->notes.front().find("more than 2 jobs") != std::string::npos);
}

void CharacterizerTest::tooManyAtOnceAreRefused()
{
    Characterizer characterizer(sources());
    std::promise<void> go;
    const std::shared_future<void> going = go.get_future().share();
    std::atomic<int> refused = 0;
    std::atomic<int> answered = 0;
    for (int i = 0; i < 20; ++i)
        characterizer.characterize({at(0), at(100)}, [&, going](const auto& result) {
            if (!result.ok()) {
                refused += result.status().code() == absl::StatusCode::kResourceExhausted ? 1 : 0;
                return;
            }
            going.wait();
            ++answered;
        });
    QVERIFY(refused >= 10);
    go.set_value();
    QTRY_COMPARE(answered + refused, 20);
}

QTEST_GUILESS_MAIN(CharacterizerTest)
#include "characterizer_test.moc"
