#include <sys/stat.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

/// `yardctl diagnose` and `yardctl rules check`, as a shell sees them.

namespace {

struct Ran {
    int exitCode = -1;
    QString out;
    QString err;
};

Ran yardctl(const QStringList& arguments)
{
    QProcess process;
    process.start(QStringLiteral(YARD_BIN "/yardctl"), arguments);
    Ran ran;
    if (process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit)
        ran.exitCode = process.exitCode();
    ran.out = QString::fromUtf8(process.readAllStandardOutput());
    ran.err = QString::fromUtf8(process.readAllStandardError());
    return ran;
}

const QString kEcc = QStringLiteral(YARD_FIXTURES "/logs/d069.log");
const QString kSpike = QStringLiteral(YARD_FIXTURES "/logs/d037.log");

}  // namespace

class DiagnoseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTableHasTheAgreedColumns();
    void peopleReadVerdictCauseAndAdvice();
    void aQuotedLineStandsInTheLog();
    void anUnknownEndShowsRareLines();
    void programsReadJson();
    void aBadFileCostsOnlyItself_data();
    void aBadFileCostsOnlyItself();
    void aNameDoesNotSteerTheTerminal_data();
    void aNameDoesNotSteerTheTerminal();
    void aKindDoesNotSteerTheTerminal();
    void aWrongFormatIsWrongUsage();
    void aSiteRuleIsUsedWithoutARebuild();
    void shippedRulesAreGood();
    void aBadRuleIsNamed();
    void allMistakesOfAllFilesAreShown();

private:
    QString write(const QString& name, const QByteArray& bytes);
    QTemporaryDir m_folder;
};

QString DiagnoseTest::write(const QString& name, const QByteArray& bytes)
{
    QFile file(m_folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        return {};
    return file.fileName();
}

void DiagnoseTest::aTableHasTheAgreedColumns()
{
    const Ran ran = yardctl({"diagnose", kEcc, "--format", "tsv"});
    QCOMPARE(ran.exitCode, 0);
    QCOMPARE(ran.out,
             QStringLiteral(
                 "file\treason\tcategory\tculprit\tcordon\trestart\troot_line\tcertainty\n"
                 "d069.log\tECC Error\tInfrastructure\tgpu-r07-n06/rank:43\tgpu-r07-n06\tyes\t3700"
                 "\testablished\n"));
}

void DiagnoseTest::peopleReadVerdictCauseAndAdvice()
{
    const Ran ran = yardctl({"diagnose", kEcc});
    QCOMPARE(ran.exitCode, 0);
    for (const char* words : {"ECC Error", "gpu-r07-n06/rank:43", "3700:", "What to do:",
                              "Take out: gpu-r07-n06", "Restart as it is: yes"})
        QVERIFY2(ran.out.contains(QLatin1String(words)), words);
}

void DiagnoseTest::aQuotedLineStandsInTheLog()
{
    const Ran ran = yardctl({"diagnose", kSpike});
    QVERIFY2(ran.out.contains("33:  iteration    30132/"), qPrintable(ran.out));
}

void DiagnoseTest::anUnknownEndShowsRareLines()
{
    QByteArray log;
    for (int i = 0; i < 500; ++i)
        log += "step " + QByteArray::number(i) + " loss 2.0\n";
    log += "vendorlib: fatal: table 7 is poisoned\n";
    log += "srun: error: n1: task 0: Exited with exit code 1\n";
    const Ran ran = yardctl({"diagnose", write("rare.log", log)});
    QCOMPARE(ran.exitCode, 0);
    QVERIFY2(ran.out.contains("Unknown"), qPrintable(ran.out));
    QVERIFY2(ran.out.contains("501:  vendorlib: fatal: table 7 is poisoned"), qPrintable(ran.out));
    QVERIFY2(!ran.out.contains("loss 2.0"), qPrintable(ran.out));
}

void DiagnoseTest::programsReadJson()
{
    const Ran ran = yardctl({"diagnose", kEcc, kSpike, "--format", "json"});
    QCOMPARE(ran.exitCode, 0);
    const QJsonArray all = QJsonDocument::fromJson(ran.out.toUtf8()).array();
    QCOMPARE(all.size(), 2);
    QCOMPARE(all[0].toObject()["rank"].toInt(), 43);
    QCOMPARE(all[1].toObject()["reason"].toString(), QStringLiteral("Loss Spike"));
    QVERIFY(all[1].toObject()["node"].isNull());
}

void DiagnoseTest::aBadFileCostsOnlyItself_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("expected");
    QByteArray binary(4096, '\x01');
    QTest::newRow("missing") << QStringLiteral("/nowhere/a.log") << QStringLiteral("No such file");
    QTest::newRow("empty") << write("empty.log", "") << QStringLiteral("is empty");
    QTest::newRow("packed") << write("job.log.gz", QByteArray("\x1f\x8b\x08\x00 step 1", 11))
                            << QStringLiteral("gzip; unpack it first");
    QTest::newRow("binary") << write("binary.log", binary) << QStringLiteral("binary");
    const QString pipe = m_folder.filePath("pipe");
    QCOMPARE(mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QTest::newRow("pipe") << pipe << QStringLiteral("no regular file");
    QTest::newRow("device") << QStringLiteral("/dev/zero") << QStringLiteral("no regular file");
    QTest::newRow("folder") << m_folder.path() << QStringLiteral("no regular file");
}

void DiagnoseTest::aBadFileCostsOnlyItself()
{
    QFETCH(QString, file);
    QFETCH(QString, expected);
    const Ran ran = yardctl({"diagnose", file, kEcc, "--format", "tsv"});
    QCOMPARE(ran.exitCode, 3);
    QVERIFY2(ran.err.contains(expected) && ran.err.contains(file), qPrintable(ran.err));
    QCOMPARE(ran.out.count('\n'), 2);
}

void DiagnoseTest::aNameDoesNotSteerTheTerminal_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("exists");
    QTest::newRow("text") << QStringList{"diagnose"} << true;
    QTest::newRow("table") << QStringList{"diagnose", "--format", "tsv"} << true;
    QTest::newRow("kernel") << QStringList{"diagnose", kEcc, "--kernel"} << false;
    QTest::newRow("json") << QStringList{"diagnose", "--format", "json"} << true;
    QTest::newRow("missing") << QStringList{"diagnose"} << false;
    QTest::newRow("rules") << QStringList{"rules", "check"} << false;
    QTest::newRow("types") << QStringList{"types", "check"} << false;
    QTest::newRow("trace") << QStringList{"characterize", "--trace"} << false;
    QTest::newRow("import") << QStringList{"import"} << false;
    QTest::newRow("inspect") << QStringList{"inspect", "slurm.nodes"} << false;
    QTest::newRow("verb") << QStringList{} << false;
}

void DiagnoseTest::aNameDoesNotSteerTheTerminal()
{
    QFETCH(QStringList, arguments);
    QFETCH(bool, exists);
    const QString name = QStringLiteral("a\u001b[31m\u202e.log");
    const QString path = m_folder.filePath(name);
    if (exists)
        QVERIFY(QFile::exists(path) || QFile::copy(kEcc, path));
    const Ran ran = yardctl(arguments + QStringList{exists ? path : path + QStringLiteral("x")});
    const QString all = ran.out + ran.err;
    QVERIFY2(!all.contains(QChar(0x1b)) && !all.contains(QChar(0x202e)), qPrintable(all));
    QVERIFY2(all.contains(QStringLiteral("a<U+001B>[31m<U+202E>.log")) ||
                 all.contains(QStringLiteral("a\\u001b[31m\\u202e.log")),
             qPrintable(all));
}

void DiagnoseTest::aKindDoesNotSteerTheTerminal()
{
    const Ran ran = yardctl({"inspect", QStringLiteral("a\u001b[31m\u202e"), kEcc});
    QCOMPARE(ran.exitCode, 1);
    QVERIFY2(ran.err.contains(QStringLiteral("\"a<U+001B>[31m<U+202E>\"")), qPrintable(ran.err));
}

void DiagnoseTest::aWrongFormatIsWrongUsage()
{
    QCOMPARE(yardctl({"diagnose", kEcc, "--format", "xml"}).exitCode, 1);
    QCOMPARE(yardctl({"diagnose"}).exitCode, 1);
}

void DiagnoseTest::aSiteRuleIsUsedWithoutARebuild()
{
    const QString rules = write("site.toml",
                                "[[rule]]\nid = \"site.license\"\nreason = \"Runtime Error\"\n"
                                "weight = 60\npattern = 'license server \\S+ denied'\n"
                                "example = \"license server a denied\"\n");
    const QString log = write("job.log", "step 1\nlicense server lic2 denied the checkout\n");
    QVERIFY(yardctl({"diagnose", log}).out.contains("No Failure"));
    QVERIFY(yardctl({"diagnose", log, "--rules", rules}).out.contains("Runtime Error"));
}

void DiagnoseTest::shippedRulesAreGood()
{
    const Ran ran = yardctl({"rules", "check"});
    QVERIFY2(ran.exitCode == 0, qPrintable(ran.out + ran.err));
    QVERIFY(ran.out.contains("0 mistakes"));
}

void DiagnoseTest::aBadRuleIsNamed()
{
    const QString rules = write("bad.toml",
                                "[[rule]]\nid = \"a.b\"\nreason = \"Key Error\"\n"
                                "pattern = '(x'\n");
    const Ran ran = yardctl({"rules", "check", rules});
    QCOMPARE(ran.exitCode, 3);
    QVERIFY2(ran.err.contains(rules) && ran.err.contains("a.b: pattern"), qPrintable(ran.err));
}

void DiagnoseTest::allMistakesOfAllFilesAreShown()
{
    const QString first = write("first.toml",
                                "[[rule]]\nid = \"a.b\"\nreason = \"Key Eror\"\n"
                                "pattern = '(x'\nwait = 3\n"
                                "[[rule]]\nid = \"a.c\"\nreason = \"Key Error\"\n"
                                "pattern = 'xyz'\nexample = 'abc'\n");
    const QString second = write("second.toml", "[[rule]]\nid = 3\n");
    const Ran ran = yardctl({"rules", "check", first, second, "/dev/zero", "/nowhere.toml"});
    QCOMPARE(ran.exitCode, 3);
    for (const QString& mistake :
         {first + ":3: a.b: reason", first + ":4: a.b: pattern", first + ":5: a.b: wait",
          first + ":6: a.c: example: \"abc\" is not matched", second + ":1: rule 1: pattern",
          second + ":2: rule 1: id", QStringLiteral("/dev/zero cannot be read: it is a device"),
          QStringLiteral("/nowhere.toml cannot be read: there is no such file")})
        QVERIFY2(ran.err.contains(mistake), qPrintable(mistake + "\n" + ran.err));
}

QTEST_GUILESS_MAIN(DiagnoseTest)
#include "diagnose_test.moc"
