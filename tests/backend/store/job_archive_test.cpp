#include "backend/store/job_archive.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>
#include <set>

using namespace yard::store;
using yard::domain::JobState;

namespace {

constexpr int64_t kUnknown = ArchivedJob::kUnknown;

ArchivedJob ran(const std::string& id, int64_t submit, int64_t wait, int64_t seconds, int64_t gpus)
{
    ArchivedJob job;
    job.cluster = "kalos";
    job.id = id;
    job.submit = submit;
    job.start = job.runFrom = submit + wait;
    job.end = job.runTo = job.start + seconds;
    job.duration = seconds;
    job.queue = wait;
    job.nodes = 1;
    job.gpus = gpus;
    job.cpus = 16;
    job.state = JobState::Completed;
    job.type = "Eval";
    job.user = "ann";
    job.name = "run " + id;
    return job;
}

bool isRunning(const ArchivedJob& job, int64_t at)
{
    return job.runFrom != kUnknown && job.runFrom <= at &&
           (job.runTo == kUnknown || at < job.runTo);
}

bool isWaiting(const ArchivedJob& job, int64_t at)
{
    const int64_t until = job.runFrom != kUnknown ? job.runFrom : job.end;
    return job.submit <= at && (until == kUnknown || at < until);
}

MomentCounts counted(const std::vector<ArchivedJob>& jobs, int64_t at)
{
    MomentCounts counts;
    for (const ArchivedJob& job : jobs) {
        if (isRunning(job, at)) {
            ++counts.runningJobs;
            counts.runningGpus += job.gpus;
        } else if (isWaiting(job, at)) {
            ++counts.waitingJobs;
            counts.waitingGpus += job.gpus;
        }
    }
    return counts;
}

}  // namespace

class JobArchiveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aJobComesBackWhole();
    void aMomentIsWhatAskingEveryJobGives();
    void theEdgesOfASpan();
    void nothingIsThereTwice();
    void aJobThatHasEndedSinceIsBroughtUpToDate();
    void anImportGoesOnWhereItStopped();
    void aChangedFileIsAnotherImport();
    void aFailedBatchLeavesNothing();
    void clustersAreApart();
    void anUnknownClusterIsASentence();

private:
    JobArchive open(Database::Mode mode = Database::Mode::ReadWrite)
    {
        auto archive =
            JobArchive::open(m_folder->filePath(QStringLiteral("jobs.db")).toStdString(), mode);
        if (!archive.ok())
            qFatal("%s", std::string(archive.status().message()).c_str());
        return *std::move(archive);
    }
    ImportRecord import(JobArchive& archive, const std::vector<ArchivedJob>& jobs,
                        const std::string& path = "/trace.csv")
    {
        auto record = archive.begin({path, 100, 1});
        if (!record.ok() || !archive.add(jobs, jobs.size() + 1, *record).ok())
            qFatal("import failed");
        return *record;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void JobArchiveTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void JobArchiveTest::aJobComesBackWhole()
{
    JobArchive archive = open();
    ArchivedJob job = ran("dlc1", 1000, 10, 100, 8);
    job.account = "llm";
    job.partition = "gpu";
    job.qos = "high";
    job.comment = "it's \"quoted\", 温度";
    job.durationHasWait = true;
    job.duration = 110;
    ArchivedJob waits = ran("dlc2", 1000, 0, 0, 512);
    waits.start = waits.end = waits.duration = waits.queue = waits.runFrom = waits.runTo = kUnknown;
    waits.state = JobState::Pending;
    waits.type.clear();
    import(archive, {job, waits});
    JobArchive reader = open(Database::Mode::ReadOnly);
    const auto jobs = reader.jobsAt("kalos", 1050, 10);
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->size(), size_t(2));
    QVERIFY(jobs->at(0) == job);
    QVERIFY(jobs->at(1) == waits);
}

void JobArchiveTest::aMomentIsWhatAskingEveryJobGives()
{
    const uint64_t seed = std::random_device()();
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    std::mt19937_64 random(seed);
    const auto below = [&random](int64_t limit) { return int64_t(random() % uint64_t(limit)); };
    std::vector<ArchivedJob> jobs;
    for (int i = 0; i < 3000; ++i) {
        // Spans of every size, from none to longer than the whole time.
        const int64_t wait = below(int64_t(1) << below(17));
        const int64_t seconds = below(int64_t(1) << below(19));
        ArchivedJob job = ran(std::to_string(i), 1'000'000 + below(100'000), wait, seconds,
                              int64_t(1) << below(8));
        const int64_t kind = below(20);
        if (kind == 0) {  // runs still
            job.end = job.runTo = kUnknown;
        } else if (kind == 1) {  // given up while it waited
            job.runFrom = job.runTo = job.start = kUnknown;
        } else if (kind == 2) {  // waits still
            job.runFrom = job.runTo = job.start = job.end = kUnknown;
        }
        jobs.push_back(std::move(job));
    }
    JobArchive archive = open();
    import(archive, jobs);
    for (int i = 0; i < 60; ++i) {
        const int64_t at = i < 50 ? 990'000 + below(200'000) : jobs[size_t(below(3000))].submit;
        const MomentCounts expected = counted(jobs, at);
        const auto counts = archive.countsAt("kalos", at);
        QVERIFY(counts.ok());
        QVERIFY2(*counts == expected, std::to_string(at).c_str());
        const auto there = archive.jobsAt("kalos", at, 100'000);
        QVERIFY(there.ok());
        QCOMPARE(int64_t(there->size()), expected.runningJobs + expected.waitingJobs);
        std::set<std::string> ids;
        for (const ArchivedJob& job : *there) {
            QVERIFY(isRunning(job, at) || isWaiting(job, at));
            ids.insert(job.id);
        }
        QCOMPARE(ids.size(), there->size());
    }
}

void JobArchiveTest::theEdgesOfASpan()
{
    JobArchive archive = open();
    import(archive, {ran("1", 1000, 24, 64, 8)});  // runs from 1024 to 1088: a power of two
    const auto at = [&archive](int64_t time) { return *archive.countsAt("kalos", time); };
    QVERIFY(at(999) == (MomentCounts{0, 0, 0, 0}));
    QVERIFY(at(1000) == (MomentCounts{0, 0, 1, 8}));
    QVERIFY(at(1023) == (MomentCounts{0, 0, 1, 8}));
    QVERIFY(at(1024) == (MomentCounts{1, 8, 0, 0}));
    QVERIFY(at(1087) == (MomentCounts{1, 8, 0, 0}));
    QVERIFY(at(1088) == (MomentCounts{0, 0, 0, 0}));
}

void JobArchiveTest::nothingIsThereTwice()
{
    JobArchive archive = open();
    const std::vector<ArchivedJob> jobs = {ran("1", 1000, 0, 10, 8), ran("2", 1001, 0, 10, 8)};
    QCOMPARE(import(archive, jobs).stored, uint64_t(2));
    const ImportRecord again = import(archive, jobs, "/copy.csv");
    QCOMPARE(again.stored, uint64_t(0));
    QCOMPARE(again.repeated, uint64_t(2));
    // Slurm uses ids again: another submit time is another job.
    QCOMPARE(import(archive, {ran("1", 9000, 0, 10, 8)}, "/later.csv").stored, uint64_t(1));
    QCOMPARE(archive.clusters()->at(0).jobs, int64_t(3));
    QCOMPARE(archive.clusters()->at(0).firstSubmit, int64_t(1000));
    QCOMPARE(archive.clusters()->at(0).lastSubmit, int64_t(9000));
}

void JobArchiveTest::aJobThatHasEndedSinceIsBroughtUpToDate()
{
    JobArchive archive = open();
    const ArchivedJob ended = ran("1", 1000, 10, 500, 8);
    ArchivedJob running = ended;
    running.end = running.runTo = kUnknown;
    running.state = JobState::Running;
    import(archive, {running});
    QCOMPARE(archive.countsAt("kalos", 5000)->runningJobs, int64_t(1));
    QCOMPARE(import(archive, {ended}, "/later.csv").stored, uint64_t(1));
    QCOMPARE(archive.countsAt("kalos", 5000)->runningJobs, int64_t(0));
    QVERIFY(archive.jobsAt("kalos", 1100, 10)->at(0) == ended);
    // What has ended is never opened again by an older file.
    QCOMPARE(import(archive, {running}, "/older.csv").repeated, uint64_t(1));
    QCOMPARE(archive.countsAt("kalos", 5000)->runningJobs, int64_t(0));
}

void JobArchiveTest::anImportGoesOnWhereItStopped()
{
    const ImportFile file = {"/trace.csv", 100, 1};
    {
        JobArchive archive = open();
        auto record = archive.begin(file);
        QVERIFY(record.ok());
        QCOMPARE(record->lines, uint64_t(0));
        QVERIFY(archive.add({ran("1", 1000, 0, 10, 8)}, 2, *record).ok());
    }
    JobArchive archive = open();
    auto record = archive.begin(file);
    QVERIFY(record.ok());
    QCOMPARE(record->lines, uint64_t(2));
    QCOMPARE(record->stored, uint64_t(1));
    QVERIFY(!record->isFinished);
    QVERIFY(archive.add({ran("2", 1000, 0, 10, 8)}, 3, *record).ok());
    QVERIFY(archive.finish(*record, "{}").ok());
    QVERIFY(archive.begin(file)->isFinished);
    QCOMPARE(archive.begin(file)->stored, uint64_t(2));
}

void JobArchiveTest::aChangedFileIsAnotherImport()
{
    JobArchive archive = open();
    auto record = archive.begin({"/trace.csv", 100, 1});
    QVERIFY(archive.finish(*record, "{}").ok());
    QVERIFY(!archive.begin({"/trace.csv", 200, 1})->isFinished);
    QVERIFY(!archive.begin({"/trace.csv", 100, 2})->isFinished);
    QVERIFY(archive.begin({"/trace.csv", 100, 1})->isFinished);
}

void JobArchiveTest::aFailedBatchLeavesNothing()
{
    JobArchive archive = open();
    auto record = archive.begin({"/trace.csv", 100, 1});
    {
        const QString path = m_folder->filePath(QStringLiteral("jobs.db"));
        auto other = Database::open(path.toStdString(), Database::Mode::ReadWrite);
        QVERIFY(
            other
                ->execute("CREATE TRIGGER full BEFORE INSERT ON archive_jobs WHEN new.job_id='2' "
                          "BEGIN SELECT RAISE(ABORT, 'no space'); END")
                .ok());
        QVERIFY(
            !archive.add({ran("1", 1000, 0, 10, 8), ran("2", 1000, 0, 10, 8)}, 3, *record).ok());
        QVERIFY(other->execute("DROP TRIGGER full").ok());
    }
    QCOMPARE(record->lines, uint64_t(0));
    QCOMPARE(record->stored, uint64_t(0));
    QVERIFY(archive.add({ran("1", 1000, 0, 10, 8), ran("2", 1000, 0, 10, 8)}, 3, *record).ok());
    QCOMPARE(record->stored, uint64_t(2));
    const auto jobs = archive.jobsAt("kalos", 1005, 10);
    QCOMPARE(jobs->size(), size_t(2));
    QCOMPARE(jobs->at(0).user, std::string("ann"));
}

void JobArchiveTest::clustersAreApart()
{
    JobArchive archive = open();
    ArchivedJob seren = ran("1", 1000, 0, 100, 64);
    seren.cluster = "seren";
    import(archive, {ran("1", 1000, 0, 100, 8), seren});
    QCOMPARE(archive.countsAt("kalos", 1050)->runningGpus, int64_t(8));
    QCOMPARE(archive.countsAt("seren", 1050)->runningGpus, int64_t(64));
    const auto nowhere = archive.countsAt("nowhere", 0);
    QCOMPARE(nowhere.status().code(), absl::StatusCode::kNotFound);
    QCOMPARE(std::string(nowhere.status().message()),
             std::string("There is no cluster nowhere in this file. It holds kalos, seren."));
    QCOMPARE(archive.clusters()->size(), size_t(2));
}

void JobArchiveTest::anUnknownClusterIsASentence()
{
    JobArchive archive = open();
    const auto counts = archive.countsAt("elsewhere", 1000);
    QCOMPARE(counts.status().code(), absl::StatusCode::kNotFound);
    QVERIFY(std::string(counts.status().message()).find("elsewhere") != std::string::npos);
}

QTEST_GUILESS_MAIN(JobArchiveTest)
#include "job_archive_test.moc"
