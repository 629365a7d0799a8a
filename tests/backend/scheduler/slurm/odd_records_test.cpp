#include <QTest>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/accounting_reader.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/job_details.h"
#include "backend/scheduler/slurm/node_reader.h"
#include "backend/scheduler/slurm/sacct_text.h"
#include "backend/scheduler/slurm/scontrol_text.h"
#include "backend/scheduler/slurm/sinfo_text.h"
#include "backend/scheduler/slurm/squeue_text.h"
#include "backend/scheduler/slurm/tres.h"

using namespace yard::scheduler::slurm;
using yard::domain::ReadNotes;

/// Records that are cut, that come twice, or whose amounts are none: told, and never taken as 0.
class OddRecordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAmountThatIsNoneIsOdd_data();
    void anAmountThatIsNoneIsOdd();
    void oddGresIsNoModel();
    void aCutJobIsABadRecord_data();
    void aCutJobIsABadRecord();
    void aCutNodeIsABadRecord();
    void twoOutputsInOneFileCountOnce_data();
    void twoOutputsInOneFileCountOnce();
    void runsOfARequeuedJobAreNotTheSameAgain();
    void anOpenEndIsTold();
    void oddAmountsAreToldWithTheirLine();
    void liveReadersTellThemToo();
    void roundCountsHaveAUnit();
};

namespace {

constexpr const char* kJob =
    "JobId=7 JobName=train\n   UserId=mira(1000) GroupId=g(1)\n   Priority=1 Account=a QOS=n\n"
    "   JobState=RUNNING Reason=None\n   RunTime=00:01:00 TimeLimit=01:00:00\n"
    "   NodeList=gpu[1-2]\n   NumNodes=2 NumCPUs=128 NumTasks=16\n"
    "   TRES=cpu=128,mem=100G,node=2,gres/gpu=16\n   Command=/a/b\n   WorkDir=/a\n\n";
constexpr const char* kNode =
    "NodeName=gpu1 Arch=x86_64 CPUAlloc=8 CPUTot=16 CPULoad=0.10 Gres=gpu:a100:8 RealMemory=1000 "
    "State=MIXED Partitions=p CfgTRES=cpu=16,gres/gpu=8 AllocTRES=cpu=8,gres/gpu=4 CapWatts=n/a\n";

bool tells(const ReadNotes& notes, const char* part)
{
    return notes.badRecords > 0 && notes.firstBad.find(part) != std::string::npos;
}

std::string text(const char* first, const char* second = "")
{
    return std::string(first) + second;
}

}  // namespace

void OddRecordsTest::anAmountThatIsNoneIsOdd_data()
{
    QTest::addColumn<QByteArray>("tres");
    QTest::addColumn<QByteArray>("odd");
    const auto row = [](const char* tres, const char* odd) {
        QTest::newRow(tres) << QByteArray(tres) << QByteArray(odd);
    };
    row("cpu=8,gres/gpu=-8", "gres/gpu=-8");
    row("cpu=8,gres/gpu=99999999999999999999", "gres/gpu=1e+20");
    row("cpu=8,gres/gpu=5000000", "gres/gpu=5000000");
    row("gres/gpu:a100=-1,cpu=8", "gres/gpu:a100=-1");
    row("cpu=-4", "cpu=-4");
    row("cpu=8,gres/g", "gres/g");
    row("cpu=8,gres/gpu=", "gres/gpu=");
    row("cpu=8,mem=100000000000P", "mem=1.073741824e+20");
    row("cpu=8,energy=-2,mem=18446744073709551614M", "");
}

void OddRecordsTest::anAmountThatIsNoneIsOdd()
{
    QFETCH(QByteArray, tres);
    QFETCH(QByteArray, odd);
    const Tres read = readTres(tres.constData());
    QCOMPARE(QByteArray::fromStdString(read.firstOdd), odd);
    QCOMPARE(read.isGood, odd.isEmpty());
    QCOMPARE(read.gpus(), 0);
}

void OddRecordsTest::oddGresIsNoModel()
{
    for (const char* odd : {"gpu:-8", "gpu:a100:-8", "gpu:99999999999999999999"}) {
        const Gres gres = readGres(odd);
        QVERIFY2(!gres.isGood && gres.gpus() == 0, odd);
        QCOMPARE(gres.firstOdd, std::string(odd));
    }
    QCOMPARE(readGres("gpu:a100:8,gpu:h100:2").gpus(), 10);
}

void OddRecordsTest::aCutJobIsABadRecord_data()
{
    QTest::addColumn<QByteArray>("last");
    for (const char* last : {"NumNodes=2 ", "NumCPUs=12", "NumTasks=16\n", "TRES=cpu=128,mem=1",
                             "gres/gpu=1", "Command=/a/b\n   Work"})
        QTest::newRow(last) << QByteArray(last);
}

void OddRecordsTest::aCutJobIsABadRecord()
{
    QFETCH(QByteArray, last);
    const std::string job = kJob;
    const size_t end = job.find(last.toStdString()) + size_t(last.size());
    std::string second = job;
    second.replace(6, 1, "8");
    const auto read = readScontrolJobs(job + second.substr(0, end));
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QCOMPARE(read->jobs.size(), size_t(1));
    QCOMPARE(read->jobs.front().job.cpus, 128);
    QCOMPARE(read->badLines, std::vector<uint32_t>{12});
    QVERIFY2(tells(read->notes, "scontrol show job, line 12: the record of job 8 is cut"),
             read->notes.firstBad.c_str());
    const auto alone = readScontrolJobs(job.substr(0, end));
    QVERIFY(!alone.ok());
    QVERIFY(alone.status().message().find("line 1: the record of job 7") != std::string::npos);
}

void OddRecordsTest::aCutNodeIsABadRecord()
{
    const std::string node = kNode;
    std::string second = node;
    second.replace(12, 1, "2");
    for (const char* last : {"CPUAlloc=8", "Gres=gpu:a100:", "State=MIXED", "gres/gpu=4"}) {
        const auto read =
            readScontrolNodes(node + second.substr(0, second.rfind(last) + strlen(last)));
        QVERIFY2(read.ok() && read->nodes.size() == 1, last);
        QCOMPARE(read->badLines, std::vector<uint32_t>{2});
        QVERIFY2(tells(read->notes, "scontrol show node, line 2: the record of gpu2 is cut"), last);
    }
    QCOMPARE(readScontrolNodes(node + second)->nodes.size(), size_t(2));
}

void OddRecordsTest::twoOutputsInOneFileCountOnce_data()
{
    QTest::addColumn<std::string>("output");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<uint32_t>("line");
    const auto row = [](const char* kind, const char* output, uint32_t line) {
        QTest::newRow(kind) << text(output, output) << QString::fromLatin1(kind) << line;
    };
    row("scontrol", kJob, 12);
    row("squeue",
        "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
        "7 p train mira R 1:00 2 gpu[1-2]\n",
        4);
    row("sacct", "JobID|Submit|State|AllocTRES\n7|2025-01-01T00:00:00|RUNNING|cpu=8,gres/gpu=8\n",
        4);
    row("sacct without a submit time", "7|COMPLETED|00:10:00\n", 2);
}

void OddRecordsTest::twoOutputsInOneFileCountOnce()
{
    QFETCH(std::string, output);
    QFETCH(QString, kind);
    QFETCH(uint32_t, line);
    const auto read = kind == QLatin1String("scontrol") ? readScontrolJobs(output)
                      : kind == QLatin1String("squeue") ? readSqueueText(output)
                                                        : readSacctText(output);
    QVERIFY2(read.ok(), read.status().ToString().c_str());
    QCOMPARE(read->jobs.size(), size_t(1));
    QCOMPARE(read->records, uint64_t(1));
    QVERIFY(!read->badLines.empty());
    QCOMPARE(read->badLines.back(), line);
    const auto nodes = readScontrolNodes(text(kNode, kNode));
    QCOMPARE(nodes->nodes.size(), size_t(1));
    QVERIFY(tells(nodes->notes, "scontrol show node, line 2: gpu1 again, as in line 1"));
    const std::string info = "NODELIST PARTITION STATE\ngpu1 p idle\n";
    const auto twice = readSinfoText(info + "gpu1 q idle\ngpu1 p idle\n");
    QCOMPARE(twice->nodes.size(), size_t(1));
    QCOMPARE(twice->badLines, std::vector<uint32_t>{4});
}

void OddRecordsTest::runsOfARequeuedJobAreNotTheSameAgain()
{
    const auto read = readSacctText(
        "JobID|Submit|State|Elapsed\n"
        "7|2025-01-01T00:00:00|NODE_FAIL|00:10:00\n"
        "7|2025-01-01T00:10:01|COMPLETED|00:10:00\n");
    QVERIFY(read.ok());
    QCOMPARE(read->jobs.size(), size_t(1));
    QCOMPARE(read->jobs.front().runs.size(), size_t(2));
    QVERIFY(read->badLines.empty());
}

void OddRecordsTest::anOpenEndIsTold()
{
    const auto accounting = readSacctText("JobID|State|AllocTRES\n7|RUNNING|cpu=64,mem=1");
    QCOMPARE(accounting->jobs.size(), size_t(1));
    QVERIFY(tells(accounting->notes, "sacct, line 2: the output ends within this line"));
    const auto queue = readSqueueText(
        "JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
        "7 p train mira R 1:00 2 gpu[1-2]\n8 p train mira R 1:00 1");
    QCOMPARE(queue->jobs.size(), size_t(1));
    QCOMPARE(queue->badLines, std::vector<uint32_t>{3});
    QVERIFY(tells(queue->notes, "squeue, line 3: the record is cut"));
}

void OddRecordsTest::oddAmountsAreToldWithTheirLine()
{
    const auto accounting =
        readSacctText("JobID|State|AllocCPUS|AllocTRES\n7|RUNNING|64|cpu=64,gres/gpu=-8\n");
    QVERIFY2(tells(accounting->notes, "sacct, line 2: \"gres/gpu=-8\" among its TRES"),
             accounting->notes.firstBad.c_str());
    QVERIFY(!accounting->jobs.front().knowsGpus);
    const auto cpus = readSacctText("JobID|State|AllocCPUS\n7|RUNNING|-64\n");
    QVERIFY(tells(cpus->notes, "sacct, line 2: \"-64\" is no number of CPUs"));
    QCOMPARE(cpus->jobs.front().job.cpus, 0);
    std::string job = kJob;
    job.replace(job.find("gres/gpu=16"), 11, "gres/gpu=99999999999999999999");
    const auto jobs = readScontrolJobs(job);
    QVERIFY(tells(jobs->notes, "scontrol show job, line 1: \"gres/gpu=1e+20\" among its TRES"));
    QVERIFY(!jobs->jobs.front().knowsGpus);
}

void OddRecordsTest::liveReadersTellThemToo()
{
    const TextMarks marks{"\x1e", "\x1f"};
    ReadNotes notes;
    const char* const fields[] = {
        "7",    "7",        "1796034828", "1796034829", "1796034830", "COMPLETED",         "0:0",
        "mira", "a",        "p",          "n",          "gpu1",       "cpu=8,gres/gpu=-8", "1",
        "8",    "01:00:00", "/a",         "train",      "7\n"};
    std::string row;
    for (const char* field : fields)
        row += (row.empty() ? "" : marks.field) + field;
    QCOMPARE(readAccounting(row, marks, notes).size(), size_t(1));
    QVERIFY2(tells(notes, "sacct, job 7: \"gres/gpu=-8\""), notes.firstBad.c_str());

    ReadNotes nodeNotes;
    std::string node = kNode;
    node.replace(node.find("gpu:a100:8"), 10, "gpu:a100:-8");
    QCOMPARE(readNodes(node, {}, nodeNotes).size(), size_t(1));
    QVERIFY2(tells(nodeNotes, "scontrol show node, line 1: \"gpu:a100:-8\" among its GRES"),
             nodeNotes.firstBad.c_str());

    ReadNotes jobNotes;
    QueueRecord record;
    record.job.id = 7;
    record.job.displayId = "7";
    record.name = "train";
    record.command = "/a/b";
    record.workDirectory = "/a";
    std::vector<QueueRecord> records{record};
    addDetails(
        "JobId=7 JobName=train UserId=mira(1000) JobState=RUNNING TRES=cpu=8,gres/gpu=-8 "
        "Command=/a/b WorkDir=/a StdOut=/a/o\n",
        records, jobNotes);
    QVERIFY2(tells(jobNotes, "scontrol show job, job 7: \"gres/gpu=-8\""),
             jobNotes.firstBad.c_str());
}

void OddRecordsTest::roundCountsHaveAUnit()
{
    const auto read = readSqueueText("JOBID STATE CPUS NODES\n7 RUNNING 2K 1K\n");
    QCOMPARE(read->jobs.front().job.cpus, 2048);
    QCOMPARE(read->jobs.front().job.nodeCount, 1024);
}

QTEST_GUILESS_MAIN(OddRecordsTest)
#include "odd_records_test.moc"
