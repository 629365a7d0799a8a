#include "ui/model/hostlist.h"

#include <QFile>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <algorithm>

using namespace yard::model;

class HostlistTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFixtureExpandsAsSlurmDoes();
    void operatorsWorkFromLeftToRight_data();
    void operatorsWorkFromLeftToRight();
    void aBadExpressionSaysWhere_data();
    void aBadExpressionSaysWhere();
    void foldingIsTheShortestUsualWriting_data();
    void foldingIsTheShortestUsualWriting();
    void namesSortNaturally();
    void whatIsFoldedExpandsToTheSame();
    void aShortListNamesWholeRangesAndCountsTheRest_data();
    void aShortListNamesWholeRangesAndCountsTheRest();
    void whatIsShownAndWhatIsCountedMakeTheWhole();
};

void HostlistTest::theFixtureExpandsAsSlurmDoes()
{
    QFile file(QStringLiteral(YARD_FIXTURES "/inputs/slurm/hostlists.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'));
    const int counts[] = {11, 3, 5, 4, 1, 12, 0, 6};
    QVERIFY(lines.size() >= 8);
    for (int i = 0; i < 8; ++i) {
        const Hosts hosts = expandHostlist(lines[i]);
        QVERIFY2(hosts.ok(), qPrintable(hosts.error));
        QCOMPARE(hosts.hosts.size(), counts[i]);
    }
    QCOMPARE(expandHostlist(lines[2]).hosts.join(QLatin1Char(' ')),
             QStringLiteral("n098 n099 n100 n101 n102"));
    QVERIFY(expandHostlist(lines[5]).hosts.contains(QStringLiteral("r2c02n10")));
    QVERIFY(expandHostlist(lines[0]).hosts.contains(QStringLiteral("gpu-2-10")));
}

void HostlistTest::operatorsWorkFromLeftToRight_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("hosts");
    QTest::newRow("difference") << QStringLiteral("n[1-4]!n2") << QStringLiteral("n1 n3 n4");
    QTest::newRow("intersection") << QStringLiteral("n[1-4]&n[3-9]") << QStringLiteral("n3 n4");
    QTest::newRow("order") << QStringLiteral("n[1-3]!n2,n2") << QStringLiteral("n1 n3 n2");
    QTest::newRow("blanks") << QStringLiteral(" n[1-2] , n[2-3] ! n1 ") << QStringLiteral("n2 n3");
    QTest::newRow("empty") << QString() << QString();
    QTest::newRow("trailing comma") << QStringLiteral("n1,") << QStringLiteral("n1");
}

void HostlistTest::operatorsWorkFromLeftToRight()
{
    QFETCH(QString, expression);
    QFETCH(QString, hosts);
    const Hosts result = expandHostlist(expression);
    QVERIFY2(result.ok(), qPrintable(result.error));
    QCOMPARE(result.hosts.join(QLatin1Char(' ')), hosts);
}

void HostlistTest::aBadExpressionSaysWhere_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("part");
    QTest::newRow("open") << QStringLiteral("gpu[01-")
                          << QStringLiteral("character 4 is not closed");
    QTest::newRow("never opened") << QStringLiteral("gpu1]") << QStringLiteral("character 5");
    QTest::newRow("backwards") << QStringLiteral("n[9-2]") << QStringLiteral("9-2");
    QTest::newRow("step") << QStringLiteral("n[1-9/2]") << QStringLiteral("1-9/2");
    QTest::newRow("nothing") << QStringLiteral("n[]") << QStringLiteral("Nothing");
    QTest::newRow("too many") << QStringLiteral("n[1-9999999]") << QStringLiteral("more than");
    QTest::newRow("product") << QStringLiteral("n[1-9999]m[1-9999]") << QStringLiteral("more than");
    QTest::newRow("no comma") << QStringLiteral("a b") << QStringLiteral("is missing");
}

void HostlistTest::aBadExpressionSaysWhere()
{
    QFETCH(QString, expression);
    QFETCH(QString, part);
    const Hosts result = expandHostlist(expression);
    QVERIFY(!result.ok());
    QVERIFY(result.hosts.isEmpty());
    QVERIFY2(result.error.contains(part), qPrintable(result.error));
}

void HostlistTest::foldingIsTheShortestUsualWriting_data()
{
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("folded");
    QTest::newRow("run") << QStringLiteral("gpu003 gpu001 gpu002")
                         << QStringLiteral("gpu[001-003]");
    QTest::newRow("gap") << QStringLiteral("n1 n2 n4") << QStringLiteral("n[1-2,4]");
    QTest::newRow("one") << QStringLiteral("n7") << QStringLiteral("n7");
    QTest::newRow("padding grows") << QStringLiteral("n9 n10 n11") << QStringLiteral("n[9-11]");
    QTest::newRow("padding differs") << QStringLiteral("n09 n10") << QStringLiteral("n[09-10]");
    QTest::newRow("stems") << QStringLiteral("b1 a1 a2") << QStringLiteral("a[1-2],b1");
    QTest::newRow("no number") << QStringLiteral("login head") << QStringLiteral("head,login");
    QTest::newRow("twice") << QStringLiteral("n1 n1") << QStringLiteral("n1");
}

void HostlistTest::foldingIsTheShortestUsualWriting()
{
    QFETCH(QString, hosts);
    QFETCH(QString, folded);
    QCOMPARE(foldHostlist(hosts.split(QLatin1Char(' '))), folded);
}

void HostlistTest::namesSortNaturally()
{
    QStringList names{QStringLiteral("gpu10"), QStringLiteral("gpu2"), QStringLiteral("cpu3"),
                      QStringLiteral("gpu1")};
    std::sort(names.begin(), names.end(), naturalLess);
    QCOMPARE(names.join(QLatin1Char(' ')), QStringLiteral("cpu3 gpu1 gpu2 gpu10"));
    QVERIFY(!naturalLess(QStringLiteral("a"), QStringLiteral("a")));
    QVERIFY(naturalLess(QStringLiteral("n01"), QStringLiteral("n1")) !=
            naturalLess(QStringLiteral("n1"), QStringLiteral("n01")));
}

void HostlistTest::whatIsFoldedExpandsToTheSame()
{
    const quint32 seed = QRandomGenerator::global()->generate();
    qInfo("seed %u", seed);
    QRandomGenerator random(seed);
    for (int round = 0; round < 200; ++round) {
        QSet<QString> hosts;
        const int count = random.bounded(1, 60);
        for (int i = 0; i < count; ++i) {
            const QString stem = random.bounded(2) ? QStringLiteral("gpu") : QStringLiteral("r1c");
            hosts.insert(stem + QString::number(random.bounded(120))
                                    .rightJustified(random.bounded(1, 4), QLatin1Char('0')));
        }
        const QString folded = foldHostlist(hosts.values());
        const Hosts again = expandHostlist(folded);
        QVERIFY2(again.ok(), qPrintable(again.error));
        QCOMPARE(QSet<QString>(again.hosts.begin(), again.hosts.end()), hosts);
        QCOMPARE(again.hosts.size(), hosts.size());
    }
}

void HostlistTest::aShortListNamesWholeRangesAndCountsTheRest_data()
{
    QTest::addColumn<QString>("folded");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* folded, int columns, const char* shown) {
        QTest::addRow("%s in %d", folded, columns)
            << QString::fromUtf8(folded) << columns << QString::fromUtf8(shown);
    };
    row("gpu[001-064,066-102]", 20, "gpu[001-064,066-102]");
    row("gpu[001-064,066-102]", 19, "gpu[001-064,+37]");
    row("gpu[001-064,066-102,110]", 22, "gpu[001-064,+38]");
    row("gpu[001-004,007,009,011-020]", 22, "gpu[001-004,007,+11]");
    row("gpu[001-064,066-102]", 10, "101 nodes");
    row("gpu[001-064,066-102]", 5, "101");
    row("gpu[001-004],cpu[1-2],login", 20, "gpu[001-004],+3");
    row("gpu001,gpu003x,login", 12, "gpu001,+2");
    row("r[1-2]n[01-40],r3n1,r3n2", 20, "r[1-2]n[01-40],+2");
    row("gpu[001-004] \u2026", 14, "gpu[001-004] \u2026");
    row("a-very-long-name-of-one-node", 12, "a-very-\u2026node");
    row("", 4, "");
}

void HostlistTest::aShortListNamesWholeRangesAndCountsTheRest()
{
    QFETCH(QString, folded);
    QFETCH(int, columns);
    QTEST(shortHostlist(folded, columns), "shown");
}

void HostlistTest::whatIsShownAndWhatIsCountedMakeTheWhole()
{
    const quint32 seed = QRandomGenerator::global()->generate();
    qInfo("seed %u", seed);
    QRandomGenerator random(seed);
    for (int round = 0; round < 300; ++round) {
        QStringList hosts;
        const int count = random.bounded(2, 80);
        for (int i = 0; i < count; ++i)
            hosts << QStringLiteral("gpu%1").arg(random.bounded(200), 3, 10, QLatin1Char('0'));
        const QString folded = foldHostlist(hosts);
        const int columns = random.bounded(12, 60);
        const QString shown = shortHostlist(folded, columns);
        QVERIFY2(shown.size() <= columns, qPrintable(shown));
        static const QRegularExpression rest(QStringLiteral(",\\+(\\d+)"));
        const int counted = rest.match(shown).captured(1).toInt();
        const qsizetype all = expandHostlist(folded).hosts.size();
        if (shown.endsWith(QStringLiteral(" nodes"))) {
            QCOMPARE(shown.section(QLatin1Char(' '), 0, 0).toLongLong(), all);
            continue;
        }
        QString named = shown;
        const Hosts listed = expandHostlist(named.remove(rest));
        QVERIFY2(listed.ok(), qPrintable(shown));
        QCOMPARE(listed.hosts.size() + counted, all);
    }
}

QTEST_GUILESS_MAIN(HostlistTest)
#include "hostlist_test.moc"
