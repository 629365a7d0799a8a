#include <QDir>
#include <QFile>
#include <QTest>

#include "backend/base/text.h"
#include "tests/backend/diagnosis/diagnosed.h"

using namespace yard;

/// Small logs of other frameworks, launchers, versions and languages, in tests/fixtures/diagnosis.

class VariantsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aVariantIsDiagnosed_data();
    void aVariantIsDiagnosed();
    void everyRuleKnowsItsExamples();
};

void VariantsTest::aVariantIsDiagnosed_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<QStringList>("expected");
    const QDir folder(QStringLiteral(YARD_FIXTURES "/diagnosis"));
    for (const QString& name : folder.entryList({"*.txt"})) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray all = file.readAll();
        for (int at = all.indexOf("=== "); at >= 0;) {
            const int end = all.indexOf('\n', at);
            const int next = all.indexOf("\n=== ", end);
            QStringList head = QString::fromUtf8(all.mid(at + 4, end - at - 4)).split('|');
            for (QString& part : head)
                part = part.trimmed();
            QCOMPARE(head.size(), 5);
            QTest::newRow(qPrintable(name + ": " + head[0]))
                << all.mid(end + 1, next < 0 ? -1 : next - end) << head;
            at = next < 0 ? -1 : next + 1;
        }
    }
}

void VariantsTest::aVariantIsDiagnosed()
{
    QFETCH(QByteArray, log);
    QFETCH(QStringList, expected);
    const domain::Verdict verdict = diagnosed({log.constData(), size_t(log.size())});
    const std::string_view reason = domain::name(verdict.reason);
    QCOMPARE(QString::fromUtf8(reason.data(), int(reason.size())), expected[1]);
    const QString rank = verdict.rank ? QStringLiteral("rank:%1").arg(*verdict.rank) : QString();
    QString culprit = QString::fromStdString(verdict.node);
    culprit += !culprit.isEmpty() && !rank.isEmpty() ? "/" + rank : rank;
    if (expected[2] != "?")
        QCOMPARE(culprit.isEmpty() ? QStringLiteral("-") : culprit, expected[2]);
    if (expected[3] != "?")
        QCOMPARE(QString::fromStdString(verdict.cordonNode),
                 expected[3] == "-" ? QString() : expected[3]);
    if (expected[4] != "?")
        QCOMPARE(verdict.shouldRestart, expected[4] == "yes");
}

void VariantsTest::everyRuleKnowsItsExamples()
{
    const std::vector<std::string> wrong = shippedRuleSet().wrongExamples();
    QVERIFY2(wrong.empty(), wrong.empty() ? "" : wrong.front().c_str());
}

QTEST_GUILESS_MAIN(VariantsTest)
#include "variants_test.moc"
