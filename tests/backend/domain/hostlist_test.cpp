#include "backend/domain/hostlist.h"

#include <QTest>
#include <random>
#include <set>

using namespace yard::domain;

class HostlistTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void expressionNamesTheseHosts_data();
    void expressionNamesTheseHosts();
    void brokenExpressionIsRefused_data();
    void brokenExpressionIsRefused();
    void hostsFoldToTheShortestWriting_data();
    void hostsFoldToTheShortestWriting();
    void longChainOfDifferencesIsQuick();
    void anythingFoldedExpandsToTheSame();
};

namespace {

QString joined(const std::vector<std::string>& names)
{
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.join(QLatin1Char(' '));
}

}  // namespace

void HostlistTest::expressionNamesTheseHosts_data()
{
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("hosts");
    QTest::newRow("nothing") << ""
                             << "";
    QTest::newRow("padding is kept") << "n[098-101]"
                                     << "n098 n099 n100 n101";
    QTest::newRow("no padding stays so") << "n[9-11]"
                                         << "n9 n10 n11";
    QTest::newRow("list of ranges") << "a[1,3-4],b"
                                    << "a1 a3 a4 b";
    QTest::newRow("several brackets are a product") << "r[1-2]n[08-09]x"
                                                    << "r1n08x r1n09x r2n08x r2n09x";
    QTest::newRow("once each") << "a1,a[1-2],a2"
                               << "a1 a2";
    QTest::newRow("difference") << "a[1-4]!a[2-3]"
                                << "a1 a4";
    QTest::newRow("intersection") << "a[1-4]&a[3-9]"
                                  << "a3 a4";
    QTest::newRow("from left to right") << "a[1-3]!a2,a2&a[2-3]"
                                        << "a3 a2";
    QTest::newRow("blanks around operators") << " a1 , a2 ! a1 "
                                             << "a2";
}

void HostlistTest::expressionNamesTheseHosts()
{
    QFETCH(QString, expression);
    QFETCH(QString, hosts);
    const auto names = expandHostlist(expression.toStdString());
    QVERIFY2(names.ok(), names.status().ToString().c_str());
    QCOMPARE(joined(*names), hosts);
}

void HostlistTest::brokenExpressionIsRefused_data()
{
    QTest::addColumn<QString>("expression");
    for (const char* expression :
         {"a[", "a[1", "a[1-", "a[]", "a[2-1]", "a[0-30:5]", "a[1-999999999]", "a[1-1000]b[1-1000]",
          ",a", "a,", "a,,b", "a b", "a]", "a[x]", "a[1]!", "(null)", "a[1-99999999999999999999]"})
        QTest::newRow(expression) << QString::fromLatin1(expression);
}

void HostlistTest::brokenExpressionIsRefused()
{
    QFETCH(QString, expression);
    const auto names = expandHostlist(expression.toStdString());
    QVERIFY(!names.ok());
    QVERIFY(std::string(names.status().message()).find("position") != std::string::npos);
}

void HostlistTest::hostsFoldToTheShortestWriting_data()
{
    QTest::addColumn<QString>("hosts");
    QTest::addColumn<QString>("folded");
    QTest::newRow("run") << "n3 n1 n2"
                         << "n[1-3]";
    QTest::newRow("alone") << "n3"
                           << "n3";
    QTest::newRow("gap") << "n001 n002 n004"
                         << "n[001-002,004]";
    QTest::newRow("padding carries over") << "n099 n100 n098"
                                          << "n[098-100]";
    QTest::newRow("padded and plain are apart") << "n1 n01 n2 n02"
                                                << "n[1-2,01-02]";
    QTest::newRow("two dimensions") << "r1n1 r1n2 r2n1 r2n2"
                                    << "r[1-2]n[1-2]";
    QTest::newRow("no full product") << "r1n1 r1n2 r2n1"
                                     << "r1n[1-2],r2n1";
    QTest::newRow("text only") << "login admin"
                               << "admin,login";
    QTest::newRow("nothing") << ""
                             << "";
}

void HostlistTest::hostsFoldToTheShortestWriting()
{
    QFETCH(QString, hosts);
    QFETCH(QString, folded);
    std::vector<std::string> names;
    for (const QString& host : hosts.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        names.push_back(host.toStdString());
    QCOMPARE(QString::fromStdString(foldHostlist(names)), folded);
}

void HostlistTest::longChainOfDifferencesIsQuick()
{
    std::string expression = "gpu[1-100000]";
    for (int i = 0; i < 50'000; ++i)
        expression += "!gpu" + std::to_string(i + 1);
    const auto names = expandHostlist(expression);
    QVERIFY(names.ok());
    QCOMPARE(names->size(), size_t(50'000));
}

void HostlistTest::anythingFoldedExpandsToTheSame()
{
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        std::set<std::string> names;
        const int count = 1 + int(random() % 40);
        for (int i = 0; i < count; ++i) {
            std::string number = std::to_string(random() % 120);
            if (random() % 2 == 0)
                number.insert(0, 3 - std::min<size_t>(3, number.size()), '0');
            names.insert((random() % 2 == 0 ? "r" + std::to_string(random() % 3) + "n" : "gpu-") +
                         number + (random() % 5 == 0 ? "-ib" : ""));
        }
        const auto again = expandHostlist(foldHostlist({names.begin(), names.end()}));
        QVERIFY2(again.ok() && std::set<std::string>(again->begin(), again->end()) == names,
                 qPrintable(QStringLiteral("seed %1").arg(seed)));
    }
}

QTEST_GUILESS_MAIN(HostlistTest)
#include "hostlist_test.moc"
