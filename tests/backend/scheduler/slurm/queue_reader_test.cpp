#include "backend/scheduler/slurm/queue_reader.h"

#include <QFile>
#include <QTest>
#include <algorithm>

#include "backend/scheduler/slurm/accounting_reader.h"
#include "backend/scheduler/slurm/job_details.h"

using namespace yard;
using namespace yard::domain;
using namespace yard::scheduler::slurm;

namespace {

std::string fixture(const char* name)
{
    QFile file(QString(YARD_FIXTURES "/slurm/22.05/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("No fixture %s", name);
    return file.readAll().toStdString();
}

/// The recordings were made with these instead of fresh ones.
const TextMarks kMarks{
    "\x1e"
    "00000000",
    "\x1f"
    "00000000"};

std::string record(std::vector<std::string> fields)
{
    std::string text;
    for (const auto& field : fields)
        text += (text.empty() ? kMarks.record : kMarks.field) + field;
    return text + "\n";
}

std::vector<std::string> plainFields(const std::string& id)
{
    return {id,       id,       id,           "N/A",        "PENDING", "Resources", "alice",
            "(null)", "gpu",    "normal",     "1796034828", "N/A",     "N/A",       "1:00:00",
            "2",      "16",     "4294901760", "",           "",        "(null)",    "/home/alice",
            "(null)", "(null)", "train"};
}

const Job& find(const std::vector<QueueRecord>& records, uint64_t id)
{
    const auto found = std::find_if(records.begin(), records.end(),
                                    [id](const QueueRecord& r) { return r.job.id == id; });
    if (found == records.end())
        qFatal("No job %d", int(id));
    return found->job;
}

}  // namespace

/// What squeue, scontrol show job and sacct say of jobs, on recordings of a real 22.05.
class QueueReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void recordedQueueIsReadWhole();
    void forgedRecordsAreNotBelieved();
    void controlCharactersInANameStayInIt();
    void arraysAndHeterogeneousJobsHaveTheirPlace();
    void anEstimateIsNotAStart();
    void allocatedAndAskedForGpusAreCounted();
    void aLostNodeTakesNoGpusFromItsJob();
    void anEndedJobHasItsExit();
    void aRecordWithAWrongFieldCountCostsThatRecord();
    void aHugePriorityIsNotNegative();
    void roundCountsHaveAUnit();
    void aJobThatAppearsTwiceHasNoDetails();
    void requeuedRunsAreRowsOfAccounting();
    void aCutAccountingReadIsNoted();
    void marksAreFreshEachTime();

private:
    std::vector<QueueRecord> m_records;
    ReadNotes m_notes;
};

void QueueReaderTest::initTestCase()
{
    m_records = readQueue(fixture("queue.txt"), kMarks, m_notes);
    addDetails(fixture("details.txt"), m_records, m_notes);
}

void QueueReaderTest::recordedQueueIsReadWhole()
{
    QVERIFY2(m_notes.badRecords == 0, m_notes.firstBad.c_str());
    QCOMPARE(m_records.size(), size_t(29));
}

void QueueReaderTest::forgedRecordsAreNotBelieved()
{
    const Job& forger = find(m_records, 19);
    QCOMPARE(forger.name, std::string("na|me\nJobId=22 JobState=DONE\tx"));
    QVERIFY(forger.comment.starts_with("c1\nJobId=22 JobName=victim"));
    QCOMPARE(forger.gpus, 4);
    QCOMPARE(forger.gpuIndices.at("node002"), (std::vector<int>{0, 1}));
    QCOMPARE(find(m_records, 22).restarts, 0);
    QCOMPARE(find(m_records, 20).restarts, 0);
    QCOMPARE(find(m_records, 20).name, std::string("victim"));
}

void QueueReaderTest::controlCharactersInANameStayInIt()
{
    const Job& job = find(m_records, 21);
    QCOMPARE(job.name, std::string("\x1e"
                                   "12345678999\x1f\x1fx\xEF\xBF\xBD\n"));
    QVERIFY(!job.requeueable);
    QCOMPARE(job.excludedNodes, std::string("node003"));
    QCOMPARE(job.gpus, 3);
}

void QueueReaderTest::arraysAndHeterogeneousJobsHaveTheirPlace()
{
    const Job& rest = find(m_records, 22);
    QCOMPARE(rest.displayId, std::string("22_[3,5,7,9]"));
    QCOMPARE(rest.array->pending, std::string("3,5,7,9%1"));
    QCOMPARE(rest.array->pendingCount, 4u);
    QCOMPARE(find(m_records, 26).displayId, std::string("22_1"));
    QCOMPARE(find(m_records, 26).array->task, std::optional<uint32_t>(1));
    QCOMPARE(find(m_records, 24).displayId, std::string("23+1"));
    QCOMPARE(find(m_records, 24).het->leader, uint64_t(23));
    QCOMPARE(find(m_records, 24).het->offset, 1u);
    QVERIFY(!find(m_records, 20).array && !find(m_records, 20).het);
}

void QueueReaderTest::anEstimateIsNotAStart()
{
    const Job& requeued = find(m_records, 25);
    QCOMPARE(requeued.state, JobState::Pending);
    QCOMPARE(requeued.reason, std::string("BeginTime"));
    QCOMPARE(requeued.restarts, 1);
    QVERIFY(!requeued.startTime && !requeued.endTime);
    QVERIFY(requeued.estimatedStart.has_value());
    QVERIFY(find(m_records, 20).startTime.has_value());
    QVERIFY(find(m_records, 20).timeLimit.unlimited);
}

void QueueReaderTest::allocatedAndAskedForGpusAreCounted()
{
    QCOMPARE(find(m_records, 23).gpus, 4);
    QCOMPARE(find(m_records, 24).gpus, 1);
    QCOMPARE(find(m_records, 27).gpus, 8);  // two for each of four tasks
    QVERIFY(find(m_records, 27).gpuIndices.empty());
    QVERIFY(find(m_records, 27).held);
    QCOMPARE(find(m_records, 22).gpus, 1);  // for each task of an array
}

void QueueReaderTest::aLostNodeTakesNoGpusFromItsJob()
{
    // As slurmctld prints it after NODE_FAIL: no GPU in TRES, and none on the node that died.
    std::vector<std::string> fields = plainFields("7");
    fields[14] = "2";
    for (const char* left : {"gpu:8(IDX:0-7)", ""}) {
        ReadNotes notes;
        auto records = readQueue(record(fields), kMarks, notes);
        addDetails(
            "JobId=7 JobName=train UserId=alice(1) JobState=NODE_FAIL "
            "TRES=cpu=128,mem=2000000M,node=2,billing=128 "
            "  Nodes=node003 CPU_IDs=0-63 Mem=1000000 GRES=" +
                std::string(left) +
                "   Nodes=node004 CPU_IDs=0-63 Mem=1000000 GRES= Command=(null) "
                "WorkDir=/home/alice TresPerNode=gres:gpu:8 \n",
            records, notes);
        QCOMPARE(records[0].job.gpus, 16);
    }
}

void QueueReaderTest::anEndedJobHasItsExit()
{
    const Job& failed = find(m_records, 28);
    QCOMPARE(failed.state, JobState::Failed);
    QCOMPARE(failed.exit->code, std::optional<int>(3));
    QVERIFY(!failed.exit->signal);
    QVERIFY(failed.endTime.has_value());
    QCOMPARE(find(m_records, 29).exit->signal, std::optional<int>(11));
    QVERIFY(!find(m_records, 20).exit.has_value());
}

void QueueReaderTest::aRecordWithAWrongFieldCountCostsThatRecord()
{
    auto shortRecord = plainFields("8");
    shortRecord.pop_back();
    ReadNotes notes;
    const auto records = readQueue(
        record(plainFields("7")) + record(shortRecord) + record(plainFields("9")), kMarks, notes);
    QCOMPARE(records.size(), size_t(2));
    QCOMPARE(records[1].job.id, uint64_t(9));
    QCOMPARE(notes.badRecords, 1);
    QVERIFY(notes.firstBad.find("record 2") != std::string::npos);
}

void QueueReaderTest::roundCountsHaveAUnit()
{
    std::vector<std::string> fields = plainFields("8");
    fields[14] = "1K";
    fields[15] = "-4";
    ReadNotes notes;
    const auto records = readQueue(record(fields), kMarks, notes);
    QCOMPARE(find(records, 8).nodeCount, 1024);
    QCOMPARE(find(records, 8).cpus, 0);
    QCOMPARE(notes.firstBad,
             std::string("squeue, job 8: \"-4\" is no number of CPUs. It was left out."));
}

void QueueReaderTest::aHugePriorityIsNotNegative()
{
    ReadNotes notes;
    const auto records = readQueue(record(plainFields("7")), kMarks, notes);
    QVERIFY(records.at(0).job.priority > 0);
    QVERIFY(!records[0].job.held);
    QCOMPARE(records[0].job.timeLimit.seconds, std::optional<int64_t>(3600));
    QCOMPARE(records[0].job.account, std::string());
}

void QueueReaderTest::aJobThatAppearsTwiceHasNoDetails()
{
    ReadNotes notes;
    auto records = readQueue(record(plainFields("7")), kMarks, notes);
    const std::string line =
        "JobId=7 JobName=train UserId=alice(1) Restarts=4 Command=(null) WorkDir=/home/alice \n";
    addDetails(line, records, notes);
    QCOMPARE(records[0].job.restarts, 4);
    QCOMPARE(notes.badRecords, 0);
    records = readQueue(record(plainFields("7")), kMarks, notes);
    addDetails(line + line, records, notes);
    QCOMPARE(records[0].job.restarts, 0);
    QCOMPARE(notes.badRecords, 1);
}

void QueueReaderTest::requeuedRunsAreRowsOfAccounting()
{
    ReadNotes notes;
    const auto jobs = readAccounting(fixture("accounting.txt"), kMarks, notes);
    QVERIFY2(notes.badRecords == 0, notes.firstBad.c_str());
    const auto run =
        std::find_if(jobs.begin(), jobs.end(), [](const Job& j) { return j.id == 25; });
    QVERIFY(run != jobs.end());
    QCOMPARE(run->stateFlags, std::vector<std::string>{"REQUEUED"});
    QVERIFY(isFinished(run->state));
    QCOMPARE(run->gpus, 4);
    QCOMPARE(run->nodes, std::vector<std::string>{"node003"});
    QVERIFY(run->submitTime < find(m_records, 25).submitTime);
    for (const Job& job : jobs)
        QVERIFY(isFinished(job.state) && job.endTime);
}

void QueueReaderTest::aCutAccountingReadIsNoted()
{
    std::string text = fixture("accounting.txt");
    text.resize(text.size() - 200);
    ReadNotes notes;
    const auto jobs = readAccounting(text, kMarks, notes);
    QCOMPARE(notes.badRecords, 1);
    QVERIFY(!jobs.empty());
}

void QueueReaderTest::marksAreFreshEachTime()
{
    const TextMarks marks = TextMarks::fresh();
    QVERIFY(marks.record != TextMarks::fresh().record);
    QCOMPARE(marks.record.size(), size_t(9));
    QCOMPARE(marks.format("Ai"), marks.record + "%A" + marks.field + "%i");
}

QTEST_GUILESS_MAIN(QueueReaderTest)
#include "queue_reader_test.moc"
