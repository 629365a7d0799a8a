#include <QTest>

#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/size_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/time_text.h"
#include "backend/scheduler/slurm/tres.h"

using namespace yard::scheduler::slurm;
using yard::domain::JobState;
using yard::domain::NodeState;

class SlurmWordsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodeStateIsBaseAndFlags_data();
    void nodeStateIsBaseAndFlags();
    void jobStateIsBaseAndFlags_data();
    void jobStateIsBaseAndFlags();
    void durationIsSeconds_data();
    void durationIsSeconds();
    void gpusOfGres_data();
    void gpusOfGres();
    void timeBeyondTheCalendarIsNoTime();
    void sentinelsOfTresAreNoValues();
    void memoryRequestSaysPerWhat();
};

void SlurmWordsTest::nodeStateIsBaseAndFlags_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("plain") << "IDLE"
                           << "IDLE";
    QTest::newRow("suffix") << "idle*"
                            << "IDLE NOT_RESPONDING";
    QTest::newRow("suffix inside") << "MIXED#+CLOUD"
                                   << "MIXED CLOUD POWERING_UP";
    QTest::newRow("two suffixes") << "down~*"
                                  << "DOWN NOT_RESPONDING POWERED_DOWN";
    QTest::newRow("power saving of 20.11") << "IDLE+CLOUD+POWER"
                                           << "IDLE CLOUD POWERED_DOWN";
    QTest::newRow("completing") << "alloc+"
                                << "ALLOCATED COMPLETING";
    QTest::newRow("planned") << "mix-"
                             << "MIXED PLANNED";
    QTest::newRow("compact") << "drng"
                             << "UNKNOWN DRAIN";
    QTest::newRow("joined") << "DOWN+DRAIN+NOT_RESPONDING"
                            << "DOWN DRAIN NOT_RESPONDING";
    QTest::newRow("reboot asked") << "idle@"
                                  << "IDLE REBOOT_REQUESTED";
    QTest::newRow("unheard of") << "IDLE+QUANTUM"
                                << "IDLE QUANTUM ?";
    QTest::newRow("empty") << ""
                           << "UNKNOWN ?";
}

void SlurmWordsTest::nodeStateIsBaseAndFlags()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    const NodeWords words = readNodeState(text.toStdString());
    std::string got(yard::domain::name(words.state));
    for (const std::string& flag : words.flags)
        got += " " + flag;
    if (!words.isKnown)
        got += " ?";
    QCOMPARE(QString::fromStdString(got), expected);
}

void SlurmWordsTest::jobStateIsBaseAndFlags_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<JobState>("state");
    QTest::addColumn<QString>("word");
    QTest::newRow("full") << "NODE_FAIL" << JobState::NodeFail << "NODE_FAIL";
    QTest::newRow("compact") << "OOM" << JobState::OutOfMemory << "OUT_OF_MEMORY";
    QTest::newRow("flag alone") << "CG" << JobState::Unknown << "COMPLETING";
    QTest::newRow("list") << "RUNNING,COMPLETING" << JobState::Running << "RUNNING";
    QTest::newRow("who cancelled") << "CANCELLED by 20144" << JobState::Cancelled << "CANCELLED";
    QTest::newRow("cut by sacct") << "CANCELLED+" << JobState::Cancelled << "CANCELLED";
}

void SlurmWordsTest::jobStateIsBaseAndFlags()
{
    QFETCH(QString, text);
    QFETCH(JobState, state);
    QFETCH(QString, word);
    const JobWords words = readJobState(text.toStdString());
    QCOMPARE(words.state, state);
    QCOMPARE(QString::fromStdString(words.word), word);
    QVERIFY(words.isKnown);
    QCOMPARE(words.cancelledByUid.has_value(), text.contains(QLatin1String(" by ")));
}

void SlurmWordsTest::durationIsSeconds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("seconds");  // -1: unknown, -2: unlimited
    QTest::newRow("minutes") << "53:20" << 3200.0;
    QTest::newRow("hours") << "1:00:00" << 3600.0;
    QTest::newRow("days") << "2-03:04:05" << 183845.0;
    QTest::newRow("milliseconds") << "35:45.828" << 2145.828;
    QTest::newRow("unlimited") << "UNLIMITED" << -2.0;
    QTest::newRow("infinite") << "infinite" << -2.0;
    for (const char* text : {"INVALID", "Partition_Limit", "NOT_SET", "N/A", "", "60", "-1:00",
                             "1:2:3:4", "1:99:00", "99999999999999999999-00:00:00", "1-", "a:b"})
        QTest::newRow(text) << text << -1.0;
}

void SlurmWordsTest::durationIsSeconds()
{
    QFETCH(QString, text);
    QFETCH(double, seconds);
    const DurationText duration = readDuration(text.toStdString());
    QCOMPARE(duration.unlimited ? -2.0 : duration.seconds.value_or(-1.0), seconds);
}

void SlurmWordsTest::gpusOfGres_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<QString>("type");
    QTest::addColumn<int>("indices");
    QTest::newRow("typed") << "gpu:h100:8(S:0-1)" << 8 << "h100" << 0;
    QTest::newRow("indices with a comma") << "gpu:tesla:3(IDX:0,2-3)" << 3 << "tesla" << 3;
    QTest::newRow("beside others") << "nvme:2T,gpu:2,shard:64" << 2 << "" << 0;
    QTest::newRow("two types") << "gpu:a:1(IDX:0),gpu:b:1(IDX:1)" << 2 << "a" << 2;
    QTest::newRow("as asked for") << "gres/gpu:8" << 8 << "" << 0;
    QTest::newRow("without a count") << "gres:gpu" << 1 << "" << 0;
    QTest::newRow("none") << "(null)" << 0 << "" << 0;
    QTest::newRow("broken") << "gpu:h100:x:8" << 0 << "" << 0;
    QTest::newRow("hostile") << "gpu:18446744073709551615(IDX:0-99999999)" << 0 << "" << 0;
}

void SlurmWordsTest::gpusOfGres()
{
    QFETCH(QString, text);
    QFETCH(int, gpus);
    QFETCH(QString, type);
    QFETCH(int, indices);
    const Gres gres = readGres(text.toStdString());
    QCOMPARE(gres.gpus(), gpus);
    QCOMPARE(QString::fromStdString(gres.gpuType()), type);
    QCOMPARE(int(gres.gpuIndices().size()), indices);
}

void SlurmWordsTest::timeBeyondTheCalendarIsNoTime()
{
    QVERIFY(readTime("1735722000").at);
    QCOMPARE(QString::fromStdString(readTime("2025-01-01T08:30:00").local),
             QStringLiteral("2025-01-01T08:30:00"));
    for (const char* text :
         {"0", "4294967294", "9223372037", "99999999999", "Unknown", "None", "N/A", ""})
        QVERIFY2(!readTime(text).isKnown(), text);
}

void SlurmWordsTest::sentinelsOfTresAreNoValues()
{
    const Tres tres =
        readTres("cpu=4294967294,mem=18446744073709551614,energy=-2,gres/gpu=4,gres/gpu:a=4");
    QVERIFY(!tres.cpus && !tres.memoryMib && !tres.energyJoules);
    QCOMPARE(tres.gpus(), 4);
    QCOMPARE(readTres("gres/gpu:a=2,gres/gpu:b=3").gpus(), 5);
}

void SlurmWordsTest::memoryRequestSaysPerWhat()
{
    QCOMPARE(readMemoryRequest("2Tn").mib, std::optional(2097152.0));
    QCOMPARE(int(readMemoryRequest("2Tn").per), int(MemoryRequest::Per::Node));
    QCOMPARE(int(readMemoryRequest("500Mc").per), int(MemoryRequest::Per::Cpu));
    QCOMPARE(readMemoryRequest("4000").mib, std::optional(4000.0));
    QVERIFY(!readMemoryRequest("?").mib);
}

QTEST_GUILESS_MAIN(SlurmWordsTest)
#include "slurm_words_test.moc"
