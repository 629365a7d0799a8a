#include "backend/analytics/trace_reader.h"

#include <zlib.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace yard::analytics;
using yard::domain::JobState;

namespace {

constexpr const char* kSeren =
    "job_id,user,node_num,gpu_num,cpu_num,type,state,submit_time,start_time,end_time,duration,"
    "queue,gpu_time\n";
constexpr const char* kGood =
    "1,u1,1,8,128,Eval,COMPLETED,2023-03-01 00:00:00+08:00,2023-03-01 00:00:10+08:00,"
    "2023-03-01 00:01:10+08:00,60,10,480.0\n";

}  // namespace

class TraceReaderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void serenRowsAreWhole();
    void kalosDurationContainsTheWait();
    void aRunningJobHasNoEnd();
    void unknownIsNotZero();
    void phillyTimesAreUtcUnlessToldOtherwise();
    void sacctColumnsComeInAnyOrder();
    void stepsAreNoJobs();
    void tresTellsTheGpus_data();
    void tresTellsTheGpus();
    void elapsedTimes_data();
    void elapsedTimes();
    void aBadRowCostsThatRow_data();
    void aBadRowCostsThatRow();
    void anOddRowThatIsKept_data();
    void anOddRowThatIsKept();
    void aLongLineCostsThatLine();
    void aCutFileGivesWhatCameBefore();
    void aHeadingOfAnotherFormatIsRefused();
    void readingGoesOnWhereItWasLeft();
    void progressReachesTheEnd();

private:
    std::string file(const QByteArray& text, const char* name = "trace.csv")
    {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        return path.toStdString();
    }
    OddRows read(const QByteArray& text, const TraceOptions& options = {})
    {
        m_table = JobTable();
        const auto odd = readTrace(file(text), options, m_table);
        if (!odd.ok())
            qFatal("%s", std::string(odd.status().message()).c_str());
        return *odd;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    JobTable m_table;
};

void TraceReaderTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_table = JobTable();
}

void TraceReaderTest::serenRowsAreWhole()
{
    const auto odd = readTrace(YARD_FIXTURES "/acme/seren_head5.csv", {}, m_table);
    QVERIFY(odd.ok());
    QCOMPARE(m_table.size(), size_t(5));
    QCOMPARE(m_table.id(0), std::string_view("5778432"));
    QCOMPARE(m_table.submit[0], int64_t(1'677'601'102));
    QCOMPARE(m_table.start[0] - m_table.submit[0], int64_t(32));
    QCOMPARE(m_table.run(0), 117);
    QCOMPARE(m_table.gpus[4], 32);
    QCOMPARE(m_table.cpus[4], 320);
    QCOMPARE(m_table.nodes[4], 4);
    QCOMPARE(m_table.state[4], JobState::Completed);
    QCOMPARE(m_table.words.text(m_table.type[4]), std::string("Other"));
    QCOMPARE(m_table.words.text(m_table.user[4]), std::string("ud035"));
    QCOMPARE(m_table.words.text(m_table.cluster[4]), std::string("Seren"));
    QVERIFY(!m_table.sources[0].durationHasWait);
}

void TraceReaderTest::kalosDurationContainsTheWait()
{
    const auto odd = readTrace(YARD_FIXTURES "/acme/kalos_head800.csv", {}, m_table);
    QVERIFY(odd.ok());
    QCOMPARE(odd->lost(), uint64_t(0));
    QCOMPARE(odd->count(OddRow::DurationDisagrees), uint64_t(0));
    QVERIFY(m_table.sources[0].durationHasWait);
    QCOMPARE(m_table.duration[0], 18);
    QCOMPARE(m_table.queue[0], 10);
    QCOMPARE(m_table.run(0), 8);
}

void TraceReaderTest::aRunningJobHasNoEnd()
{
    read(
        "job_id,user,node_num,gpu_num,cpu_num,mem_per_pod_GB,shared_mem_per_pod,type,state,"
        "submit_time,start_time,end_time,fail_time,stop_time,duration,queue,gpu_time\n"
        "dlc1,u1,1,0,8,20,,CPU,RUNNING,2023-07-06 11:59:43+00:00,2023-07-06 11:59:49+00:00,,,,26,"
        "6.0,\n");
    QCOMPARE(m_table.size(), size_t(1));
    QCOMPARE(m_table.state[0], JobState::Running);
    QCOMPARE(m_table.end[0], kNoTime);
    QCOMPARE(m_table.run(0), 20);
}

void TraceReaderTest::unknownIsNotZero()
{
    const auto odd = readTrace(YARD_FIXTURES "/acme/kalos_completed319.csv", {}, m_table);
    QVERIFY(odd.ok());
    QCOMPARE(m_table.size(), size_t(319));
    QCOMPARE(m_table.start[0], kNoTime);
    QCOMPARE(m_table.queue[0], kNoSeconds);
    QCOMPARE(m_table.run(0), kNoSeconds);
    QCOMPARE(m_table.duration[0], 104);
    QCOMPARE(m_table.type[0], 0U);
}

void TraceReaderTest::phillyTimesAreUtcUnlessToldOtherwise()
{
    const QByteArray text =
        "job_id,vc,gpu_num,submit_time,duration\np-1,7f04ca,8,2017-09-04 10:30:41,60\n";
    read(text);
    QCOMPARE(m_table.submit[0], int64_t(1'504'521'041));
    QCOMPARE(m_table.words.text(m_table.account[0]), std::string("7f04ca"));
    QCOMPARE(m_table.state[0], JobState::Unknown);
    QCOMPARE(m_table.run(0), 60);
    TraceOptions options;
    options.zone = "America/Los_Angeles";
    read(text, options);
    QCOMPARE(m_table.submit[0], int64_t(1'504'521'041 + 7 * 3600));
}

void TraceReaderTest::sacctColumnsComeInAnyOrder()
{
    const OddRows odd = read(
        "State|End|Start|Submit|AllocTRES|JobName|QOS|JobID|User|Account|Partition|Elapsed|"
        "Cluster|NNodes|Comment|AllocCPUS\n"
        "CANCELLED by 1000|2023-05-17T13:00:00|2023-05-17T11:00:00|2023-05-17T10:59:30|"
        "billing=8,cpu=64,gres/gpu:a100=16,gres/gpu=16,node=2|train 7b|normal|18_3|ann|llm|gpu|"
        "02:00:00|seren|2|why not|64\n"
        "PENDING|Unknown|Unknown|2023-05-17T12:00:00||wait|normal|19|bob|llm|gpu|00:00:00|seren|4||"
        "0\n",
        [] {
            TraceOptions options;
            options.zone = "UTC";
            return options;
        }());
    QCOMPARE(odd.lost(), uint64_t(0));
    QCOMPARE(m_table.size(), size_t(2));
    QCOMPARE(m_table.id(0), std::string_view("18_3"));
    QCOMPARE(m_table.state[0], JobState::Cancelled);
    QCOMPARE(m_table.gpus[0], 16);
    QCOMPARE(m_table.duration[0], 7200);
    QCOMPARE(m_table.queue[0], 30);
    QCOMPARE(m_table.submit[0], int64_t(1'684'321'170));
    QCOMPARE(m_table.words.text(m_table.name[0]), std::string("train 7b"));
    QCOMPARE(m_table.words.text(m_table.comment[0]), std::string("why not"));
    QCOMPARE(m_table.words.text(m_table.cluster[0]), std::string("seren"));
    QCOMPARE(m_table.state[1], JobState::Pending);
    QCOMPARE(m_table.start[1], kNoTime);
    QCOMPARE(m_table.queue[1], kNoSeconds);
}

void TraceReaderTest::stepsAreNoJobs()
{
    const std::string path = file(
        "JobIDRaw|JobID|Submit|AllocTRES|State\n"
        "7|7|2023-05-17T10:00:00|gres/gpu=8|COMPLETED\n"
        "7.batch|7.batch|2023-05-17T10:00:00|gres/gpu=8|COMPLETED\n"
        "7.0|7.0|2023-05-17T10:00:00|gres/gpu=8|COMPLETED\n");
    auto reader = TraceReader::open(path, {});
    QVERIFY(reader.ok());
    QVERIFY(reader->read(m_table, 100).ok());
    QCOMPARE(reader->jobs(), uint64_t(1));
    QCOMPARE(reader->steps(), uint64_t(2));
    QCOMPARE(reader->oddRows().lost(), uint64_t(0));
}

void TraceReaderTest::tresTellsTheGpus_data()
{
    QTest::addColumn<QByteArray>("tres");
    QTest::addColumn<int>("gpus");
    QTest::newRow("total only") << QByteArray("cpu=64,gres/gpu=8,node=1") << 8;
    QTest::newRow("total and parts")
        << QByteArray("gres/gpu:a100=4,gres/gpu:h100=4,gres/gpu=8") << 8;
    QTest::newRow("parts only") << QByteArray("gres/gpu:a100=4,gres/gpu:h100=2") << 6;
    QTest::newRow("older gres") << QByteArray("gpu:a100:8") << 8;
    QTest::newRow("none") << QByteArray("cpu=64,mem=10G") << 0;
    QTest::newRow("memory of gpus is no gpu") << QByteArray("gres/gpumem=80G,gres/gpuutil=3") << 0;
    QTest::newRow("empty") << QByteArray() << 0;
}

void TraceReaderTest::tresTellsTheGpus()
{
    QFETCH(QByteArray, tres);
    QFETCH(int, gpus);
    QCOMPARE(gpusOfTres(tres.toStdString()), gpus);
}

void TraceReaderTest::elapsedTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("seconds");  // -1: none
    QTest::newRow("raw") << QByteArray("184") << 184;
    QTest::newRow("clock") << QByteArray("02:03:04") << 7384;
    QTest::newRow("minutes") << QByteArray("03:04") << 184;
    QTest::newRow("days") << QByteArray("1-02:03:04") << 93784;
    QTest::newRow("words") << QByteArray("INVALID") << -1;
    QTest::newRow("half") << QByteArray("1-") << -1;
    QTest::newRow("too long") << QByteArray("99999999-00:00:00") << -1;
}

void TraceReaderTest::elapsedTimes()
{
    QFETCH(QByteArray, text);
    QFETCH(int, seconds);
    QCOMPARE(readElapsed(text.toStdString()).value_or(-1), seconds);
}

void TraceReaderTest::aBadRowCostsThatRow_data()
{
    QTest::addColumn<QByteArray>("row");
    QTest::addColumn<QByteArray>("kind");

    const auto changed = [](const char* before, const char* after) {
        QByteArray row = kGood;
        row.replace(before, after);
        return row;
    };
    QTest::newRow("field missing") << changed(",Eval", "") << QByteArray("field_count");
    QTest::newRow("field too many") << changed(",Eval", ",Eval,x") << QByteArray("field_count");
    QTest::newRow("no id") << changed("1,u1", ",u1") << QByteArray("no_id");
    QTest::newRow("no submit time")
        << changed("2023-03-01 00:00:00+08:00", "") << QByteArray("no_submit_time");
    QTest::newRow("number") << changed(",8,128", ",eight,128") << QByteArray("bad_number");
    QTest::newRow("negative") << changed(",8,128", ",-8,128") << QByteArray("bad_number");
    QTest::newRow("half a GPU") << changed(",8,128", ",0.5,128") << QByteArray("bad_number");
    QTest::newRow("absurd") << changed(",8,128", ",99999999,128") << QByteArray("bad_number");
    QTest::newRow("day") << changed("03-01 00:00:10", "02-30 00:00:10") << QByteArray("bad_time");
    QTest::newRow("year") << changed("2023-03-01 00:01:10", "9023-03-01 00:01:10")
                          << QByteArray("bad_time");
    QTest::newRow("offset") << changed("00:01:10+08:00", "00:01:10+8") << QByteArray("bad_time");
    QTest::newRow("order") << changed("00:00:10+08:00", "00:02:10+08:00")
                           << QByteArray("ends_before_it_starts");
    QTest::newRow("bytes") << QByteArray("\0\xff\xfe,\n", 5) << QByteArray("field_count");
}

void TraceReaderTest::aBadRowCostsThatRow()
{
    QFETCH(QByteArray, row);
    QFETCH(QByteArray, kind);
    const OddRows odd = read(QByteArray(kSeren) + kGood + row + kGood);
    QCOMPARE(m_table.size(), size_t(2));
    QCOMPARE(odd.lost(), uint64_t(1));
    for (size_t i = 0; i < kOddRowCount; ++i) {
        if (odd.count(OddRow(i)) == 0)
            continue;
        QCOMPARE(QByteArray::fromStdString(std::string(id(OddRow(i)))), kind);
        const std::string& example = odd.examples(OddRow(i)).front();
        QVERIFY2(example.find("trace.csv:3: ") != std::string::npos, example.c_str());
    }
}

void TraceReaderTest::anOddRowThatIsKept_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("kind");
    QTest::newRow("state") << QByteArray("COMPLETED") << QByteArray("EXPLODED")
                           << int(OddRow::UnknownState);
    QTest::newRow("duration") << QByteArray(",60,10,480.0") << QByteArray(",61,10,488.0")
                              << int(OddRow::DurationDisagrees);
    QTest::newRow("queue") << QByteArray(",60,10,") << QByteArray(",60,11,")
                           << int(OddRow::DurationDisagrees);
    QTest::newRow("GPU time") << QByteArray("480.0") << QByteArray("481.0")
                              << int(OddRow::GpuTimeDisagrees);
}

void TraceReaderTest::anOddRowThatIsKept()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    QFETCH(int, kind);
    const OddRows odd = read(kSeren + QByteArray(kGood).replace(before, after));
    QCOMPARE(m_table.size(), size_t(1));
    QCOMPARE(odd.lost(), uint64_t(0));
    QCOMPARE(odd.count(OddRow(kind)), uint64_t(1));
}

void TraceReaderTest::aLongLineCostsThatLine()
{
    const QByteArray longLine(qsizetype(3 * TraceLines::kLongestLine), 'x');
    const OddRows odd = read(QByteArray(kSeren) + kGood + longLine + '\n' + kGood);
    QCOMPARE(m_table.size(), size_t(2));
    QCOMPARE(odd.count(OddRow::LongLine), uint64_t(1));
}

void TraceReaderTest::aCutFileGivesWhatCameBefore()
{
    const QString path = m_folder->filePath(QStringLiteral("cut.csv.gz"));
    gzFile packed = gzopen(path.toLatin1().constData(), "wb");
    gzputs(packed, kSeren);
    for (int i = 0; i < 20'000; ++i)
        gzprintf(packed, "%d%s", i * 7919 % 65536, kGood + 1);
    gzclose(packed);
    QFile file(path);
    QVERIFY(file.resize(file.size() / 2));

    auto reader = TraceReader::open(path.toStdString(), {});
    QVERIFY(reader.ok());
    const auto more = reader->read(m_table, 1'000'000);
    QCOMPARE(more.status().code(), absl::StatusCode::kDataLoss);
    QVERIFY(m_table.size() > 1000);
    QVERIFY(m_table.size() < 20'000);
    QCOMPARE(reader->oddRows().lost(), uint64_t(0));
    const std::string message(more.status().message());
    QVERIFY2(message.find("cut.csv.gz") != std::string::npos, message.c_str());
}

void TraceReaderTest::aHeadingOfAnotherFormatIsRefused()
{
    const auto noColumns = TraceReader::open(file("a,b\n1,2\n"), {});
    QCOMPARE(noColumns.status().code(), absl::StatusCode::kInvalidArgument);
    QVERIFY(std::string(noColumns.status().message()).find("job_id") != std::string::npos);
    QVERIFY(!TraceReader::open(file(""), {}).ok());
    QVERIFY(!TraceReader::open(m_folder->path().toStdString(), {}).ok());
    QVERIFY(!TraceReader::open("/no/such/file", {}).ok());
    TraceOptions options;
    options.zone = "Nowhere/City";
    QVERIFY(!TraceReader::open(file(QByteArray(kSeren)), options).ok());
}

void TraceReaderTest::readingGoesOnWhereItWasLeft()
{
    QByteArray text = kSeren;
    for (int i = 0; i < 10; ++i)
        text += QByteArray(kGood).replace("1,u1", QByteArray::number(i) + ",u1");
    const std::string path = file(text);
    auto first = TraceReader::open(path, {});
    QVERIFY(first.ok());
    QCOMPARE(*first->read(m_table, 4), true);
    auto second = TraceReader::open(path, {});
    QVERIFY(second.ok());
    QVERIFY(second->skipTo(first->line()).ok());
    while (*second->read(m_table, 3)) {
    }
    QCOMPARE(m_table.size(), size_t(10));
    for (size_t i = 0; i < 10; ++i)
        QCOMPARE(std::string(m_table.id(i)), std::to_string(i));
    QCOMPARE(m_table.sources.size(), size_t(1));
}

void TraceReaderTest::progressReachesTheEnd()
{
    TraceOptions options;
    std::vector<std::pair<uint64_t, uint64_t>> calls;
    options.progress = [&calls](uint64_t done, uint64_t all) { calls.emplace_back(done, all); };
    QVERIFY(readTrace(YARD_FIXTURES "/acme/philly_jobs.csv.gz", options, m_table).ok());
    QVERIFY(calls.size() > 10);
    QVERIFY(std::is_sorted(calls.begin(), calls.end()));
    QCOMPARE(calls.back().first, calls.back().second);
}

QTEST_GUILESS_MAIN(TraceReaderTest)
#include "trace_reader_test.moc"
