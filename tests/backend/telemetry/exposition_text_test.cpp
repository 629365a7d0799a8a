#include "backend/telemetry/exposition_text.h"

#include <QTest>
#include <cmath>

#include "backend/telemetry/dcgm_reader.h"
#include "backend/telemetry/gzip.h"

using namespace yard::telemetry;

class ExpositionTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lineIsReadOrRefused_data();
    void lineIsReadOrRefused();
    void badLineCostsThatLine();
    void cutPageIsNoPage();
    void pageCutAnywhereNeverInventsAValue();
    void errorPageIsNoPage_data();
    void errorPageIsNoPage();
    void gzipIsUnpackedWithinALimit();
    void blankOfDcgmIsNoReading_data();
    void blankOfDcgmIsNoReading();
    void pciAddressHasOneWriting();
};

void ExpositionTextTest::lineIsReadOrRefused_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("isGood");
    QTest::addColumn<double>("value");
    const auto good = [](const char* line, double value) {
        QTest::newRow(line) << QByteArray(line) << true << value;
    };
    const auto bad = [](const char* line) {
        QTest::newRow(line) << QByteArray(line) << false << 0.0;
    };
    good("a 1", 1);
    good("a{} -3e3 103948", -3000);
    good("a { b = \"c\" , } 5", 5);
    good("a{b=\"}\"} 8", 8);
    bad("a 0x1f");
    good("a +1.5", 1.5);
    good("a .5", 0.5);
    good("a 18446744073709551615", 18446744073709551615.0);
    good("a\t7\r", 7);
    bad("a");
    bad("a ");
    bad("a 41,5");
    bad("a 1 2 3");
    bad("a 1 2.5");
    bad("a{b} 1");
    bad("a{b=\"c} 1");
    bad("a{b=\"c\" d=\"e\"} 1");
    bad("1a 1");
    bad("a{b=\"c\"} N/A");
    bad("a-b 1");
    bad("a +-1");
    bad("a --1");
    bad("a 1e");
}

void ExpositionTextTest::lineIsReadOrRefused()
{
    QFETCH(QByteArray, line);
    QFETCH(bool, isGood);
    QFETCH(double, value);
    const std::string body = line.toStdString() + "\n";
    const Exposition page = scanExposition(body);
    QCOMPARE(page.samples.size(), size_t(isGood ? 1 : 0));
    QCOMPARE(page.badLines, uint64_t(isGood ? 0 : 1));
    if (isGood)
        QCOMPARE(page.samples.front().value, value);
}

void ExpositionTextTest::badLineCostsThatLine()
{
    const std::string body = "a 1\nb\nc 3\n";
    const auto page = readExposition(body);
    QVERIFY(page.ok());
    QCOMPARE(page->samples.size(), size_t(2));
    QCOMPARE(page->firstBad.front().line, uint32_t(2));
    QCOMPARE(QString::fromStdString(firstBadSentence(*page)),
             QStringLiteral("line 2: no value after b. The line was skipped."));
}

void ExpositionTextTest::cutPageIsNoPage()
{
    const std::string body = "a 1\nb{c=\"d\"} 4";
    QCOMPARE(readExposition(body).status().code(), absl::StatusCode::kDataLoss);
    const Exposition page = scanExposition(body);
    QCOMPARE(page.samples.size(), size_t(1));
    QVERIFY(page.cutSample && std::isnan(page.cutSample->value));
    QCOMPARE(page.label(*page.cutSample, "c"), std::string_view("d"));
}

void ExpositionTextTest::pageCutAnywhereNeverInventsAValue()
{
    const std::string body = "# HELP t x\nt{gpu=\"0\",b=\"\\\"\"} 61\nt{gpu=\"1\"} 4300 17\n";
    for (size_t length = 0; length < body.size(); ++length) {
        const std::string part = body.substr(0, length);
        const Exposition page = scanExposition(part);
        for (const ExpositionSample& sample : page.samples)
            QVERIFY(sample.value == 61 || sample.value == 4300);
        if (length > 0 && part.back() != '\n')
            QVERIFY(!readExposition(part).ok());
    }
}

void ExpositionTextTest::errorPageIsNoPage_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::newRow("prose") << QByteArray(
        "An error has occurred while serving metrics:\n\n2 error(s)\nx 1\n");
    QTest::newRow("html") << QByteArray("<html>\n<body>404</body>\n");
    QTest::newRow("json") << QByteArray("{\"status\":\"error\"}\n");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("blank") << QByteArray("\n \n");
    QTest::newRow("binary") << QByteArray("\0\1\2\3\n\0\n", 7);
}

void ExpositionTextTest::errorPageIsNoPage()
{
    QFETCH(QByteArray, body);
    QCOMPARE(readExposition(body.toStdString()).status().code(),
             absl::StatusCode::kInvalidArgument);
}

void ExpositionTextTest::gzipIsUnpackedWithinALimit()
{
    const std::string packed(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x4b\x54\x30\xe4\x02\x00\xd8\xfd\x10\xc3\x04\x00"
        "\x00\x00",
        24);
    QVERIFY(isGzip(packed));
    QVERIFY(!unpackGzip(packed.substr(0, 12), 100).ok());
    QVERIFY(!unpackGzip(packed, 2).ok());
}

void ExpositionTextTest::blankOfDcgmIsNoReading_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<bool>("isReading");
    for (const char* blank :
         {"9223372036854775792", "9223372036854775794", "9.223372036854776e+18", "2147483632",
          "140737488355328.000000", "1.8446744073709552e+19", "NaN", "+Inf", "4294967295", "-1"})
        QTest::newRow(blank) << QString::fromLatin1(blank) << false;
    QTest::newRow("0") << QStringLiteral("0") << true;
    QTest::newRow("61") << QStringLiteral("61") << true;
}

void ExpositionTextTest::blankOfDcgmIsNoReading()
{
    QFETCH(QString, value);
    QFETCH(bool, isReading);
    const std::string body =
        "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-1\"} " + value.toStdString() + "\n";
    const Scrape scrape = dcgmReadings(scanExposition(body), "gpu01", {});
    QCOMPARE(scrape.hosts.front().gpus.size(), size_t(1));
    const float temperature =
        scrape.hosts.front().gpus.front()[yard::domain::GpuMetric::CoreTemperature];
    QCOMPARE(!std::isnan(temperature), isReading);
}

void ExpositionTextTest::pciAddressHasOneWriting()
{
    QCOMPARE(pciAddress("00000000:9D:00.0"), std::string("0000:9d:00.0"));
    QCOMPARE(pciAddress("0000:9d:00"), std::string("0000:9d:00.0"));
    QCOMPARE(pciAddress("00000008:01:00.0"), std::string("0008:01:00.0"));
    QCOMPARE(pciAddress("invalid"), std::string());
    QCOMPARE(pciAddress("0000:zz:00.0"), std::string());
}

QTEST_GUILESS_MAIN(ExpositionTextTest)
#include "exposition_text_test.moc"
