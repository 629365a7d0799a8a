#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>
#include <random>

#include "backend/base/text.h"
#include "tests/backend/diagnosis/diagnosed.h"

using namespace yard;

/// What does not change a failure must not change its verdict.

namespace {

QByteArray logOf(const char* name)
{
    QFile file(QStringLiteral(YARD_FIXTURES "/logs/") + QString::fromLatin1(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string healthyLine(int i)
{
    switch (i % 6) {
        case 5:
            return "[rank" + std::to_string(i % 8) + "]: prefetch of shard " + std::to_string(i) +
                   " ok";
        case 0:
            return "[healthd] 8 GPUs ok, errors=0 xid_errors=0 temp " + std::to_string(40 + i % 9);
        case 1:
            return "io: error_rate 0, timeouts 0, retry budget 5";
        case 2:
            return "2024-01-01 00:00:00 INFO dataloader queue " + std::to_string(i) + " ok";
        case 3:
            return "kv cache usage: 68.0%, running: " + std::to_string(i) + " reqs";
        default:
            return "DeprecationWarning: failed_jobs is deprecated";
    }
}

std::string withHealthyLinesAround(std::string_view log)
{
    std::string all;
    for (int i = 0; i < 15'000; ++i)
        all += healthyLine(i) + "\n";
    all += log;
    if (!all.ends_with('\n'))
        all += '\n';
    for (int i = 0; i < 15'000; ++i)
        all += healthyLine(i) + "\n";
    return all;
}

std::string withLinesBetween(std::string_view log, unsigned seed)
{
    std::mt19937 random(seed);
    std::string all;
    for (const std::string_view line : text::lines(log)) {
        all += line;
        all += '\n';
        if (random() % 3 == 0)
            all += healthyLine(int(random() % 1000)) + "\n";
    }
    return all;
}

std::string withColours(std::string_view log)
{
    std::string all;
    for (const std::string_view line : text::lines(log))
        all += "\x1b[36m" + std::string(line) + "\x1b[0m\n";
    return all;
}

std::string withPrefix(std::string_view log, const std::string& prefix)
{
    std::string all;
    for (const std::string_view line : text::lines(log))
        all += prefix + std::string(line) + "\n";
    return all;
}

std::string withoutTimes(const QByteArray& log)
{
    static const QRegularExpression time(
        QStringLiteral("\\d{4}[-/]\\d\\d[-/]\\d\\d[ "
                       "T_]\\d\\d:\\d\\d:\\d\\d([.,]\\d+)?|\\b\\d\\d:\\d\\d:\\d\\d([.,]\\d+)?"));
    QString text = QString::fromUtf8(log);
    return text.remove(time).toStdString();
}

std::string withCarriageReturns(std::string_view log)
{
    std::string all;
    for (const std::string_view line : text::lines(log))
        all += std::string(line) + "\r\n";
    return all;
}

}  // namespace

class PerturbationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theVerdictStays_data();
    void theVerdictStays();
    void piecesOfAnySizeGiveTheSame();
};

void PerturbationTest::theVerdictStays_data()
{
    QTest::addColumn<QString>("file");
    const QDir folder(QStringLiteral(YARD_FIXTURES "/logs"));
    for (const QString& name : folder.entryList({"d*.log"}))
        QTest::newRow(qPrintable(name)) << name;
}

void PerturbationTest::theVerdictStays()
{
    QFETCH(QString, file);
    const QByteArray bytes = logOf(file.toLatin1().constData());
    const std::string_view log{bytes.constData(), size_t(bytes.size())};
    const domain::Verdict before = diagnosed(log);
    const auto same = [&](const char* what, const std::string& changed) {
        const domain::Verdict after = diagnosed(changed);
        QVERIFY2(after.reason == before.reason,
                 qPrintable(QStringLiteral("%1: %2").arg(
                     what, QString::fromStdString(std::string(domain::name(after.reason))))));
        QVERIFY2(after.cordonNode == before.cordonNode || after.cordonNode.empty(),
                 qPrintable(QStringLiteral("%1 cordons %2")
                                .arg(what, QString::fromStdString(after.cordonNode))));
        QCOMPARE(after.shouldRestart, before.shouldRestart);
    };
    same("healthy lines around", withHealthyLinesAround(log));
    const unsigned seed = std::random_device()();
    qInfo("seed %u", seed);
    same("healthy lines between", withLinesBetween(log, seed));
    // A node that only the scheduler's dated line names cannot be known without the date.
    if (!file.startsWith("d030"))
        same("no times", withoutTimes(bytes));
    same("colours", withColours(log));
    same("container prefix", withPrefix(log, "[pod/llm-worker-0/pytorch] "));
    same("container times", withPrefix(log, "2024-08-01T10:00:00.123456789Z stderr F "));
    same("line ends", withCarriageReturns(log));
}

void PerturbationTest::piecesOfAnySizeGiveTheSame()
{
    const QByteArray bytes = logOf("d060.log");
    const domain::Verdict whole = diagnosed({bytes.constData(), size_t(bytes.size())});
    for (const int size : {1, 7, 1000, 65536}) {
        diagnosis::LogScanner scanner(shippedRuleSet());
        for (int at = 0; at < bytes.size(); at += size)
            scanner.feed({bytes.constData() + at, size_t(std::min(size, int(bytes.size()) - at))});
        QVERIFY(diagnosis::judge(shippedRuleSet(), scanner.finish()) == whole);
    }
}

QTEST_GUILESS_MAIN(PerturbationTest)
#include "perturbation_test.moc"
