#include <QTest>

#include "backend/scheduler/slurm/sacct_text.h"
#include "backend/scheduler/slurm/sinfo_text.h"
#include "backend/scheduler/slurm/squeue_text.h"

using namespace yard;
using namespace yard::scheduler::slurm;

namespace {

constexpr const char* kSinfo =
    "NODELIST|STATE|GRES\n"
    "gpu001|idle|gpu:h100:8\n"
    "gpu002|mixed|gpu:h100:8\n";
constexpr const char* kSqueue =
    "JOBID|PARTITION|NAME|USER|STATE|TIME|TIME_LIMIT|NODES|NODELIST(REASON)\n"
    "12|train|a|mira|RUNNING|0:10|1:00:00|1|gpu001\n";
constexpr const char* kSacct =
    "JobID|State|Elapsed\n"
    "12|COMPLETED|00:00:10\n"
    "13|FAILED|00:00:11\n";

}  // namespace

/// Words in front of a table, and in its place.
class OddRepliesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void wordsInPlaceOfATableAreAFailedRead_data();
    void wordsInPlaceOfATableAreAFailedRead();
    void aStrangeLineBeforeATableCostsThatLine_data();
    void aStrangeLineBeforeATableCostsThatLine();
};

void OddRepliesTest::wordsInPlaceOfATableAreAFailedRead_data()
{
    QTest::addColumn<std::string>("text");
    QTest::newRow("web page") << std::string(
        "<html><body><h1>502 Bad Gateway</h1></body></html>\n");
    QTest::newRow("no controller") << std::string(
        "slurm_load_partitions: Unable to contact slurm controller (connect failure)\n");
    QTest::newRow("no accounting") << std::string("Slurm accounting storage is disabled\n");
    QTest::newRow("no program") << std::string("bash: sinfo: command not found\n");
    QTest::newRow("wide characters") << std::string("\xff\xfeJ\0O\0B\0I\0D\0\n\0", 14);
    QTest::newRow("two words") << std::string("connection reset\n");
}

void OddRepliesTest::wordsInPlaceOfATableAreAFailedRead()
{
    QFETCH(std::string, text);
    QVERIFY(!readSinfoText(text).ok());
    QVERIFY(!readSqueueText(text).ok());
    QVERIFY(!readSacctText(text, {}).ok());
}

void OddRepliesTest::aStrangeLineBeforeATableCostsThatLine_data()
{
    QTest::addColumn<std::string>("line");
    QTest::newRow("notice") << std::string("Last login: Mon Mar  3 08:12:44 from 10.0.0.7\n");
    QTest::newRow("warning") << std::string(
        "perl: warning: Falling back to the standard locale (C).\n");
}

void OddRepliesTest::aStrangeLineBeforeATableCostsThatLine()
{
    QFETCH(std::string, line);
    const auto nodes = readSinfoText(line + kSinfo);
    QVERIFY2(nodes.ok(), std::string(nodes.status().message()).c_str());
    QCOMPARE(nodes->nodes.size(), size_t(2));
    QCOMPARE(nodes->badLines, std::vector<uint32_t>{1});
    const auto queue = readSqueueText(line + kSqueue);
    QVERIFY2(queue.ok(), std::string(queue.status().message()).c_str());
    QCOMPARE(queue->jobs.size(), size_t(1));
    QCOMPARE(queue->badLines, std::vector<uint32_t>{1});
    const auto accounting = readSacctText(line + kSacct, {});
    QVERIFY2(accounting.ok(), std::string(accounting.status().message()).c_str());
    QCOMPARE(accounting->jobs.size(), size_t(2));
    QCOMPARE(accounting->badLines, std::vector<uint32_t>{1});
}

QTEST_GUILESS_MAIN(OddRepliesTest)
#include "odd_replies_test.moc"
