#include "app/ctl/table.h"

#include <QTest>

using yard::ctl::displayWidth;
using yard::ctl::Table;

class TableTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersGoRightAndWordsLeft();
    void widthIsInCharacters();
    void missingCellsAreEmpty();
    void controlCharactersDoNotReachTheTerminal();
};

void TableTest::numbersGoRightAndWordsLeft()
{
    Table table({"NODE", "GPUS>", "REASON"});
    table.add({"gpu001", "8", "ok"});
    table.add({"n2", "16", ""});
    QCOMPARE(table.text(), std::string("NODE    GPUS  REASON\n"
                                       "gpu001     8  ok\n"
                                       "n2        16\n"));
}

void TableTest::widthIsInCharacters()
{
    QCOMPARE(displayWidth("Müller"), size_t(6));
    Table table({"USER", "AGE>"});
    table.add({"Müller", "1"});
    table.add({"Miller", "22"});
    QCOMPARE(table.text(), std::string("USER    AGE\nMüller    1\nMiller   22\n"));
}

void TableTest::missingCellsAreEmpty()
{
    Table table({"A", "B", "C"});
    table.add({"1"});
    QCOMPARE(table.text(), std::string("A  B  C\n1\n"));
}

void TableTest::controlCharactersDoNotReachTheTerminal()
{
    Table table({"REASON"});
    table.add(
        {"a\x1b[31mb\nc\x7f"
         "\u202e"});
    QCOMPARE(table.text(), std::string("REASON\na<U+001B>[31mb c<U+007F><U+202E>\n"));
}

QTEST_GUILESS_MAIN(TableTest)
#include "table_test.moc"
