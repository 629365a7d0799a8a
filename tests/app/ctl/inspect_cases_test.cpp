#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <cmath>

/// Holds `yardctl inspect` against the labels of tests/fixtures/inputs/cases.tsv, with the rules of
/// the README beside them: every labelled value must be in the output.
class InspectCasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLabelledValueComesOut_data();
    void everyLabelledValueComesOut();
    void aKindThatDoesNotExistIsRefused();
    void onlyFilesAreRead_data();
    void onlyFilesAreRead();
};

namespace {

const QString kFolder = QStringLiteral(YARD_FIXTURES "/inputs/");

bool isRemark(const QString& key)
{
    return key == QLatin1String("note") || key == QLatin1String("or") ||
           key == QLatin1String("either");
}

bool same(const QJsonValue& want, const QJsonValue& got);

bool sameObject(const QJsonObject& want, QJsonValue got)
{
    if (want.contains(QLatin1String("one_of"))) {
        for (const QJsonValue& outcome : want[QLatin1String("one_of")].toArray()) {
            if (same(outcome, got))
                return true;
        }
        return false;
    }
    if (got.isArray()) {  // keyed by line number
        QJsonObject byLine;
        const QJsonArray list = got.toArray();
        for (int i = 0; i < list.size(); ++i)
            byLine[QString::number(i + 1)] = list[i];
        got = byLine;
    }
    if (!got.isObject())
        return false;
    for (auto it = want.begin(); it != want.end(); ++it) {
        if (!isRemark(it.key()) && !same(it.value(), got.toObject().value(it.key())))
            return false;
    }
    return true;
}

bool sameList(const QJsonArray& want, const QJsonValue& got)
{
    if (got.isDouble())
        return got.toDouble() == want.size();
    if (!got.isArray())
        return false;
    QList<QJsonValue> left;
    for (const QJsonValue& value : got.toArray())
        left << value;
    const bool isOfObjects = !want.isEmpty() && want.first().isObject();
    if (!isOfObjects && left.size() != want.size())
        return false;
    for (const QJsonValue& wanted : want) {
        int found = -1;
        for (int i = 0; i < left.size() && found < 0; ++i)
            found = same(wanted, left[i]) ? i : -1;
        if (found < 0)
            return false;
        left.removeAt(found);
    }
    return true;
}

bool same(const QJsonValue& want, const QJsonValue& got)
{
    if (want.isNull())
        return got.isNull() || got.isUndefined();
    if (want.isObject())
        return sameObject(want.toObject(), got);
    if (want.isArray())
        return sameList(want.toArray(), got);
    if (want.isDouble() && got.isArray())
        return got.toArray().size() == want.toDouble();
    if (want.isDouble() && got.isDouble())
        return std::abs(want.toDouble() - got.toDouble()) <=
               std::max(1e-6 * std::abs(want.toDouble()), 1e-9);
    return want == got;
}

QString firstDifference(const QJsonObject& want, const QJsonObject& got, int exitCode)
{
    const bool wantsError =
        want.contains(QLatin1String("error")) && !want[QLatin1String("error")].isNull();
    if (exitCode != (wantsError ? 3 : 0))
        return QStringLiteral("exit code %1").arg(exitCode);
    for (auto it = want.begin(); it != want.end(); ++it) {
        if (isRemark(it.key()) || it.key() == QLatin1String("error"))
            continue;
        const QJsonValue value = got.value(it.key());
        if (!same(it.value(), value))
            return it.key() + QStringLiteral(" is ") +
                   QString::fromUtf8(
                       QJsonDocument(QJsonObject{{it.key(), value}}).toJson().left(2000));
    }
    return {};
}

}  // namespace

void InspectCasesTest::everyLabelledValueComesOut_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<QJsonObject>("expected");
    QFile table(kFolder + QStringLiteral("cases.tsv"));
    QVERIFY(table.open(QFile::ReadOnly));
    const QList<QByteArray> lines = table.readAll().split('\n');
    QCOMPARE(lines.size(), 76);  // header, 74 cases, the end of the last line
    for (int i = 1; i < lines.size() - 1; ++i) {
        const QList<QByteArray> columns = lines[i].split('\t');
        QStringList files;
        for (const QByteArray& file : columns[1].split(';'))
            files << kFolder + QString::fromUtf8(file.trimmed());
        QTest::newRow(columns[0].constData()) << QString::fromUtf8(columns[2]) << files
                                              << QJsonDocument::fromJson(columns[5]).object();
    }
}

void InspectCasesTest::everyLabelledValueComesOut()
{
    QFETCH(QString, kind);
    QFETCH(QStringList, files);
    QFETCH(QJsonObject, expected);
    QVERIFY(!expected.isEmpty());
    QProcess yardctl;
    yardctl.start(QStringLiteral(YARD_BIN "/yardctl"),
                  QStringList{QStringLiteral("inspect"), kind} + files);
    QVERIFY(yardctl.waitForFinished(60000));
    QCOMPARE(yardctl.exitStatus(), QProcess::NormalExit);
    QJsonParseError error;
    const QJsonObject got =
        QJsonDocument::fromJson(yardctl.readAllStandardOutput(), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QStringList differences;
    QJsonArray outcomes{expected};
    if (expected.contains(QLatin1String("one_of")))
        outcomes = expected[QLatin1String("one_of")].toArray();
    for (const QJsonValue& outcome : outcomes)
        differences << firstDifference(outcome.toObject(), got, yardctl.exitCode());
    QVERIFY2(differences.contains(QString()), qPrintable(differences.join(QLatin1Char('\n'))));
}

void InspectCasesTest::aKindThatDoesNotExistIsRefused()
{
    QProcess yardctl;
    yardctl.start(QStringLiteral(YARD_BIN "/yardctl"),
                  {QStringLiteral("inspect"), QStringLiteral("no.such"),
                   kFolder + QStringLiteral("cases.tsv")});
    QVERIFY(yardctl.waitForFinished(60000));
    QCOMPARE(yardctl.exitCode(), 1);
    QVERIFY(yardctl.readAllStandardError().contains("no.such"));
}

void InspectCasesTest::onlyFilesAreRead_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("why");
    QTest::newRow("device") << QStringLiteral("/dev/zero") << QStringLiteral("it is a device");
    QTest::newRow("folder") << kFolder << QStringLiteral("it is a folder");
    QTest::newRow("missing") << QStringLiteral("/nowhere/a") << QStringLiteral("no such file");
}

void InspectCasesTest::onlyFilesAreRead()
{
    QFETCH(QString, file);
    QFETCH(QString, why);
    QProcess yardctl;
    yardctl.start(QStringLiteral(YARD_BIN "/yardctl"),
                  {QStringLiteral("inspect"), QStringLiteral("expo.text"), file});
    QVERIFY(yardctl.waitForFinished(10000));
    QCOMPARE(yardctl.exitCode(), 3);
    const QString error = QJsonDocument::fromJson(yardctl.readAllStandardOutput())
                              .object()[QLatin1String("error")]
                              .toString();
    QVERIFY2(error.startsWith(file) && error.contains(why), qPrintable(error));
}

QTEST_GUILESS_MAIN(InspectCasesTest)
#include "inspect_cases_test.moc"
