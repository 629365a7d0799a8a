#include "backend/analytics/characterize.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>
#include <set>

#include "backend/analytics/definitions.h"
#include "backend/analytics/paper_figures.h"
#include "backend/analytics/radix_sort.h"
#include "backend/analytics/sample_table.h"
#include "backend/analytics/trace_reader.h"

using namespace yard::analytics;

namespace {

JobRow job(int64_t submit, int32_t queue, int32_t run, int32_t gpus)
{
    JobRow row;
    row.id = "1";
    row.submit = submit;
    row.start = submit + queue;
    row.end = row.start + run;
    row.duration = run;
    row.queue = queue;
    row.gpus = gpus;
    row.state = yard::domain::JobState::Completed;
    row.type = gpus > 0 ? "Eval" : "CPU";
    return row;
}

JobTable table(const std::vector<JobRow>& rows)
{
    JobTable table;
    table.sources.push_back({});
    for (const JobRow& row : rows)
        table.add(row);
    return table;
}

}  // namespace

class CharacterizeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFigureHasOneDefinition();
    void thePaperUsesOurNames();
    void anEndFreesTheGpusOfTheSameSecond();
    void aJobWithoutEndHoldsToTheLastTime();
    void aJobThatNeverRanHoldsNothing();
    void emptyHoursCount();
    void theSelectionIsByTimeOfSubmission();
    void whatIsNotKnownIsNotZero();
    void samplesOfATable();
    void sortedAsStdSorts();
};

void CharacterizeTest::everyFigureHasOneDefinition()
{
    JobTable jobs;
    for (const char* name : {"kalos_head800.csv", "kalos_completed319.csv", "seren_head5.csv"})
        QVERIFY(readTrace(std::string(YARD_FIXTURES "/acme/") + name, {}, jobs).ok());
    JobRow cpu = job(1'684'321'258, 5, 10, 0);
    cpu.source = 0;
    jobs.add(cpu);
    Figures figures = characterize(jobs, {}).figures;
    QVERIFY(addSamples(YARD_FIXTURES "/acme/seren_node_gpu_power.csv", "power", figures).ok());
    Selection seren;
    seren.cluster = "Seren";
    const Figures known = characterize(jobs, seren).figures;  // every state known

    std::set<std::string_view> used;
    for (const Figures* part : {&std::as_const(figures), &known}) {
        std::set<std::string> names;
        for (const Figure& figure : part->all()) {
            const Definition* const definition = definitionOf(figure.name);
            QVERIFY2(definition, figure.name.c_str());
            QVERIFY(definition->text.size() > 10);
            QVERIFY2(names.insert(figure.name).second, figure.name.c_str());
            used.insert(definition->name);
        }
    }
    for (const Definition& definition : definitions())
        QVERIFY2(used.contains(definition.name), std::string(definition.name).c_str());
}

void CharacterizeTest::thePaperUsesOurNames()
{
    for (const char* cluster : {"Seren", "Kalos"}) {
        const auto figures = paperFigures(cluster);
        QVERIFY(figures.size() > 500);
        for (const PaperFigure& figure : figures) {
            QVERIFY2(definitionOf(figure.name), std::string(figure.name).c_str());
            QVERIFY(std::isfinite(figure.value));
        }
    }
    QVERIFY(paperFigures("Elsewhere").empty());
    const auto kalos = paperFigures("Kalos");
    const auto share = std::find_if(kalos.begin(), kalos.end(), [](const PaperFigure& figure) {
        return figure.name == "gpu_time_share_pct.Pretrain";
    });
    QVERIFY(share != kalos.end());
    QCOMPARE(share->value, 95.4813);
}

void CharacterizeTest::anEndFreesTheGpusOfTheSameSecond()
{
    const Figures figures =
        characterize(table({job(1000, 0, 100, 8), job(1000, 100, 100, 8), job(1100, 0, 0, 64)}), {})
            .figures;
    QCOMPARE(figures.value("peak_concurrent_gpus"), 8.0);
    QCOMPARE(figures.value("peak_concurrent_at"), 1000.0);
    QCOMPARE(figures.value("mean_concurrent_gpus"), 8.0);
}

void CharacterizeTest::aJobWithoutEndHoldsToTheLastTime()
{
    JobRow running = job(1000, 0, 0, 8);
    running.end = kNoTime;
    running.duration = kNoSeconds;
    running.state = yard::domain::JobState::Running;
    const Figures figures = characterize(table({running, job(1500, 0, 500, 1)}), {}).figures;
    QCOMPARE(figures.value("open_ends"), 1.0);
    QCOMPARE(figures.value("peak_concurrent_gpus"), 9.0);
    QCOMPARE(figures.value("last_end"), 2000.0);
    QCOMPARE(figures.value("gpu_seconds"), 500.0);
    QCOMPARE(figures.value("gpu_jobs_without_duration"), 1.0);
}

void CharacterizeTest::aJobThatNeverRanHoldsNothing()
{
    JobRow pending = job(1000, 0, 0, 512);
    pending.start = pending.end = kNoTime;
    pending.duration = pending.queue = kNoSeconds;
    pending.state = yard::domain::JobState::Pending;
    JobRow givenUp = pending;  // cancelled while it waited: it has an end, no start
    givenUp.end = 1500;
    givenUp.state = yard::domain::JobState::Cancelled;
    const Figures figures =
        characterize(table({pending, givenUp, job(1200, 0, 10, 8)}), {}).figures;
    QCOMPARE(figures.value("peak_concurrent_gpus"), 8.0);
    QCOMPARE(figures.value("gpu_jobs"), 3.0);
}

void CharacterizeTest::emptyHoursCount()
{
    const Characterization result =
        characterize(table({job(3599, 0, 1, 1), job(10'800, 0, 1, 1), job(10'801, 0, 1, 0)}), {});
    QCOMPARE(result.arrivals, (std::vector<uint32_t>{1, 0, 0, 2}));
    QCOMPARE(result.firstHour, int64_t(0));
    QCOMPARE(result.figures.value("arrivals_per_hour.mean"), 0.75);
    QCOMPARE(result.figures.value("arrivals_per_hour.max_at"), 10'800.0);
}

void CharacterizeTest::theSelectionIsByTimeOfSubmission()
{
    const JobTable jobs = table({job(1000, 0, 1, 1), job(2000, 0, 1, 1), job(3000, 0, 1, 1)});
    Selection selection;
    selection.from = 2000;
    selection.to = 3000;
    QCOMPARE(select(jobs, selection), std::vector<uint32_t>{1});
    QCOMPARE(characterize(jobs, selection).figures.value("jobs"), 1.0);
}

void CharacterizeTest::whatIsNotKnownIsNotZero()
{
    JobRow pending = job(1000, 0, 0, 8);
    pending.start = pending.end = kNoTime;
    pending.duration = pending.queue = kNoSeconds;
    const Figures figures = characterize(table({pending}), {}).figures;
    QVERIFY(!figures.find("gpu_hours"));
    QVERIFY(!figures.find("run_gpu_hours"));
    QVERIFY(!figures.find("queue_s.p50"));
    std::set<std::string> absent;
    for (const Absence& absence : figures.absences())
        absent.insert(absence.name);
    QCOMPARE(absent,
             (std::set<std::string>{"duration_s", "gpu_hours", "gpu_seconds",
                                    "peak_concurrent_gpus", "queue_s", "run_gpu_hours", "run_s"}));
}

void CharacterizeTest::samplesOfATable()
{
    Figures figures;
    QVERIFY(addSamples(YARD_FIXTURES "/acme/seren_node_gpu_power.csv", "power", figures).ok());
    QCOMPARE(figures.value("samples.power.n"), 800.0);
    QCOMPARE(figures.value("samples.power.p50"), 2959.0);
    QCOMPARE(figures.value("samples.power.p90"), 4388.0);
    QCOMPARE(figures.value("samples.power.min"), 1255.0);
    QCOMPARE(figures.value("samples.power.max"), 4822.0);
    QVERIFY(std::fabs(figures.value("samples.power.mean") - 2875.27) < 0.005);

    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("util.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("Time,10.0.0.1-0,10.0.0.1-1\nt1,0,\nt2,,50.5\nt3,100,oops\n");
    file.close();
    Figures util;
    QVERIFY(addSamples(file.fileName().toStdString(), "util", util).ok());
    QCOMPARE(util.value("samples.util.n"), 3.0);  // an empty cell is no 0
    QCOMPARE(util.value("samples.util.p50"), 50.5);
    QCOMPARE(util.value("samples.util.zero_pct"), 100.0 / 3);
    QCOMPARE(util.value("samples.util.odd_cells"), 1.0);
    QVERIFY(!addSamples(YARD_FIXTURES "/acme/seren_head5.csv", "x", util).ok());
}

void CharacterizeTest::sortedAsStdSorts()
{
    const uint64_t seed = std::random_device()();
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    std::mt19937_64 random(seed);
    for (const uint64_t mask : {uint64_t(0xff), uint64_t(0xff00ff00ff), ~uint64_t(0)}) {
        std::vector<uint64_t> keys(20'000);
        for (uint64_t& key : keys)
            key = random() & mask;
        std::vector<uint64_t> expected = keys;
        std::sort(expected.begin(), expected.end());
        radixSort(keys);
        QCOMPARE(keys, expected);
    }
}

QTEST_GUILESS_MAIN(CharacterizeTest)
#include "characterize_test.moc"
