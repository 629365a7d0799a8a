#include "ui/theme/word_cut.h"

#include <QFont>
#include <QTest>

#include "ui/theme/theme.h"

using namespace yard;

class WordCutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme::Theme::instance().install(*qApp); }
    void wordsStayWhole_data();
    void wordsStayWhole();
};

void WordCutTest::wordsStayWhole_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::addColumn<QString>("shown");
    const auto row = [](const char* name, const char* text, int columns, const QString& shown) {
        QTest::newRow(name) << QString::fromLatin1(text) << columns << shown;
    };
    const QChar cut(0x2026);
    row("fits", "PENDING (Priority)", 18, QStringLiteral("PENDING (Priority)"));
    row("before a bracket", "PENDING (Priority)", 17, QStringLiteral("PENDING") + cut);
    row("before a plus", "DOWN+NOT_RESPONDING", 14, QStringLiteral("DOWN") + cut);
    row("no comma stays", "5 RUNNING, 6 COMPLETED, +7 more", 26,
        QStringLiteral("5 RUNNING, 6 COMPLETED") + cut);
    row("a first word too long", "COMPLETING", 5, QStringLiteral("COMP") + cut);
}

void WordCutTest::wordsStayWhole()
{
    QFETCH(QString, text);
    QFETCH(int, columns);
    QFETCH(QString, shown);
    const QFontMetricsF metrics(theme::font(theme::Type::Mono));
    const double width = columns * metrics.horizontalAdvance(QLatin1Char('0')) + 0.5;
    QCOMPARE(theme::cutAtWord(text, metrics, width), shown);
}

QTEST_MAIN(WordCutTest)
#include "word_cut_test.moc"
