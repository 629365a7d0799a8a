#include "ui/client/value_pool.h"

#include <QTest>
#include <vector>

using yard::client::ValuePool;

using Words = std::vector<std::string>;

class ValuePoolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalTextsAreOne();
    void equalListsAreOne();
    void listsAreNotConfusedByWhereTheirWordsEnd();
    void anEmptyWordStaysAWord();
    void equalNumbersAreOne();
    void aFullPoolStartsAnewAndTakesNothingBack();
};

void ValuePoolTest::equalTextsAreOne()
{
    ValuePool pool;
    const QString first = pool.text("MIXED");
    const QString second = pool.text("MIXED");
    QCOMPARE(first, QStringLiteral("MIXED"));
    QCOMPARE(second.constData(), first.constData());
    QCOMPARE(pool.text("é"), QStringLiteral("é"));
    QVERIFY(pool.text("").isEmpty());
}

void ValuePoolTest::equalListsAreOne()
{
    ValuePool pool;
    const QStringList first = pool.texts(Words{"seren", "debug"});
    const QStringList second = pool.texts(Words{"seren", "debug"});
    QCOMPARE(first, QStringList({QStringLiteral("seren"), QStringLiteral("debug")}));
    QCOMPARE(second.constData(), first.constData());
    QVERIFY(pool.texts(Words{}).isEmpty());
}

void ValuePoolTest::listsAreNotConfusedByWhereTheirWordsEnd()
{
    ValuePool pool;
    QCOMPARE(pool.texts(Words{"ab", "c"}).first(), QStringLiteral("ab"));
    QCOMPARE(pool.texts(Words{"a", "bc"}).first(), QStringLiteral("a"));
    QCOMPARE(pool.texts(Words{"abc"}).size(), 1);
}

void ValuePoolTest::anEmptyWordStaysAWord()
{
    ValuePool pool;
    QCOMPARE(pool.texts(Words{"", "GPU-a"}), QStringList({QString(), QStringLiteral("GPU-a")}));
    QCOMPARE(pool.texts(Words{""}).size(), 1);
}

void ValuePoolTest::equalNumbersAreOne()
{
    ValuePool pool;
    const std::vector<int> numbers{0, 1, 7};
    const QVector<int> first = pool.numbers(numbers);
    QCOMPARE(first, QVector<int>({0, 1, 7}));
    QCOMPARE(pool.numbers(numbers).constData(), first.constData());
    QCOMPARE(pool.numbers(std::vector<int>{0, 1}), QVector<int>({0, 1}));
}

void ValuePoolTest::aFullPoolStartsAnewAndTakesNothingBack()
{
    ValuePool pool;
    const QString kept = pool.text("kept");
    for (int i = 0; i < 200'000; ++i)
        QCOMPARE(pool.text(std::to_string(i)), QString::number(i));
    QCOMPARE(kept, QStringLiteral("kept"));
    QCOMPARE(pool.text("kept"), kept);
}

QTEST_GUILESS_MAIN(ValuePoolTest)
#include "value_pool_test.moc"
