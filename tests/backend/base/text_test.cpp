#include "backend/base/text.h"

#include <QTest>

using namespace yard;

/// What text may be shown as it is, and how the rest is shown.
class TextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plainTextIsShownAsItIs();
    void whatMisleadsIsFoundAndShown_data();
    void whatMisleadsIsFoundAndShown();
    void linesStayLines();
    void jsonStaysJson();
};

void TextTest::plainTextIsShownAsItIs()
{
    for (const char* text : {"", "bad fan", "Müller, 温度 🔥", "\u2014 \u200b"}) {
        QVERIFY(!text::hasControl(text));
        QCOMPARE(text::visible(text), std::string(text));
    }
    QVERIFY(!text::hasControl("\xff\xfe"));
    QCOMPARE(text::visible("a\xff"), std::string("a\ufffd"));
}

void TextTest::whatMisleadsIsFoundAndShown_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("escape") << QByteArray("a\x1b[2J") << QByteArray("a<U+001B>[2J");
    QTest::newRow("line end") << QByteArray("a\nb\tc") << QByteArray("a b c");
    QTest::newRow("null") << QByteArray("a\0b", 3) << QByteArray("a<U+0000>b");
    QTest::newRow("delete") << QByteArray("\x7f") << QByteArray("<U+007F>");
    QTest::newRow("C1") << QByteArray(
                               "\xc2\x9b"
                               "2J")
                        << QByteArray("<U+009B>2J");
    for (const char* direction : {"\u061c", "\u200e", "\u200f", "\u202a", "\u202b", "\u202c",
                                  "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
        const QByteArray code =
            QByteArray::number(QString::fromUtf8(direction).at(0).unicode(), 16).toUpper();
        const QByteArray name = "<U+" + code.rightJustified(4, '0') + ">";
        QTest::newRow(name.constData()) << QByteArray(direction) << name;
    }
}

void TextTest::whatMisleadsIsFoundAndShown()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    QVERIFY(text::hasControl(text.toStdString()));
    QCOMPARE(text::visible(text.toStdString()), shown.toStdString());
}

void TextTest::linesStayLines()
{
    QCOMPARE(text::visibleLines("\na\x1b\n\nb\n"), std::string("\na<U+001B>\n\nb\n"));
    QCOMPARE(text::visibleLines(""), std::string());
}

void TextTest::jsonStaysJson()
{
    QCOMPARE(text::visibleJson("{\n \"a\": \"温\\n\u202e\x7f\u009b\"\n}"),
             std::string("{\n \"a\": \"温\\n\\u202e\\u007f\\u009b\"\n}"));
    QCOMPARE(text::visibleJson("\xff"), std::string("\xff"));
}

QTEST_GUILESS_MAIN(TextTest)
#include "text_test.moc"
