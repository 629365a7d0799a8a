#include "backend/diagnosis/template_miner.h"

#include <QTest>

using namespace yard::diagnosis;

class TemplateMinerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void numbersDoNotCount();
    void oneWordThatDiffersIsAHole();
    void otherFormsStayApart();
    void frequentLinesBecomeRoutine();
    void troubleNeverBecomesRoutine();
    void memoryIsBounded();
    void anyBytesAreTaken();
};

void TemplateMinerTest::numbersDoNotCount()
{
    TemplateMiner miner;
    miner.add("step 1 loss 2.5");
    miner.add("step 100 loss 1.75");
    QCOMPARE(miner.templates().size(), size_t(1));
    QCOMPARE(miner.templates().front().count, uint64_t(2));
    QCOMPARE(miner.templates().front().text(), std::string("step <*> loss <*>"));
}

void TemplateMinerTest::oneWordThatDiffersIsAHole()
{
    TemplateMiner miner;
    miner.add("loading shard alpha from store");
    miner.add("loading shard beta from store");
    QCOMPARE(miner.templates().size(), size_t(1));
    QCOMPARE(miner.templates().front().text(), std::string("loading shard <*> from store"));
}

void TemplateMinerTest::otherFormsStayApart()
{
    TemplateMiner miner;
    miner.add("saving checkpoint now");
    miner.add("loading weights again");
    miner.add("a line of more words than the others have");
    QCOMPARE(miner.templates().size(), size_t(3));
}

void TemplateMinerTest::frequentLinesBecomeRoutine()
{
    TemplateMiner miner;
    QVERIFY(!miner.add("step 0 loss 1.0").isRoutine);
    for (int i = 1; i < 100; ++i)
        miner.add("step " + std::to_string(i) + " loss 1.0");
    QVERIFY(miner.add("step 100 loss 0.5").isRoutine);
}

void TemplateMinerTest::troubleNeverBecomesRoutine()
{
    TemplateMiner miner;
    for (int i = 0; i < 100; ++i)
        miner.add("GET of shard " + std::to_string(i) + " failed");
    QVERIFY(!miner.add("GET of shard 7 failed").isRoutine);
}

void TemplateMinerTest::memoryIsBounded()
{
    TemplateMiner miner;
    std::string word = "aaaa";
    for (int i = 0; i < 60'000; ++i) {
        for (size_t at = 0; at < word.size() && ++word[at] > 'z'; ++at)
            word[at] = 'a';
        miner.add(word + " is a word of its own kind " + word + word + " " + word);
    }
    QVERIFY(miner.templates().size() <= 8192);
    uint64_t counted = miner.givenUp();
    for (const LineTemplate& one : miner.templates())
        counted += one.count;
    QCOMPARE(counted, uint64_t(60'000));
}

void TemplateMinerTest::anyBytesAreTaken()
{
    TemplateMiner miner;
    miner.add("");
    miner.add(std::string(100'000, '\xff'));
    miner.add(std::string_view("\0\r\x1b[", 4));
    QCOMPARE(miner.lines(), uint64_t(3));
}

QTEST_GUILESS_MAIN(TemplateMinerTest)
#include "template_miner_test.moc"
