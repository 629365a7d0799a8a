#include "backend/control/cluster_snapshot.h"

#include <rapidcheck.h>

#include <QTest>
#include <cmath>
#include <cstring>
#include <map>

#include "backend/control/change_hub.h"
#include "backend/control/trend_recorder.h"

using namespace yard;
using control::ClusterDelta;
using control::ClusterSnapshot;
using domain::GpuMetric;

namespace {

const Time kNow = Time(std::chrono::seconds(1'790'000'000));

std::vector<domain::Node> nodes(const std::vector<int>& gpus)
{
    std::vector<domain::Node> list;
    for (size_t i = 0; i < gpus.size(); ++i) {
        domain::Node node;
        node.name = "n" + std::to_string(i);
        node.gpusTotal = gpus[i];
        list.push_back(node);
    }
    return list;
}

domain::HostReadings reading(const std::string& host, int index, const std::string& uuid,
                             float power)
{
    domain::HostReadings readings{.host = host, .at = kNow, .gpus = {}};
    domain::GpuReading gpu{.index = index, .uuid = uuid, .pci = {}, .model = {}};
    gpu[GpuMetric::Power] = power;
    readings.gpus.push_back(gpu);
    return readings;
}

float power(const ClusterSnapshot& snapshot, size_t cell)
{
    return snapshot.readings().gpus().at(size_t(GpuMetric::Power), cell);
}

// What a reader of the stream holds: the plainest implementation of the rules of the wire.
struct Reader {
    uint64_t revision = 0;
    std::vector<domain::Node> nodes;
    std::map<control::JobKey, control::TrackedJob> jobs;
    std::map<std::string, domain::TargetHealth> targets;
    std::map<uint64_t, domain::Operation> operations;
    std::map<uint32_t, std::vector<float>> gpus;
    std::map<uint32_t, std::vector<float>> nodeValues;
    std::map<uint32_t, std::vector<std::string>> uuids;
    std::vector<float> ages;
    std::vector<control::TrendPoint> trend;
    size_t faults = 0;
    std::string partition;

    static void take(std::map<uint32_t, std::vector<float>>& held,
                     const std::vector<control::Column>& columns)
    {
        for (const control::Column& column : columns) {
            if (column.index.empty())
                held[column.metric] = column.values;
            for (size_t i = 0; i < column.index.size(); ++i)
                held[column.metric].at(column.index[i]) = column.values[i];
        }
    }

    void apply(const ClusterDelta& delta)
    {
        if (delta.isFull())
            *this = Reader{};
        RC_ASSERT(delta.baseRevision == revision);
        revision = delta.revision;
        if (delta.isFull())
            nodes = delta.nodes;
        else
            for (size_t i = 0; i < delta.nodes.size(); ++i)
                nodes.at(delta.nodeIndex[i]) = delta.nodes[i];
        for (const control::JobKey& key : delta.removedJobs)
            jobs.erase(key);
        for (const control::TrackedJob& job : delta.jobs)
            jobs[keyOf(job)] = job;
        for (const std::string& target : delta.removedTargets)
            targets.erase(target);
        for (const domain::TargetHealth& target : delta.targets)
            targets[target.target] = target;
        for (const domain::Operation& operation : delta.operations)
            operations[operation.id] = operation;
        take(gpus, delta.gpuColumns);
        take(nodeValues, delta.nodeColumns);
        for (const control::GpuIdentity& identity : delta.gpuIdentities)
            uuids[identity.nodeIndex].assign(identity.uuid.begin(), identity.uuid.end());
        ages = delta.readingAgeSeconds;
        trend.insert(trend.end(), delta.trend.begin(), delta.trend.end());
        if (delta.hasFaults)
            faults = delta.faults.size();
        if (delta.hasClusterParts)
            partition = delta.partitions.empty() ? "" : delta.partitions[0].name;
    }

    static control::JobKey keyOf(const control::TrackedJob& job) { return {job.job.id, 0}; }
    static bool same(const std::map<uint32_t, std::vector<float>>& a,
                     const std::map<uint32_t, std::vector<float>>& b)
    {
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(), [](const auto& x, const auto& y) {
                   return x.first == y.first && x.second.size() == y.second.size() &&
                          (x.second.empty() || std::memcmp(x.second.data(), y.second.data(),
                                                           x.second.size() * sizeof(float)) == 0);
               });
    }
    bool operator==(const Reader& other) const
    {
        return revision == other.revision && nodes == other.nodes && jobs == other.jobs &&
               targets == other.targets && operations == other.operations &&
               same(gpus, other.gpus) && same(nodeValues, other.nodeValues) &&
               uuids == other.uuids && ages == other.ages && trend == other.trend &&
               faults == other.faults && partition == other.partition;
    }
};

void changeSomething(ClusterSnapshot& snapshot, std::vector<domain::Node>& nodesNow)
{
    const int what = *rc::gen::inRange(0, 12);
    const auto small = *rc::gen::inRange<uint64_t>(0, 5);
    const std::string host = "n" + std::to_string(small);
    switch (what) {
        case 0: {
            auto counts = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4));
            counts.resize(std::min<size_t>(counts.size(), 5));
            nodesNow = nodes(counts);
            snapshot.setNodes(nodesNow);
            break;
        }
        case 1:
        case 2:
            if (small < nodesNow.size())
                nodesNow[small].reason += "x";
            snapshot.setNodes(nodesNow);
            break;
        case 3: {
            control::TrackedJob job;
            job.job.id = small;
            job.job.restarts = *rc::gen::inRange(0, 3);
            snapshot.putJob({small, 0}, job);
            break;
        }
        case 4:
            snapshot.removeJob({small, 0});
            break;
        case 5:
            snapshot.putTarget({.target = host,
                                .kind = {},
                                .host = {},
                                .lastSuccess = {},
                                .error = std::to_string(*rc::gen::inRange(0, 3)),
                                .firstBadLine = {}});
            break;
        case 6:
            snapshot.removeTarget(host);
            break;
        case 7: {
            domain::Operation operation;
            operation.id = small;
            operation.message = std::to_string(*rc::gen::inRange(0, 3));
            snapshot.putOperation(operation);
            break;
        }
        case 8:
            snapshot.addTrend({.at = kNow, .gpusInUse = float(small)});
            break;
        case 9:
            snapshot.setParts({{.name = host, .state = {}, .maxTime = {}, .nodes = {}}}, {}, {});
            break;
        default: {
            auto readings = reading(host, int(small) % 3, "GPU-" + std::to_string(small % 3),
                                    float(*rc::gen::inRange(0, 3)));
            readings.node[0] = float(*rc::gen::inRange(0, 3));
            if (*rc::gen::inRange(0, 4) == 0)
                readings.gpus.clear();
            snapshot.applyReadings("s", readings);
            break;
        }
    }
}

}  // namespace

class ClusterSnapshotTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readerThatMissesDeliveriesEndsWithTheSameState();
    void gpuKeepsItsCellOverARebootWithOtherNumbers();
    void gpuMovesWithItsNodeWhenNodesAreAdded();
    void missingReadingIsNaNAndOnlyItsSourceTakesItAway();
    void exchangedGpuTakesTheFreePlace();
    void unknownHostChangesNothing();
    void fewChangesAreSentByPosition();
    void forgottenTombstonesMakeAFullUpdate();
    void failedScrapeLeavesValuesAndAgesThem();
    void hubPacesEachReaderAndMergesWhatItMissed();
    void trendDoesNotInventFigures();
    void marksAreReadStrictly();

private:
    ManualClock m_clock{kNow};
};

void ClusterSnapshotTest::readerThatMissesDeliveriesEndsWithTheSameState()
{
    const bool ok = rc::check("deltas in any pattern give the full state", [this] {
        ClusterSnapshot snapshot(m_clock, {});
        std::vector<domain::Node> nodesNow = nodes({2, 3, 1});
        snapshot.setNodes(nodesNow);
        std::vector<Reader> readers(3);
        const int steps = *rc::gen::inRange(0, 60);
        for (int step = 0; step < steps; ++step) {
            changeSomething(snapshot, nodesNow);
            Reader& reader = readers[size_t(*rc::gen::inRange(0, 6)) % 6 % 3];
            if (*rc::gen::arbitrary<bool>() && reader.revision != snapshot.revision())
                reader.apply(*snapshot.since(reader.revision, {}));
        }
        for (Reader& reader : readers) {
            if (reader.revision != snapshot.revision())
                reader.apply(*snapshot.since(reader.revision, {}));
            Reader fresh;
            fresh.apply(*snapshot.since(0, {}));
            RC_ASSERT(reader == fresh);
        }
    });
    QVERIFY(ok);
}

void ClusterSnapshotTest::gpuKeepsItsCellOverARebootWithOtherNumbers()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({2}));
    auto both = reading("n0", 0, "GPU-a", 100);
    both.gpus.push_back(reading("n0", 1, "GPU-b", 200).gpus[0]);
    QVERIFY(snapshot.applyReadings("dcgm", both));
    both.gpus[0].index = 1;
    both.gpus[1].index = 0;
    both.gpus[0][GpuMetric::Power] = 111;
    QVERIFY(snapshot.applyReadings("dcgm", both));
    QCOMPARE(power(snapshot, 0), 111.0F);
    QCOMPARE(power(snapshot, 1), 200.0F);
}

void ClusterSnapshotTest::gpuMovesWithItsNodeWhenNodesAreAdded()
{
    ClusterSnapshot snapshot(m_clock, {});
    auto list = nodes({1, 1});
    snapshot.setNodes({list[1]});
    snapshot.applyReadings("dcgm", reading("n1", 0, "GPU-a", 50));
    snapshot.setNodes(list);
    QVERIFY(std::isnan(power(snapshot, 0)));
    QCOMPARE(power(snapshot, 1), 50.0F);
    QCOMPARE(snapshot.since(0, {})->gpuIdentities[1].uuid[0].str(), std::string("GPU-a"));
}

void ClusterSnapshotTest::missingReadingIsNaNAndOnlyItsSourceTakesItAway()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({1}));
    QVERIFY(std::isnan(power(snapshot, 0)));
    snapshot.applyReadings("dcgm", reading("n0", 0, "GPU-a", 50));
    snapshot.applyReadings("other", reading("n0", 0, "GPU-a", domain::kNoReading));
    QCOMPARE(power(snapshot, 0), 50.0F);
    snapshot.applyReadings("dcgm", reading("n0", 0, "GPU-a", domain::kNoReading));
    QVERIFY(std::isnan(power(snapshot, 0)));
    snapshot.applyReadings("dcgm", reading("n0", 0, "GPU-a", 60));
    auto none = reading("n0", 0, "", 0);
    none.gpus.clear();
    snapshot.applyReadings("dcgm", none);
    QVERIFY(std::isnan(power(snapshot, 0)));
}

void ClusterSnapshotTest::exchangedGpuTakesTheFreePlace()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({2}));
    auto both = reading("n0", 0, "GPU-a", 1);
    both.gpus.push_back(reading("n0", 1, "GPU-b", 2).gpus[0]);
    snapshot.applyReadings("dcgm", both);
    both.gpus[1].uuid = "GPU-c";
    both.gpus[1].index = 0;
    both.gpus[0].index = 1;
    snapshot.applyReadings("dcgm", both);
    QCOMPARE(power(snapshot, 0), 1.0F);
    QCOMPARE(power(snapshot, 1), 2.0F);
    both.gpus.push_back(reading("n0", 2, "GPU-d", 3).gpus[0]);
    snapshot.applyReadings("dcgm", both);
    QCOMPARE(snapshot.readings().misplaced(), uint64_t(1));
}

void ClusterSnapshotTest::unknownHostChangesNothing()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({1}));
    QVERIFY(!snapshot.applyReadings("dcgm", reading("elsewhere", 0, "GPU-a", 1)));
    QVERIFY(std::isnan(power(snapshot, 0)));
}

void ClusterSnapshotTest::fewChangesAreSentByPosition()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({1, 1, 1, 1}));
    const uint64_t seen = snapshot.since(0, {})->revision;
    snapshot.applyReadings("dcgm", reading("n2", 0, "GPU-a", 7));
    const auto few = snapshot.since(seen, {.gpuMetrics = {GpuMetric::Power}});
    QCOMPARE(few->gpuColumns.size(), size_t(1));
    QCOMPARE(few->gpuColumns[0].index, (std::vector<uint32_t>{2}));
    QCOMPARE(few->gpuColumns[0].values, (std::vector<float>{7}));
    snapshot.applyReadings("dcgm", reading("n1", 0, "GPU-b", 7));
    const auto many = snapshot.since(seen, {});
    QCOMPARE(many->gpuColumns[0].values.size(), size_t(4));
    QVERIFY(many->gpuColumns[0].index.empty());
    QVERIFY(snapshot.since(seen, {.gpuMetrics = {}, .withReadings = false})->gpuColumns.empty());
}

void ClusterSnapshotTest::forgottenTombstonesMakeAFullUpdate()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({1}));
    snapshot.putJob({1, 0}, {});
    const uint64_t seen = snapshot.since(0, {})->revision;
    for (uint64_t id = 2; id < 10'010; ++id) {
        snapshot.putJob({id, 0}, {});
        snapshot.removeJob({id, 0});
    }
    QVERIFY(snapshot.since(seen, {})->isFull());
}

void ClusterSnapshotTest::failedScrapeLeavesValuesAndAgesThem()
{
    ClusterSnapshot snapshot(m_clock, {});
    snapshot.setNodes(nodes({1, 1}));
    auto ahead = reading("n0", 0, "GPU-a", 5);
    ahead.at = m_clock.now() + std::chrono::hours(1);
    snapshot.applyReadings("dcgm", ahead);
    m_clock.advance(std::chrono::seconds(30));
    domain::TargetHealth down;
    down.target = "dcgm";
    down.error = "The target does not answer.";
    snapshot.putTarget(down);
    const auto delta = snapshot.since(0, {});
    QCOMPARE(delta->readingAgeSeconds, (std::vector<float>{30, -1}));
    QCOMPARE(delta->gpuColumns[size_t(GpuMetric::Power)].values[0], 5.0F);
}

void ClusterSnapshotTest::hubPacesEachReaderAndMergesWhatItMissed()
{
    TaskLoop core;
    ClusterSnapshot snapshot(m_clock, {});
    control::ChangeHub hub(core, snapshot);
    std::atomic<int> deliveries = 0;
    std::shared_ptr<const ClusterDelta> last;
    const auto change = [&](int count) {
        std::atomic<bool> done = false;
        QVERIFY(core.post([&, count] {
            for (int i = 0; i < count; ++i) {
                snapshot.addTrend({.at = kNow, .gpusInUse = float(i)});
                hub.announce();
            }
            done = true;
        }));
        QTRY_VERIFY(done);
    };
    change(1);
    const auto id = hub.subscribe({}, [&](auto delta) {
        last = delta;
        ++deliveries;
    });
    QCOMPARE(hub.clients(), size_t(1));
    hub.next(id);
    QTRY_COMPARE(deliveries.load(), 1);
    change(5);
    QCOMPARE(deliveries.load(), 1);
    hub.next(id);
    QTRY_COMPARE(deliveries.load(), 2);
    QVERIFY(!last->isFull());
    QCOMPARE(last->trend.size(), size_t(5));
    hub.next(id);
    hub.unsubscribe(id);
    change(1);
    QCOMPARE(deliveries.load(), 2);
    QCOMPARE(hub.clients(), size_t(0));
}

void ClusterSnapshotTest::trendDoesNotInventFigures()
{
    ClusterSnapshot snapshot(m_clock, {});
    control::TrendRecorder recorder(snapshot);
    QVERIFY(!recorder.tick(m_clock.now()));
    auto list = nodes({2, 2, 2, 2});
    list[0].state = domain::NodeState::Allocated;
    list[0].gpusAllocated = 2;
    list[1].state = domain::NodeState::Down;
    list[2].state = domain::NodeState::Mixed;
    list[2].flags = {"DRAIN"};
    list[3].state = domain::NodeState::Idle;
    list[3].flags = {"DRAIN"};
    snapshot.setNodes(list);
    const control::TrendPoint blind = control::measure(snapshot, m_clock.now());
    QCOMPARE(blind.smActivityMedian, -1.0F);
    QCOMPARE(blind.powerKw, -1.0F);
    QCOMPARE(blind.gpusInUse, 2.0F);
    QCOMPARE(blind.nodesOut, 2.0F);  // the one that is down and the one that has drained
    snapshot.applyReadings("dcgm", reading("n0", 0, "GPU-a", 500));
    QCOMPARE(control::measure(snapshot, m_clock.now()).powerKw, 0.5F);
    QVERIFY(recorder.tick(m_clock.now()));
    QVERIFY(!recorder.tick(m_clock.now() + std::chrono::seconds(59)));
    QVERIFY(recorder.tick(m_clock.now() + std::chrono::seconds(60)));
    QCOMPARE(snapshot.since(0, {})->trend.size(), size_t(2));
}

void ClusterSnapshotTest::marksAreReadStrictly()
{
    QCOMPARE(control::markedOperation("yard:17 bad link"), uint64_t(17));
    QCOMPARE(control::markedOperation("yard:17"), uint64_t(17));
    QCOMPARE(control::markedOperation("yard:17.2"), uint64_t(17));
    QCOMPARE(control::markedOperation("yard:17x"), uint64_t(0));
    QCOMPARE(control::markedOperation("my yard:17 x"), uint64_t(0));
    QCOMPARE(control::markedOperation("yard:99999999999999999999 x"), uint64_t(0));
}

QTEST_GUILESS_MAIN(ClusterSnapshotTest)
#include "cluster_snapshot_test.moc"
