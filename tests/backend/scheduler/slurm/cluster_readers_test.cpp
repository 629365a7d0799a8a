#include "backend/scheduler/slurm/cluster_readers.h"

#include <QFile>
#include <QTest>

#include "backend/scheduler/slurm/node_reader.h"
#include "backend/scheduler/slurm/slurm_errors.h"
#include "backend/scheduler/slurm/slurm_settings.h"

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

const TextMarks kMarks{
    "\x1e"
    "00000000",
    "\x1f"
    "00000000"};

SchedulerView recordedView()
{
    SchedulerView view;
    const auto reasons = readReasons(fixture("reasons.txt"), kMarks, view.notes);
    view.nodes = readNodes(fixture("nodes.txt"), reasons, view.notes);
    view.partitions = readPartitions(fixture("partitions.txt"), view.notes);
    view.reservations = readReservations(fixture("reservations.txt"), view.notes);
    view.switches = readSwitches(fixture("topology.txt"), view.notes);
    return view;
}

}  // namespace

/// Nodes, partitions, reservations, switches and settings, on recordings of a real 22.05.
class ClusterReadersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nodesAreReadWhole();
    void aReasonOfSeveralLinesForgesNoNode();
    void aReasonOutsideOfPartitionsComesFromScontrol();
    void nodesAreInNaturalOrder();
    void aBadNodeRecordCostsThatRecord();
    void unknownIsNotZero();
    void partitionsKnowTheirNodes();
    void nodesKnowTheirSwitchAndActiveReservation();
    void nothingReservedIsNoReservation();
    void settingsOfARealSlurm();
    void requeueDelayComesFromAuthInfo();
    void refusalsHaveTheirCode_data();
    void refusalsHaveTheirCode();
};

void ClusterReadersTest::nodesAreReadWhole()
{
    const SchedulerView view = recordedView();
    QVERIFY2(view.notes.badRecords == 0, view.notes.firstBad.c_str());
    QCOMPARE(view.nodes.size(), size_t(4));
    const Node& node = view.nodes[0];
    QCOMPARE(node.name, std::string("node001"));
    QCOMPARE(node.state, NodeState::Allocated);
    QCOMPARE(node.gpusTotal, 8);
    QCOMPARE(node.gpuType, std::string("h100"));
    QCOMPARE(size_t(node.gpusAllocated), node.gpuIndicesInUse.size());
    QCOMPARE(node.cpusTotal, std::optional<int>(64));
    QCOMPARE(node.memoryTotalMib, std::optional<int64_t>(1'000'000));
    QCOMPARE(node.version, std::string("22.05.8"));
    QVERIFY(node.cpuLoad && *node.cpuLoad >= 0);
    QVERIFY(node.bootTime.has_value());
    QVERIFY(node.reason.empty() && !node.reasonTime);
}

void ClusterReadersTest::aReasonOfSeveralLinesForgesNoNode()
{
    const SchedulerView view = recordedView();
    QCOMPARE(view.nodes[1].reason, std::string("bad fan\nNodeName=node001 State=DOWN [root@5]"));
    QCOMPARE(view.nodes[1].reasonUser, std::string("root"));
    QVERIFY(view.nodes[1].reasonTime.has_value());
    QCOMPARE(categoryOf(view.nodes[1]), NodeCategory::Draining);
    QCOMPARE(view.nodes[0].state, NodeState::Allocated);
}

void ClusterReadersTest::aReasonOutsideOfPartitionsComesFromScontrol()
{
    ReadNotes notes;
    const auto nodes = readNodes(
        "NodeName=n1 CPUTot=4 State=DOWN*  Reason=no [cable] [root@1796034954] Comment=a b\n", {},
        notes);
    QCOMPARE(nodes.at(0).reason, std::string("no [cable]"));
    QCOMPARE(nodes[0].reasonUser, std::string("root"));
    QVERIFY(nodes[0].reasonTime.has_value());
    QCOMPARE(nodes[0].comment, std::string("a b"));
    QVERIFY(nodes[0].hasFlag("NOT_RESPONDING"));
}

void ClusterReadersTest::nodesAreInNaturalOrder()
{
    ReadNotes notes;
    const auto nodes =
        readNodes("NodeName=gpu10 State=IDLE\nNodeName=gpu2 State=IDLE\nNodeName=gpu1 State=IDLE\n",
                  {}, notes);
    QCOMPARE(nodes.at(1).name, std::string("gpu2"));
    QCOMPARE(nodes.at(2).name, std::string("gpu10"));
}

void ClusterReadersTest::aBadNodeRecordCostsThatRecord()
{
    ReadNotes notes;
    const auto nodes = readNodes(
        "NodeName=n1 State=IDLE\nNodeName=n2 Arch=x86\nNodeName=n1 State=DOWN\n", {}, notes);
    QCOMPARE(nodes.size(), size_t(1));
    QCOMPARE(nodes[0].state, NodeState::Idle);
    QCOMPARE(notes.badRecords, 2);
}

void ClusterReadersTest::unknownIsNotZero()
{
    ReadNotes notes;
    const auto nodes =
        readNodes("NodeName=n1 State=UNKNOWN* CPULoad=N/A FreeMem=N/A BootTime=None Gres=(null)\n",
                  {}, notes);
    QVERIFY(!nodes.at(0).cpuLoad && !nodes[0].memoryFreeMib && !nodes[0].cpusTotal);
    QVERIFY(!nodes[0].bootTime);
    QCOMPARE(nodes[0].gpusTotal, 0);
}

void ClusterReadersTest::partitionsKnowTheirNodes()
{
    const SchedulerView view = recordedView();
    QCOMPARE(view.partitions.size(), size_t(2));
    QCOMPARE(view.partitions[0].nodes.size(), size_t(4));
    QVERIFY(view.partitions[0].isDefault && view.partitions[0].maxTime.unlimited);
    QCOMPARE(view.partitions[1].state, std::string("UP"));

    ReadNotes notes;
    QVERIFY(readPartitions("PartitionName=p Nodes=n[1- State=UP\n", notes).empty());
    QCOMPARE(notes.badRecords, 1);
}

void ClusterReadersTest::nodesKnowTheirSwitchAndActiveReservation()
{
    SchedulerView view = recordedView();
    const Time start = *view.reservations.at(0).start;
    placeNodes(view, start + std::chrono::minutes(1));
    QCOMPARE(view.nodes[3].reservation, std::string("r1"));
    QCOMPARE(view.nodes[3].switchName, std::string("leaf1"));
    QVERIFY(view.nodes[2].reservation.empty());
    QCOMPARE(view.reservations[0].flags.at(0), std::string("MAINT"));

    SchedulerView later = recordedView();
    placeNodes(later, start + std::chrono::hours(24));
    QVERIFY(later.nodes[3].reservation.empty());
}

void ClusterReadersTest::nothingReservedIsNoReservation()
{
    ReadNotes notes;
    QVERIFY(readReservations("No reservations in the system\n", notes).empty());
    QCOMPARE(notes.badRecords, 0);
}

void ClusterReadersTest::settingsOfARealSlurm()
{
    const SlurmSettings settings = readSettings(fixture("config.txt"));
    QCOMPARE(settings.version, std::string("22.05.8"));
    QVERIFY(settings.cluster.starts_with("lab"));
    QCOMPARE(settings.slurmUser, std::string("root"));
    QCOMPARE(settings.slurmUid, std::optional<uint32_t>(0));
    QVERIFY(settings.hasAccounting);
    QVERIFY(!settings.hasTopology);
    QVERIFY(settings.stateSaveLocation.ends_with("/state"));
    QCOMPARE(settings.requeueDelaySeconds, 120);
}

void ClusterReadersTest::requeueDelayComesFromAuthInfo()
{
    QCOMPARE(readSettings("AuthInfo = socket=/run/m,cred_expire=300\n").requeueDelaySeconds, 300);
    QCOMPARE(readSettings("AuthInfo = (null)\n").requeueDelaySeconds, 120);
    QCOMPARE(readSettings("AuthInfo = cred_expire=soon\n").requeueDelaySeconds, 120);
}

void ClusterReadersTest::refusalsHaveTheirCode_data()
{
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("code");
    const auto row = [](const char* words, absl::StatusCode code) {
        QTest::newRow(words) << words << int(code);
    };
    row("Access/permission denied for job 1", absl::StatusCode::kPermissionDenied);
    row("slurm_update error: Invalid user id", absl::StatusCode::kPermissionDenied);
    row("slurm_update error: Invalid node name specified", absl::StatusCode::kInvalidArgument);
    row("slurm_update error: Invalid node state specified", absl::StatusCode::kFailedPrecondition);
    row("Job is pending execution for job 7", absl::StatusCode::kFailedPrecondition);
    row("Requested operation is presently disabled for job 7",
        absl::StatusCode::kFailedPrecondition);
    row("Invalid job id specified for job 999", absl::StatusCode::kInvalidArgument);
    row("Unable to contact slurm controller (connect failure)", absl::StatusCode::kUnavailable);
    row("Socket timed out on send/recv operation", absl::StatusCode::kDeadlineExceeded);
    row("words that no release has said before", absl::StatusCode::kFailedPrecondition);
}

void ClusterReadersTest::refusalsHaveTheirCode()
{
    QFETCH(QString, words);
    QFETCH(int, code);
    const Status status = refusalFrom(words.toStdString());
    QCOMPARE(int(status.code()), code);
    QCOMPARE(std::string(status.message()), words.toStdString());
}

QTEST_GUILESS_MAIN(ClusterReadersTest)
#include "cluster_readers_test.moc"
