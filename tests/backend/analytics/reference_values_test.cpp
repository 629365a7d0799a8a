#include <QDateTime>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "backend/analytics/characterize.h"
#include "backend/analytics/trace_reader.h"
#include "tests/support/trace_generator.h"

/// Every reference value of the public tables, to 6 significant digits, and every count that the
/// generated traces reproduce.
///
/// The values of SYNTHETIC_kalos and SYNTHETIC_seren belong to two large traces that are not kept
/// here: they are checked where YARD_TRACES names a folder with synthetic_kalos.csv.gz and
/// synthetic_seren.csv.gz, and skipped elsewhere.

using namespace yard::analytics;
using yard::test::GeneratedJob;

namespace {

constexpr uint64_t kSeed = 20'240'416;

/// Half a unit of the sixth digit.
bool sameToSixDigits(double actual, double expected)
{
    if (expected == 0)
        return actual == 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(expected))) - 5);
    return std::fabs(actual - expected) <= 0.5 * unit * (1 + 1e-6);
}

/// Name in the reference, then name of the figure. "*" stands for what the table has there.
struct Pair {
    const char* reference;
    const char* figure;
};
constexpr Pair kPairs[] = {
    {"rows", "jobs"},
    {"gpu_jobs", "gpu_jobs"},
    {"cpu_jobs", "cpu_jobs"},
    {"gpu_seconds", "gpu_seconds"},
    {"gpu_hours", "gpu_hours"},
    {"mean_gpus_per_gpu_job", "gpus_per_job.mean"},
    {"duration_gpu.*", "duration_s.*"},
    {"duration_cpu.*", "duration_s_cpu_jobs.*"},
    {"duration_by_type.*", "duration_s_by_type.*"},
    {"queue_gpu.*", "queue_s.*"},
    {"queue_by_type.*", "queue_s_by_type.*"},
    {"run_gpu.*", "run_s.*"},
    {"all_type_counts.*", "jobs_by_type.*"},
    {"all_state_counts.*", "jobs_by_state.*"},
    {"arrivals_per_hour.bins", "arrivals_per_hour.hours"},
    {"arrivals_per_hour.mean", "arrivals_per_hour.mean"},
    {"arrivals_per_hour.max", "arrivals_per_hour.max"},
    {"arrivals_per_hour.max_bin_utc", "arrivals_per_hour.max_at"},
    {"concurrent_gpus.peak", "peak_concurrent_gpus"},
    {"concurrent_gpus.peak_at_utc", "peak_concurrent_at"},
    {"concurrent_gpus.time_weighted_mean", "mean_concurrent_gpus"},
    {"concurrent_gpus.first_start_utc", "first_start"},
    {"concurrent_gpus.last_end_utc", "last_end"},
};

/// What the reference nests the other way round: by_type.Eval.gpu_jobs.
QString turned(const QString& name)
{
    const QStringList parts = name.split(QLatin1Char('.'));
    if (parts.size() != 3)
        return {};
    static const std::map<QString, QString> kTurned = {
        {QStringLiteral("by_type.gpu_jobs"), QStringLiteral("gpu_jobs_by_type")},
        {QStringLiteral("by_type.job_share_pct"), QStringLiteral("job_share_pct")},
        {QStringLiteral("by_type.gpu_time_share_pct"), QStringLiteral("gpu_time_share_pct")},
        {QStringLiteral("by_state.gpu_jobs"), QStringLiteral("gpu_jobs_by_state")},
        {QStringLiteral("by_state.job_share_pct"), QStringLiteral("job_share_pct_by_state")},
        {QStringLiteral("by_state.gpu_time_share_pct"),
         QStringLiteral("gpu_time_share_pct_by_state")},
        {QStringLiteral("gpu_demand.jobs"), QStringLiteral("gpu_demand_jobs")},
        {QStringLiteral("gpu_demand.gpu_time_share_pct"),
         QStringLiteral("gpu_demand_gpu_time_share_pct")},
    };
    const auto found = kTurned.find(parts[0] + QLatin1Char('.') + parts[2]);
    return found == kTurned.end() ? QString() : found->second + QLatin1Char('.') + parts[1];
}

/// Empty for what is no figure of ours: said in whatIsNoFigure.
QString figureOf(const QString& name)
{
    for (const Pair& pair : kPairs) {
        const QString reference = QString::fromLatin1(pair.reference);
        const QString figure = QString::fromLatin1(pair.figure);
        if (reference == name)
            return figure;
        if (reference.endsWith(QLatin1Char('*')) && name.startsWith(reference.chopped(1)))
            return figure.chopped(1) + name.mid(reference.size() - 1);
    }
    return turned(name);
}

const QStringList kNoFigures = {
    QStringLiteral("by_vc_jobs"),  // virtual clusters are accounts: not part of the paper's figures
    QStringLiteral("pretrain_jobs"),                 // gpu_jobs_by_type.Pretrain says it
    QStringLiteral("pretrain_gpu_time_share_pct")};  // gpu_time_share_pct.Pretrain says it

void flatten(const QJsonObject& object, const QString& prefix, QMap<QString, QJsonValue>& values)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it->isObject())
            flatten(it->toObject(), prefix + it.key() + QLatin1Char('.'), values);
        else
            values.insert(prefix + it.key(), *it);
    }
}

/// Characterizes a file once, however many values are asked of it.
const Figures& figuresOf(const std::string& path)
{
    static std::map<std::string, Characterization> known;
    const auto found = known.find(path);
    if (found != known.end())
        return found->second.figures;
    JobTable table;
    const auto odd = readTrace(path, {}, table);
    if (!odd.ok())
        qFatal("%s", std::string(odd.status().message()).c_str());
    if (odd->lost() != 0)
        qFatal("%s: rows were left out", path.c_str());
    return known.emplace(path, characterize(table, {})).first->second.figures;
}

std::string fixture(const char* name)
{
    return std::string(YARD_FIXTURES "/acme/") + name;
}

QList<QStringList> rowsOf(const char* name)
{
    QFile file(QString::fromStdString(fixture(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", name);
    QList<QStringList> rows;
    file.readLine();
    while (!file.atEnd())
        rows << QString::fromLatin1(file.readLine()).trimmed().split(QLatin1Char(','));
    return rows;
}

/// The plainest way there is: sort, then interpolate.
double plainQuantile(std::vector<double> values, double level)
{
    std::sort(values.begin(), values.end());
    const double rank = double(values.size() - 1) * level;
    const auto low = size_t(std::floor(rank));
    const auto high = size_t(std::ceil(rank));
    return values[low] + (values[high] - values[low]) * (rank - double(low));
}

/// GPUs held at `time`, by asking every job.
int64_t heldAt(const std::vector<GeneratedJob>& jobs, int64_t time)
{
    int64_t held = 0;
    for (const GeneratedJob& job : jobs)
        held += job.start <= time && time < job.end ? job.gpus : 0;
    return held;
}

}  // namespace

class ReferenceValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void everyValueOfTheTables_data();
    void everyValueOfTheTables();
    void whatTheTablesCannotGive_data();
    void whatTheTablesCannotGive();
    void everyCountOfTheFigures_data();
    void everyCountOfTheFigures();
    void generatedJobsAgreeWithPlainArithmetic_data();
    void generatedJobsAgreeWithPlainArithmetic();
    void theTwoTracesTogether();

private:
    std::string generated(const QString& cluster) const
    {
        return m_folder.filePath(cluster + QStringLiteral(".csv")).toStdString();
    }

    QTemporaryDir m_folder;
    std::map<QString, std::vector<GeneratedJob>> m_jobs;
};

void ReferenceValuesTest::initTestCase()
{
    qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
    for (const QString& cluster : {QStringLiteral("Seren"), QStringLiteral("Kalos")}) {
        const std::string name = cluster.toStdString();
        m_jobs[cluster] = yard::test::generateTrace(name, kSeed, YARD_FIXTURES);
        QVERIFY(yard::test::writeTrace(m_jobs[cluster], name, generated(cluster)));
    }
}

void ReferenceValuesTest::everyValueOfTheTables_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<QJsonValue>("expected");

    const QString large = qEnvironmentVariable("YARD_TRACES");
    const QString folder = QStringLiteral(YARD_FIXTURES "/acme/");
    const QList<std::pair<QString, QString>> tables = {
        {QStringLiteral("kalos_head800"), folder + QStringLiteral("kalos_head800.csv")},
        {QStringLiteral("kalos_completed319"), folder + QStringLiteral("kalos_completed319.csv")},
        {QStringLiteral("philly_jobs"), folder + QStringLiteral("philly_jobs.csv.gz")},
        {QStringLiteral("SYNTHETIC_kalos"),
         large.isEmpty() ? QString() : large + QStringLiteral("/synthetic_kalos.csv.gz")},
        {QStringLiteral("SYNTHETIC_seren"),
         large.isEmpty() ? QString() : large + QStringLiteral("/synthetic_seren.csv.gz")},
    };
    QFile file(folder + QStringLiteral("reference_values.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject reference = QJsonDocument::fromJson(file.readAll()).object();
    for (const auto& [table, path] : tables) {
        QMap<QString, QJsonValue> values;
        flatten(reference[table].toObject(), {}, values);
        QVERIFY(values.size() > 40);
        for (auto it = values.begin(); it != values.end(); ++it) {
            if (!kNoFigures.contains(it.key().section(QLatin1Char('.'), 0, 0)))
                QTest::addRow("%s %s", qPrintable(table), qPrintable(it.key()))
                    << path << figureOf(it.key()) << it.value();
        }
    }
}

void ReferenceValuesTest::everyValueOfTheTables()
{
    QFETCH(QString, path);
    QFETCH(QString, figure);
    QFETCH(QJsonValue, expected);

    QVERIFY2(!figure.isEmpty(), "no figure for this value");
    if (path.isEmpty())
        QSKIP("YARD_TRACES does not name the folder of the synthetic traces");
    const Figure* const found = figuresOf(path.toStdString()).find(figure.toStdString());
    QVERIFY2(found, qPrintable(figure));
    if (expected.isString()) {
        const QDateTime time =
            QDateTime::fromString(expected.toString() + QLatin1Char('Z'), Qt::ISODate);
        QCOMPARE(found->count, time.toSecsSinceEpoch());
    } else if (found->kind == Figure::Kind::Count) {
        QCOMPARE(found->count, int64_t(expected.toDouble()));
    } else {
        QVERIFY2(sameToSixDigits(found->number, expected.toDouble()),
                 qPrintable(QStringLiteral("%1 is %2, not %3")
                                .arg(figure)
                                .arg(found->number, 0, 'g', 9)
                                .arg(expected.toDouble(), 0, 'g', 9)));
    }
}

void ReferenceValuesTest::whatTheTablesCannotGive_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("absent");

    const auto add = [](const char* table, const char* absent) {
        QTest::addRow("%s %s", table, absent)
            << QString::fromLatin1(table) << QString::fromLatin1(absent);
    };
    add("kalos_head800.csv", "job_share_pct_by_outcome");  // state known in 85 rows
    add("kalos_completed319.csv", "run_s");                // no start, no queue
    add("kalos_completed319.csv", "queue_s");
    add("kalos_completed319.csv", "run_gpu_hours");
    add("philly_jobs.csv.gz", "queue_s");  // has a duration only
    add("philly_jobs.csv.gz", "job_share_pct_by_outcome");
}

void ReferenceValuesTest::whatTheTablesCannotGive()
{
    QFETCH(QString, table);
    QFETCH(QString, absent);

    const Figures& figures = figuresOf(fixture(table.toLatin1()));
    const auto& absences = figures.absences();
    const auto found = std::find_if(absences.begin(), absences.end(), [&](const Absence& absence) {
        return absence.name == absent.toStdString();
    });
    QVERIFY(found != absences.end());
    QVERIFY(found->why.size() > 20);
    QVERIFY(!figures.find(absent.toStdString()));
    QVERIFY(!figures.find(absent.toStdString() + ".p50"));
}

void ReferenceValuesTest::everyCountOfTheFigures_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<QString>("figure");
    QTest::addColumn<int64_t>("expected");

    const auto add = [](const QString& cluster, const QString& figure, int64_t expected) {
        QTest::addRow("%s %s", qPrintable(cluster), qPrintable(figure))
            << cluster << figure << expected;
    };
    for (const QStringList& row : rowsOf("job_cdf_counts.csv"))
        add(row[0], QStringLiteral("%1_cdf_jobs.%2.%3").arg(row[2], row[1], row[3]),
            row[4].toLongLong());
    for (const QStringList& row : rowsOf("type_shares.csv"))
        add(row[0], QStringLiteral("gpu_jobs_by_type.%1").arg(row[1]), row[2].toLongLong());
    for (const QStringList& row : rowsOf("gpu_num_cdf.csv")) {
        // Where the curve is read one late, the step before has the size that stands there.
        const QStringList late = {QStringLiteral("49"), QStringLiteral("497"),
                                  QStringLiteral("505"), QStringLiteral("513"),
                                  QStringLiteral("770")};
        QString size = row[2];
        if (late.contains(size))
            size = size == QLatin1String("770") ? QStringLiteral("768")
                                                : QString::number(size.toInt() - 1);
        if (size != QLatin1String("503") && size != QLatin1String("495") &&
            size != QLatin1String("47"))
            add(row[0], QStringLiteral("gpu_demand_cdf_jobs.%1").arg(size), row[3].toLongLong());
    }
    const std::map<QString, int64_t> kalosStates = {{QStringLiteral("COMPLETED"), 47'311},
                                                    {QStringLiteral("FAILED"), 13'836},
                                                    {QStringLiteral("CANCELLED"), 1'263},
                                                    {QStringLiteral("RUNNING"), 3}};
    for (const auto& [state, count] : kalosStates)
        add(QStringLiteral("Kalos"), QStringLiteral("jobs_by_state.%1").arg(state), count);
    const std::map<QString, std::array<int64_t, 3>> totals = {
        {QStringLiteral("Seren"), {818'327, 450'590, 367'737}},
        {QStringLiteral("Kalos"), {62'413, 19'907, 42'506}}};
    for (const auto& [cluster, counts] : totals) {
        add(cluster, QStringLiteral("jobs"), counts[0]);
        add(cluster, QStringLiteral("gpu_jobs"), counts[1]);
        add(cluster, QStringLiteral("cpu_jobs"), counts[2]);
    }
    add(QStringLiteral("Kalos"), QStringLiteral("gpu_jobs_by_type.SFT"), 8);
}

void ReferenceValuesTest::everyCountOfTheFigures()
{
    QFETCH(QString, cluster);
    QFETCH(QString, figure);
    QFETCH(int64_t, expected);

    const Figure* const found = figuresOf(generated(cluster)).find(figure.toStdString());
    QVERIFY2(found, qPrintable(figure));
    QCOMPARE(found->count, expected);
}

void ReferenceValuesTest::generatedJobsAgreeWithPlainArithmetic_data()
{
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<int>("capacity");
    QTest::newRow("Seren") << QStringLiteral("Seren") << 2288;
    QTest::newRow("Kalos") << QStringLiteral("Kalos") << 2416;
}

void ReferenceValuesTest::generatedJobsAgreeWithPlainArithmetic()
{
    QFETCH(QString, cluster);
    QFETCH(int, capacity);
    const std::vector<GeneratedJob>& jobs = m_jobs[cluster];
    const Figures& figures = figuresOf(generated(cluster));

    std::vector<double> duration;
    std::vector<double> run;
    std::vector<double> evalQueue;
    int64_t gpuSeconds = 0;
    int64_t runSeconds = 0;
    int64_t pretrain = 0;
    std::map<int64_t, int64_t> hours;
    for (const GeneratedJob& job : jobs) {
        ++hours[job.submit / 3600];
        if (job.gpus == 0)
            continue;
        duration.push_back(double(job.duration));
        run.push_back(double(job.end - job.start));
        gpuSeconds += job.gpus * job.duration;
        runSeconds += job.gpus * (job.end - job.start);
        pretrain += job.type == "Pretrain" ? job.gpus * job.duration : 0;
        if (job.type == "Eval")
            evalQueue.push_back(double(job.queue));
    }
    QCOMPARE(figures.find("gpu_seconds")->count, gpuSeconds);
    QCOMPARE(figures.value("mean_concurrent_gpus") *
                 (figures.value("last_end") - figures.value("first_start")),
             double(runSeconds));
    QCOMPARE(figures.value("gpu_time_share_pct.Pretrain"),
             100.0 * double(pretrain) / double(gpuSeconds));
    for (const auto& [name, level] : {std::pair("p10", 0.1), std::pair("p50", 0.5),
                                      std::pair("p90", 0.9), std::pair("p99", 0.99)}) {
        QCOMPARE(figures.value(std::string("duration_s.") + name), plainQuantile(duration, level));
        QCOMPARE(figures.value(std::string("run_s.") + name), plainQuantile(run, level));
        QCOMPARE(figures.value(std::string("queue_s_by_type.Eval.") + name),
                 plainQuantile(evalQueue, level));
    }
    const auto busiest =
        std::max_element(hours.begin(), hours.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    QCOMPARE(figures.value("arrivals_per_hour.max"), double(busiest->second));
    QCOMPARE(figures.value("arrivals_per_hour.max_at"), double(busiest->first * 3600));

    const int64_t peakAt = figures.find("peak_concurrent_at")->count;
    const int64_t peak = figures.find("peak_concurrent_gpus")->count;
    QCOMPARE(heldAt(jobs, peakAt), peak);
    QVERIFY(peak <= capacity);
    QVERIFY(heldAt(jobs, peakAt - 1) < peak);
    for (size_t i = 0; i < jobs.size(); i += jobs.size() / 40)
        QVERIFY(heldAt(jobs, jobs[i].start) <= peak);
}

void ReferenceValuesTest::theTwoTracesTogether()
{
    JobTable table;
    QVERIFY(readTrace(generated(QStringLiteral("Seren")), {}, table).ok());
    QVERIFY(readTrace(generated(QStringLiteral("Kalos")), {}, table).ok());
    const Characterization both = characterize(table, {});
    QCOMPARE(both.figures.find("jobs")->count, int64_t(880'740));
    QCOMPARE(both.figures.find("gpu_jobs")->count, int64_t(470'497));

    Selection kalos;
    kalos.cluster = "Kalos";
    kalos.withoutTypes = {"SFT"};
    const Figures figures = characterize(table, kalos).figures;
    QCOMPARE(figures.find("gpu_jobs")->count, int64_t(19'899));
    QVERIFY(sameToSixDigits(figures.value("job_share_pct.Pretrain"), 3.22127));
    QVERIFY(sameToSixDigits(figures.value("job_share_pct.Debug"), 2.69863));
}

QTEST_GUILESS_MAIN(ReferenceValuesTest)
#include "reference_values_test.moc"
