#include <QDir>
#include <QFile>
#include <QSet>
#include <QTest>

#include "tests/backend/diagnosis/diagnosed.h"

using namespace yard;

/// The labelled logs, scored as their own scorer does.

namespace {

struct Case {
    QString file;
    QHash<QString, QString> label;
    domain::Verdict verdict;
};

QSet<QString> names(const QString& field, QChar separator)
{
    const QStringList parts = field.toLower().split(separator, Qt::SkipEmptyParts);
    return {parts.begin(), parts.end()};
}

/// Nothing if the label does not say.
std::optional<bool> isCulpritRight(const Case& one)
{
    const QString node = one.label["culprit_node"];
    const QString rank = one.label["culprit_rank"];
    const QString saidNode = QString::fromStdString(one.verdict.node).toLower();
    const QString saidRank = one.verdict.rank ? QString::number(*one.verdict.rank) : QString();
    if (node == "?" || rank == "?")
        return std::nullopt;
    if (node == "-" && rank == "-") {
        if (one.label["category"] == "Framework" || one.label["category"] == "Script")
            return std::nullopt;
        return saidNode.isEmpty() && saidRank.isEmpty();
    }
    if (node != "-")
        return (!saidNode.isEmpty() && names(node, '|').contains(saidNode)) ||
               (rank != "-" && saidNode.isEmpty() && saidRank == rank);
    return saidRank == rank;
}

}  // namespace

class CasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void reasonsAreRight();
    void culpritsAreRight();
    void noHealthyNodeIsCordoned();
    void restartsAreRight();
    void healthyAndCancelledLogsRaiseNothing();
    void rootLinesStandInTheLog();

private:
    QVector<Case> m_cases;
};

void CasesTest::initTestCase()
{
    const QDir folder(QStringLiteral(YARD_FIXTURES "/logs"));
    QFile labels(folder.filePath(QStringLiteral("labels.tsv")));
    QVERIFY(labels.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(labels.readAll()).split('\n', Qt::SkipEmptyParts);
    const QStringList keys = lines.first().split('\t');
    for (const QString& line : lines.mid(1)) {
        const QStringList fields = line.split('\t');
        Case one;
        for (int i = 0; i < keys.size(); ++i)
            one.label[keys[i]] = fields.value(i);
        one.file = one.label["file"];
        QFile log(folder.filePath(one.file));
        QVERIFY2(log.open(QIODevice::ReadOnly), qPrintable(one.file));
        const QByteArray bytes = log.readAll();
        one.verdict = diagnosed({bytes.constData(), size_t(bytes.size())});
        m_cases.append(one);
    }
    QCOMPARE(m_cases.size(), 69);
}

void CasesTest::reasonsAreRight()
{
    int right = 0;
    int category = 0;
    for (const Case& one : m_cases) {
        const std::string_view reason = domain::name(one.verdict.reason);
        const QString said = QString::fromUtf8(reason.data(), int(reason.size()));
        const std::string_view kind = domain::name(domain::categoryOf(one.verdict.reason));
        right += said == one.label["reason"] ? 1 : 0;
        category += one.label["category"] == QString::fromUtf8(kind.data(), int(kind.size()));
        if (said != one.label["reason"])
            qInfo("%s is %s, said %s", qPrintable(one.file), qPrintable(one.label["reason"]),
                  qPrintable(said));
    }
    QVERIFY2(right >= 67, qPrintable(QStringLiteral("%1 of 69 reasons").arg(right)));
    QCOMPARE(category, 69);
}

void CasesTest::culpritsAreRight()
{
    int named = 0;
    int right = 0;
    for (const Case& one : m_cases) {
        const auto isRight = isCulpritRight(one);
        if (!isRight)
            continue;
        ++named;
        right += *isRight ? 1 : 0;
        if (!*isRight)
            qInfo("%s: node '%s'", qPrintable(one.file), one.verdict.node.c_str());
    }
    QVERIFY(named > 40);
    QVERIFY2(right * 100 >= named * 95,
             qPrintable(QStringLiteral("%1 of %2").arg(right).arg(named)));
}

void CasesTest::noHealthyNodeIsCordoned()
{
    int due = 0;
    int done = 0;
    for (const Case& one : m_cases) {
        const QString cordon = one.label["cordon_node"];
        const QString said = QString::fromStdString(one.verdict.cordonNode).toLower();
        if (cordon == "?")
            continue;
        if (cordon == "-") {
            QVERIFY2(said.isEmpty(), qPrintable(one.file + ": " + said));
            continue;
        }
        ++due;
        QVERIFY2(said.isEmpty() || names(cordon, '|').contains(said), qPrintable(one.file));
        done += said.isEmpty() ? 0 : 1;
    }
    QCOMPARE(due, 13);
    QVERIFY(done >= 12);
}

void CasesTest::restartsAreRight()
{
    int asked = 0;
    int right = 0;
    for (const Case& one : m_cases) {
        const QString restart = one.label["auto_restart"];
        if ((restart != "yes" && restart != "no") || !domain::isFailure(one.verdict.reason))
            continue;
        ++asked;
        right += one.verdict.shouldRestart == (restart == "yes") ? 1 : 0;
    }
    QVERIFY(asked > 55);
    QVERIFY2(right * 100 >= asked * 95,
             qPrintable(QStringLiteral("%1 of %2").arg(right).arg(asked)));
}

void CasesTest::healthyAndCancelledLogsRaiseNothing()
{
    int seen = 0;
    for (const Case& one : m_cases) {
        const QString reason = one.label["reason"];
        if (reason != "No Failure" && reason != "Cancelled")
            continue;
        ++seen;
        QVERIFY2(!domain::isFailure(one.verdict.reason), qPrintable(one.file));
        QVERIFY2(one.verdict.cordonNode.empty(), qPrintable(one.file));
    }
    QCOMPARE(seen, 6);
}

void CasesTest::rootLinesStandInTheLog()
{
    int asked = 0;
    int right = 0;
    for (const Case& one : m_cases) {
        if (one.label["root_lines"] == "-" || !domain::isFailure(one.verdict.reason))
            continue;
        ++asked;
        QVERIFY2(!one.verdict.evidence.empty(), qPrintable(one.file));
        const auto line = qint64(one.verdict.evidence.front().line);
        const QStringList labelled = one.label["root_lines"].split(',');
        right += std::any_of(labelled.begin(), labelled.end(), [line](const QString& label) {
            return std::abs(label.toLongLong() - line) <= 3;
        });
    }
    // Where all ranks fail alike the label names one of many lines.
    QVERIFY2(right * 100 >= asked * 80,
             qPrintable(QStringLiteral("%1 of %2").arg(right).arg(asked)));
}

QTEST_GUILESS_MAIN(CasesTest)
#include "cases_test.moc"
