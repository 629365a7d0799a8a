#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Result {
    int code = -1;
    QByteArray output;
    QByteArray error;
    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
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

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

}  // namespace

class CharacterizeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void jsonNamesItsValuesPlainly();
    void everyNameIsInTheHelp();
    void theTableSaysWhatCannotBeHad();
    void thePaperLiesBeside();
    void oddRowsAreNamed();
    void aSelectionThatFitsNothingIsSaid();
    void rulesAreTriedBeforeTheyAreUsed();
    void aHeadingAloneIsSaid();
    void aTypeThatIsNotKnownIsRefused();
    void theSameFileIsCountedOnce();
    void figuresHaveNoExponent();
    void wrongInputHasItsCode_data();
    void wrongInputHasItsCode();
};

void CharacterizeTest::jsonNamesItsValuesPlainly()
{
    const Result result = yardctl({QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("kalos_head800.csv"), QStringLiteral("--samples"),
                                   QStringLiteral("power=") + fixture("seren_node_gpu_power.csv"),
                                   QStringLiteral("--json")});
    QCOMPARE(result.code, 0);
    const QJsonObject json = result.json();
    QCOMPARE(json[QStringLiteral("gpu_jobs")].toInt(), 800);
    QCOMPARE(json[QStringLiteral("duration_s")][QStringLiteral("p50")].toDouble(), 302.0);
    QCOMPARE(json[QStringLiteral("queue_s")][QStringLiteral("p90")].toDouble(), 67.1);
    QCOMPARE(json[QStringLiteral("gpus_per_job")][QStringLiteral("mean")].toDouble(), 19.7125);
    QCOMPARE(json[QStringLiteral("peak_concurrent_gpus")].toInt(), 485);
    QCOMPARE(json[QStringLiteral("peak_concurrent_at")].toString(),
             QStringLiteral("2023-06-05T09:36:31Z"));
    QCOMPARE(json[QStringLiteral("job_share_pct")][QStringLiteral("Pretrain")].toDouble(), 1.25);
    QCOMPARE(
        json[QStringLiteral("duration_s_by_type")][QStringLiteral("Pretrain")][QStringLiteral("n")]
            .toInt(),
        10);
    QCOMPARE(
        json[QStringLiteral("samples")][QStringLiteral("power")][QStringLiteral("p50")].toDouble(),
        2959.0);
    QVERIFY(json[QStringLiteral("job_share_pct_by_outcome")].isNull());
    QVERIFY(json[QStringLiteral("missing")][QStringLiteral("job_share_pct_by_outcome")]
                .toString()
                .contains(QLatin1String("715 of 800")));
}

void CharacterizeTest::everyNameIsInTheHelp()
{
    const QByteArray help = yardctl(words("characterize --help")).output;
    const QByteArray definitions = yardctl(words("characterize --definitions")).output;
    const QJsonArray names = yardctl(words("characterize --definitions --json"))
                                 .json()[QStringLiteral("figures")]
                                 .toArray();
    QVERIFY(names.size() > 40);
    for (const QJsonValue& value : names) {
        const QByteArray name = value[QStringLiteral("name")].toString().toUtf8();
        QVERIFY2(help.contains("  " + name), name.constData());
        QVERIFY2(definitions.contains(name), name.constData());
    }
}

void CharacterizeTest::theTableSaysWhatCannotBeHad()
{
    const Result result = yardctl({QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("kalos_completed319.csv")});
    QCOMPARE(result.code, 0);
    QVERIFY(result.output.contains("queue_s cannot be had: "));
    QVERIFY(result.output.contains("run_gpu_hours cannot be had: "));
    QVERIFY(!result.output.contains("_cdf_"));
}

void CharacterizeTest::thePaperLiesBeside()
{
    const QStringList arguments = {QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("seren_head5.csv"), QStringLiteral("--paper"),
                                   QStringLiteral("Seren,Kalos")};
    const Result table = yardctl(arguments);
    QVERIFY(QString::fromUtf8(table.output)
                .contains(QRegularExpression(QStringLiteral("PAPER SEREN +PAPER KALOS"))));
    const QJsonObject json = yardctl(arguments + QStringList{QStringLiteral("--json")}).json();
    QCOMPARE(json[QStringLiteral("paper")][QStringLiteral("Kalos")]
                 [QStringLiteral("gpu_time_share_pct")][QStringLiteral("Pretrain")]
                     .toDouble(),
             95.4813);
}

void CharacterizeTest::oddRowsAreNamed()
{
    const QTemporaryDir folder;
    QFile source(fixture("seren_head5.csv"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QByteArray text = source.readAll();
    text.replace(",46,2,736.0", ",oops,2,736.0");
    QFile file(folder.filePath(QStringLiteral("t.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const QStringList arguments = {QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   file.fileName()};
    const Result table = yardctl(arguments);
    QCOMPARE(table.code, 0);
    QVERIFY(table.error.contains("1 rows, bad_number"));
    QVERIFY(table.error.contains("t.csv:5: duration \"oops\" is no number"));
    const QJsonObject json = yardctl(arguments + QStringList{QStringLiteral("--json")}).json();
    QCOMPARE(json[QStringLiteral("rows_left_out")].toInt(), 1);
    QCOMPARE(json[QStringLiteral("jobs")].toInt(), 4);
}

void CharacterizeTest::aSelectionThatFitsNothingIsSaid()
{
    const QStringList arguments = {QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("seren_head5.csv")};
    QCOMPARE(yardctl(arguments + words("--to 2020-01-01")).code, 3);
    QCOMPARE(yardctl(arguments + words("--cluster Kalos")).code, 3);
    QCOMPARE(yardctl(arguments + words("--cluster Seren --from 2023-02-28 --to 2023-03-02")).code,
             0);
    QCOMPARE(yardctl(arguments + words("--from yesterday")).code, 1);
}

void CharacterizeTest::rulesAreTriedBeforeTheyAreUsed()
{
    const QString rules = QStringLiteral(YARD_SOURCE_DIR "/resources/workload_types.toml");
    const Result check = yardctl({QStringLiteral("types"), QStringLiteral("check"), rules});
    QCOMPARE(check.code, 0);
    QVERIFY(check.output.contains("no mistake"));
    const QStringList trace = {QStringLiteral("--trace"), fixture("kalos_head800.csv"),
                               QStringLiteral("--json")};
    const QJsonObject tried =
        yardctl(QStringList{QStringLiteral("types"), QStringLiteral("check"), rules} + trace)
            .json();
    QCOMPARE(tried[QStringLiteral("unclassified")].toInt(), 785);
    QCOMPARE(yardctl(QStringList{QStringLiteral("characterize"), QStringLiteral("--dry-run"),
                                 QStringLiteral("--types"), rules} +
                     trace)
                 .json(),
             tried);
}

void CharacterizeTest::aHeadingAloneIsSaid()
{
    const QTemporaryDir folder;
    QFile source(fixture("seren_head5.csv"));
    QVERIFY(source.open(QIODevice::ReadOnly));
    QFile file(folder.filePath(QStringLiteral("heading.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(source.readLine());
    file.close();
    const QStringList arguments = {QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   file.fileName()};
    const Result alone = yardctl(arguments);
    QCOMPARE(alone.code, 3);
    QVERIFY2(alone.error.contains("heading.csv has a heading and no row below it."),
             alone.error.constData());
    const Result beside = yardctl(arguments + QStringList{fixture("seren_head5.csv")});
    QCOMPARE(beside.code, 0);
    QVERIFY(beside.error.contains("no row below it"));
}

void CharacterizeTest::aTypeThatIsNotKnownIsRefused()
{
    const QStringList arguments = {QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("kalos_head800.csv"), QStringLiteral("--without-types")};
    const Result refused = yardctl(arguments + QStringList{QStringLiteral("Eval,Nope")});
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.error.contains("\"Nope\"") && refused.error.contains("Pretrain") &&
                 refused.error.contains("Unclassified"),
             refused.error.constData());
    QCOMPARE(yardctl(arguments + QStringList{QStringLiteral("Pretrain,SFT")}).code, 0);
}

void CharacterizeTest::theSameFileIsCountedOnce()
{
    const QTemporaryDir folder;
    const QString link = folder.filePath(QStringLiteral("link.csv"));
    QVERIFY(QFile::link(fixture("seren_head5.csv"), link));
    const Result twice = yardctl({QStringLiteral("characterize"), QStringLiteral("--json"),
                                  QStringLiteral("--trace"), fixture("seren_head5.csv"),
                                  fixture("seren_head5.csv"), link});
    QCOMPARE(twice.code, 0);
    QCOMPARE(twice.json()[QStringLiteral("jobs")].toInt(), 5);
    QVERIFY2(twice.error.contains("seren_head5.csv is named twice; it was read once."),
             twice.error.constData());
    QVERIFY(twice.error.contains("link.csv is the same file as"));
}

void CharacterizeTest::figuresHaveNoExponent()
{
    const Result result = yardctl({QStringLiteral("characterize"), QStringLiteral("--trace"),
                                   fixture("kalos_head800.csv"), QStringLiteral("--paper"),
                                   QStringLiteral("Seren,Kalos")});
    QCOMPARE(result.code, 0);
    const QRegularExpression exponent(QStringLiteral("\\d[eE][+-]\\d"));
    QVERIFY2(!QString::fromUtf8(result.output).contains(exponent), result.output.constData());
    QVERIFY(QString::fromUtf8(result.output)
                .contains(QRegularExpression(QStringLiteral("\\d,\\d{3}"))));
}

void CharacterizeTest::wrongInputHasItsCode_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::newRow("no trace") << words("characterize") << 1;
    QTest::newRow("no file") << words("characterize --trace /no/such/file") << 3;
    QTest::newRow("no trace file")
        << words("characterize --trace " YARD_SOURCE_DIR "/README.md") << 3;
    QTest::newRow("no rules") << words("types check /no/such/file") << 3;
    QTest::newRow("device") << words("characterize --trace /dev/zero") << 3;
    QTest::newRow("rules that are a device") << words("types check /dev/zero") << 3;
    QTest::newRow("format") << words("characterize --format csv") << 1;
    QTest::newRow("zone") << words("characterize --zone Mars --trace " YARD_FIXTURES
                                   "/acme/seren_head5.csv")
                          << 3;
}

void CharacterizeTest::wrongInputHasItsCode()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    const Result result = yardctl(arguments);
    QCOMPARE(result.code, code);
    QVERIFY(!result.error.isEmpty());
}

QTEST_GUILESS_MAIN(CharacterizeTest)
#include "characterize_test.moc"
