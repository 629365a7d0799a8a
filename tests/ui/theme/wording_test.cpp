#include <QTest>
#include <cmath>

#include "ui/theme/wording.h"

using namespace yard;

class WordingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durationsReadAsPeopleSayThem_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("words");
        QTest::newRow("tenths") << 0.89 << QStringLiteral("0.8 s");
        QTest::newRow("seconds") << 94.9 << QStringLiteral("94 s");
        QTest::newRow("minutes") << 899.0 << QStringLiteral("14 min");
        QTest::newRow("hours") << 7599.0 << QStringLiteral("2 h 06 min");
        QTest::newRow("days") << 6 * 86400 + 11 * 3600 + 59.0 << QStringLiteral("6 d 11 h");
        QTest::newRow("before") << -3.0 << QStringLiteral("0.0 s");
    }
    void durationsReadAsPeopleSayThem()
    {
        QFETCH(double, seconds);
        QFETCH(QString, words);
        QCOMPARE(theme::duration(seconds), words);
    }
    void numbersAreGroupedAndHaveATrueMinus()
    {
        QCOMPARE(theme::number(qint64(2288)), QStringLiteral("2,288"));
        QCOMPARE(theme::number(qint64(-1234567)), QChar(0x2212) + QStringLiteral("1,234,567"));
        QCOMPARE(theme::number(999.95, 1), QStringLiteral("1,000.0"));
        QCOMPARE(theme::number(-0.04, 1), QStringLiteral("0.0"));
        QCOMPARE(theme::figure(842.4), QStringLiteral("842"));
        QCOMPARE(theme::figure(59.23), QStringLiteral("59.2"));
        QCOMPARE(theme::figure(0.789), QStringLiteral("0.79"));
        QCOMPARE(theme::percent(0.8339), QStringLiteral("83.4%"));
    }
    void unknownIsNeverANumber()
    {
        QCOMPARE(theme::quantity(model::GpuMetric::Power, model::kNoReading).text(),
                 QStringLiteral("no reading"));
        QCOMPARE(theme::number(std::nan(""), 1), QStringLiteral("no reading"));
        QCOMPARE(theme::percent(std::nan("")), QStringLiteral("no reading"));
        QCOMPARE(theme::age(-1), QStringLiteral("never"));
        QCOMPARE(theme::columnDuration(-1), QStringLiteral("-"));
    }
    void columnsAreHoursAndDays()
    {
        QCOMPARE(theme::columnDuration(51600), QStringLiteral("14:20"));
        QCOMPARE(theme::columnDuration(6 * 86400 + 11 * 3600 + 120), QStringLiteral("6-11:02"));
        QCOMPARE(theme::columnDuration(59), QStringLiteral("0:00"));
    }
    void timesCarryTheClustersZone()
    {
        const QTimeZone zone("Asia/Shanghai");
        const QDateTime now =
            QDateTime::fromString(QStringLiteral("2026-03-10T19:14:22Z"), Qt::ISODate);
        QCOMPARE(theme::fullTime(now, zone), QStringLiteral("2026-03-11 03:14:22 +08:00"));
        QCOMPARE(theme::clockTime(now, zone), QStringLiteral("Wed 2026-03-11 03:14:22 +08:00"));
        QCOMPARE(theme::shortTime(now, now, zone), QStringLiteral("03:14:22"));
        QCOMPARE(theme::shortTime(now.addSecs(-9 * 3600), now, zone), QStringLiteral("Tue 18:14"));
        QCOMPARE(theme::shortTime(now.addDays(-30), now, zone), QStringLiteral("2026-02-09 03:14"));
        QCOMPARE(theme::shortTime({}, now, zone), QStringLiteral("-"));
        QCOMPARE(theme::zoneOffset(now, QTimeZone(-5400)), QChar(0x2212) + QStringLiteral("01:30"));
    }
    void valuesCarryTheirUnit()
    {
        const QChar thin(0x2009);
        QCOMPARE(theme::quantity(model::GpuMetric::MemoryUsed, 73011).text(),
                 QStringLiteral("71.3") + thin + QStringLiteral("GiB"));
        QCOMPARE(theme::quantity(model::NodeMetric::Power, 4210).text(),
                 QStringLiteral("4.21") + thin + QStringLiteral("kW"));
        QCOMPARE(theme::quantity(model::NodeMetric::InfinibandReceive, 2.5e10F).text(),
                 QStringLiteral("200") + thin + QStringLiteral("Gb/s"));
        QCOMPARE(theme::quantity(model::GpuMetric::CoreTemperature, 71.4F).text(),
                 QStringLiteral("71") + thin + QStringLiteral("°C"));
    }
    void longHostlistsNameWhatFitsAndCountTheRest()
    {
        QCOMPARE(theme::folded({QStringLiteral("gpu002"), QStringLiteral("gpu001"),
                                QStringLiteral("gpu003")}),
                 QStringLiteral("gpu[001-003]"));
        QStringList odd;
        for (int i = 1; i < 60; i += 2)
            odd << QStringLiteral("gpu%1").arg(i, 3, 10, QLatin1Char('0'));
        QCOMPARE(theme::folded(odd, 30), QStringLiteral("gpu[001,003,005,007,009,+25]"));
    }
};

QTEST_GUILESS_MAIN(WordingTest)
#include "wording_test.moc"
