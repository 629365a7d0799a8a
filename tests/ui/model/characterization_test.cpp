#include "ui/model/characterization.h"

#include <QTest>
#include <cmath>

#include "ui/model/span_text.h"

using namespace yard::model;

class CharacterizationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curvesAreOrderedByTheirNumbers();
    void whatIsUnderANameEndsAtTheNextPoint();
    void definitionsAreFoundByTheirPattern();
    void typesStandInTheLooksOrder();
    void spansAreRead_data();
    void spansAreRead();
    void badSpansAreSaid_data();
    void badSpansAreSaid();
};

void CharacterizationTest::curvesAreOrderedByTheirNumbers()
{
    FigureSet figures;
    for (const int x : {16, 1, 256, 4})
        figures.add(QStringLiteral("run_cdf_pct.Eval.%1").arg(x), x / 256.0);
    figures.add(QStringLiteral("run_cdf_pct.Eval.note"), 1);
    const QVector<QPointF> curve = figures.curve(QStringLiteral("run_cdf_pct.Eval"));
    QCOMPARE(curve.size(), 4);
    QCOMPARE(curve.first(), QPointF(1, 1 / 256.0));
    QCOMPARE(curve.last(), QPointF(256, 1));
    QVERIFY(figures.curve(QStringLiteral("run_cdf_pct.SFT")).isEmpty());
    QVERIFY(std::isnan(figures.value(QStringLiteral("no.such"))));
}

void CharacterizationTest::whatIsUnderANameEndsAtTheNextPoint()
{
    FigureSet figures;
    figures.add(QStringLiteral("jobs_by_type.Eval"), 1);
    figures.add(QStringLiteral("jobs_by_type.Eval.p50"), 1);
    figures.add(QStringLiteral("jobs_by_type_else.SFT"), 1);
    QCOMPARE(figures.under(QStringLiteral("jobs_by_type")), QStringList{QStringLiteral("Eval")});
}

void CharacterizationTest::definitionsAreFoundByTheirPattern()
{
    Characterization all;
    all.definitions = {
        {QStringLiteral("jobs"), {}, QStringLiteral("Jobs"), {}},
        {QStringLiteral("duration_s.*"), QStringLiteral("s"), QStringLiteral("Duration"), {}}};
    QCOMPARE(all.definitionOf(QStringLiteral("duration_s.p50"))->title, QStringLiteral("Duration"));
    QCOMPARE(all.definitionOf(QStringLiteral("jobs"))->title, QStringLiteral("Jobs"));
    QVERIFY(!all.definitionOf(QStringLiteral("jobs_by_type.Eval")));
}

void CharacterizationTest::typesStandInTheLooksOrder()
{
    Characterization all;
    for (const char* type : {"Unclassified", "Zeta", "Eval", "Pretrain"})
        all.figures.add(QStringLiteral("gpu_jobs_by_type.") + QLatin1String(type), 1);
    QCOMPARE(all.types(), (QStringList{QStringLiteral("Pretrain"), QStringLiteral("Eval"),
                                       QStringLiteral("Zeta"), QStringLiteral("Unclassified")}));
}

void CharacterizationTest::spansAreRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    const auto row = [](const char* text, const char* from, const char* to) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(from)
                            << QString::fromLatin1(to);
    };
    row("2026-03-01 to 2026-03-08", "2026-03-01T00:00:00+08:00", "2026-03-09T00:00:00+08:00");
    row("2026-03-10 14:00 to 18:30", "2026-03-10T14:00:00+08:00", "2026-03-10T18:30:00+08:00");
    row("2026-03-01", "2026-03-01T00:00:00+08:00", "2026-03-02T00:00:00+08:00");
    row("2026-03-01T05:00:00Z to 2026-03-01T06:00:00Z", "2026-03-01T13:00:00+08:00",
        "2026-03-01T14:00:00+08:00");
    row("3 d", "2026-03-08T03:14:22+08:00", "");
    row("12h", "2026-03-10T15:14:22+08:00", "");
}

void CharacterizationTest::spansAreRead()
{
    QFETCH(QString, text);
    QFETCH(QString, from);
    QFETCH(QString, to);
    const auto moment = [](const QString& iso) { return QDateTime::fromString(iso, Qt::ISODate); };
    const SpanText span = spanFrom(text, QTimeZone("Asia/Shanghai"),
                                   moment(QStringLiteral("2026-03-11T03:14:22+08:00")));
    QVERIFY2(span.ok(), qPrintable(span.error));
    QCOMPARE(span.from, moment(from));
    QCOMPARE(span.to.isValid(), !to.isEmpty());
    if (!to.isEmpty())
        QCOMPARE(span.to, moment(to));
}

void CharacterizationTest::badSpansAreSaid_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    QTest::newRow("words") << QStringLiteral("yesterday") << QStringLiteral("is no span");
    QTest::newRow("backwards") << QStringLiteral("2026-03-08 to 2026-03-01")
                               << QStringLiteral("ends before it begins");
    QTest::newRow("no such day") << QStringLiteral("2026-02-30") << QStringLiteral("is no span");
    QTest::newRow("three") << QStringLiteral("2026-03-01 to 2026-03-02 to 2026-03-03")
                           << QStringLiteral("is no span");
}

void CharacterizationTest::badSpansAreSaid()
{
    QFETCH(QString, text);
    QFETCH(QString, says);
    const SpanText span = spanFrom(text, QTimeZone::utc(), QDateTime::currentDateTimeUtc());
    QVERIFY(!span.ok());
    QVERIFY2(span.error.contains(says), qPrintable(span.error));
    QVERIFY(!span.from.isValid());
}

QTEST_GUILESS_MAIN(CharacterizationTest)
#include "characterization_test.moc"
