#include <QDateTime>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "backend/store/job_archive.h"

using namespace yard::store;

namespace {

struct Result {
    int code = -1;
    QByteArray output;
    QByteArray error;
    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
    QJsonObject file() const { return json()[QStringLiteral("files")].toArray().at(0).toObject(); }
};

Result yardctl(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(YARD_BIN "/yardctl"), arguments);
    Result result;
    if (process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit)
        result.code = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.error = process.readAllStandardError();
    return result;
}

QString fixture(const char* name)
{
    return QStringLiteral(YARD_FIXTURES "/acme/") + QString::fromLatin1(name);
}

}  // namespace

class ImportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void momentsAreThoseOfTheFile();
    void aSecondTimeNothingHappens();
    void aCutFileGoesOnWhenItIsWhole();
    void sacctNeedsACluster();
    void oddRowsAreCountedByKind();
    void aForeignDatabaseIsLeftAlone();

private:
    QString path(const char* name) const { return m_folder->filePath(QString::fromLatin1(name)); }
    Result import(const char* format, const QString& file, const QStringList& more = {})
    {
        return yardctl(QStringList{QStringLiteral("import"), QString::fromLatin1(format), file,
                                   QStringLiteral("--into"), path("jobs.db"),
                                   QStringLiteral("--json")} +
                       more);
    }
    void write(const QString& name, const QByteArray& text)
    {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), qint64(text.size()));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void ImportTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
}

void ImportTest::momentsAreThoseOfTheFile()
{
    QCOMPARE(import("acme", fixture("kalos_head800.csv")).code, 0);
    QFile file(fixture("kalos_head800.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    file.readLine();
    struct Row {
        int64_t gpus, submit, start, end;
    };
    QList<Row> rows;
    const auto time = [](const QString& text) {
        return int64_t(QDateTime::fromString(text, Qt::ISODate).toSecsSinceEpoch());
    };
    while (!file.atEnd()) {
        const QStringList fields = QString::fromLatin1(file.readLine()).split(QLatin1Char(','));
        rows << Row{fields[3].toInt(), time(fields[9]), time(fields[10]), time(fields[11])};
    }
    auto archive = JobArchive::open(path("jobs.db").toStdString(), Database::Mode::ReadOnly);
    QVERIFY(archive.ok());
    // The peak of the table, a moment with waiting jobs, and a quiet one.
    for (const char* moment :
         {"2023-06-05T09:36:31Z", "2023-06-05T09:36:00Z", "2023-05-20T03:00:00Z"}) {
        const int64_t at = time(QString::fromLatin1(moment));
        MomentCounts expected;
        for (const Row& row : rows) {
            if (row.start <= at && at < row.end) {
                ++expected.runningJobs;
                expected.runningGpus += row.gpus;
            } else if (row.submit <= at && at < row.start) {
                ++expected.waitingJobs;
                expected.waitingGpus += row.gpus;
            }
        }
        const auto counts = archive->countsAt("Kalos", at);
        QVERIFY(counts.ok());
        QVERIFY2(*counts == expected, moment);
        QVERIFY(expected.runningJobs > 0);
    }
    QCOMPARE(archive->countsAt("Kalos", time(QStringLiteral("2023-06-05T09:36:31Z")))->runningGpus,
             int64_t(485));
}

void ImportTest::aSecondTimeNothingHappens()
{
    QCOMPARE(import("acme", fixture("seren_head5.csv")).file()[QStringLiteral("imported")].toInt(),
             5);
    const QJsonObject again = import("acme", fixture("seren_head5.csv")).file();
    QCOMPARE(again[QStringLiteral("imported_before")].toBool(), true);
    QVERIFY(QFile::copy(fixture("seren_head5.csv"), path("copy.csv")));
    const QJsonObject copy = import("acme", path("copy.csv")).file();
    QCOMPARE(copy[QStringLiteral("imported")].toInt(), 0);
    QCOMPARE(copy[QStringLiteral("already_there")].toInt(), 5);
}

void ImportTest::aCutFileGoesOnWhenItIsWhole()
{
    QFile whole(fixture("philly_jobs.csv.gz"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    write(path("philly.csv.gz"), bytes.left(bytes.size() / 2));
    const Result cut = import("philly", path("philly.csv.gz"));
    QCOMPARE(cut.code, 3);
    QVERIFY(cut.error.contains("jobs were imported before this"));
    QVERIFY(cut.error.contains("is cut or damaged"));
    write(path("philly.csv.gz"), bytes);
    const QJsonObject file = import("philly", path("philly.csv.gz")).file();
    QVERIFY(file[QStringLiteral("already_there")].toInt() > 10'000);
    QCOMPARE(
        file[QStringLiteral("already_there")].toInt() + file[QStringLiteral("imported")].toInt(),
        82'247);
}

void ImportTest::sacctNeedsACluster()
{
    write(path("jobs.txt"),
          "JobID|Submit|Start|End|State|AllocTRES|JobName\n"
          "7|2023-05-17T10:00:00|2023-05-17T10:01:00|2023-05-17T10:02:00|COMPLETED|gres/"
          "gpu=8|eval-a\n"
          "7.batch|2023-05-17T10:00:00|2023-05-17T10:01:00|2023-05-17T10:02:00|COMPLETED|gres/"
          "gpu=8|b\n");
    const Result without = import("sacct", path("jobs.txt"));
    QCOMPARE(without.code, 3);
    QVERIFY(without.error.contains("--cluster"));
    const Result with = import("sacct", path("jobs.txt"),
                               {QStringLiteral("--cluster"), QStringLiteral("mine"),
                                QStringLiteral("--zone"), QStringLiteral("UTC")});
    QCOMPARE(with.code, 0);
    QCOMPARE(with.file()[QStringLiteral("imported")].toInt(), 1);
    QCOMPARE(with.file()[QStringLiteral("steps")].toInt(), 1);
    auto archive = JobArchive::open(path("jobs.db").toStdString(), Database::Mode::ReadOnly);
    const auto jobs = archive->jobsAt("mine", 1'684'317'690, 10);
    QVERIFY(jobs.ok());
    QCOMPARE(jobs->size(), size_t(1));
    QCOMPARE(jobs->at(0).type, std::string("Eval"));  // by the built-in rules
}

void ImportTest::oddRowsAreCountedByKind()
{
    QFile source(fixture("seren_head5.csv"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    write(path("odd.csv"), source.readAll() + "oops\n");
    const QJsonObject json = import("acme", path("odd.csv")).json();
    QCOMPARE(json[QStringLiteral("rows_left_out")].toInt(), 1);
    QCOMPARE(json[QStringLiteral("odd_rows")][QStringLiteral("field_count")][QStringLiteral("rows")]
                 .toInt(),
             1);
}

void ImportTest::aForeignDatabaseIsLeftAlone()
{
    write(path("jobs.db"), "this is no database, and it is somebody's file");
    const Result result = import("acme", fixture("seren_head5.csv"));
    QCOMPARE(result.code, 3);
    QVERIFY(result.error.contains("jobs.db"));
    QFile file(path("jobs.db"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("this is no database, and it is somebody's file"));
}

QTEST_GUILESS_MAIN(ImportTest)
#include "import_test.moc"
