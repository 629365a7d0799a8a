#include "backend/control/change_hub.h"

#include <QTest>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>

#include "backend/control/cluster_snapshot.h"

using namespace yard;
using namespace yard::control;

namespace {

using DeltaPtr = std::shared_ptr<const ClusterDelta>;

constexpr std::chrono::seconds kSoon{10};

domain::HostReadings reading(const std::string& host, const std::string& uuid)
{
    domain::HostReadings readings{.host = host, .at = {}, .gpus = {}};
    readings.gpus.push_back({.index = 0, .uuid = uuid, .pci = {}, .model = {}});
    readings.gpus[0][domain::GpuMetric::Power] = 100;
    return readings;
}

/// A reader of the stream that waits for each delivery.
class Reader {
public:
    Reader(ChangeHub& hub, Interest interest)
        : m_hub(hub)
        , m_id(hub.subscribe(std::move(interest), [this](DeltaPtr delta) {
            const std::lock_guard lock(m_mutex);
            m_deltas.push_back(std::move(delta));
            m_more.notify_all();
        }))
    {
    }
    ~Reader() { m_hub.unsubscribe(m_id); }

    void ask() { m_hub.next(m_id); }
    /// Null if nothing came.
    DeltaPtr wait()
    {
        std::unique_lock lock(m_mutex);
        if (!m_more.wait_for(lock, kSoon, [this] { return !m_deltas.empty(); }))
            return nullptr;
        DeltaPtr delta = m_deltas.front();
        m_deltas.pop_front();
        return delta;
    }
    DeltaPtr next()
    {
        ask();
        return wait();
    }
    bool hasMore()
    {
        const std::lock_guard lock(m_mutex);
        return !m_deltas.empty();
    }

private:
    ChangeHub& m_hub;
    std::mutex m_mutex;
    std::condition_variable m_more;
    std::deque<DeltaPtr> m_deltas;
    ChangeHub::SubscriptionId m_id;
};

}  // namespace

class ChangeHubTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void identitiesComeBehindTheFullUpdate();
    void aNewShapeOfTheClusterOwesThemAgain();
    void whoWantsNoReadingsGetsNoIdentities();

private:
    /// On the core loop, and waited for.
    void change(const std::function<void()>& step);
    void setNodes(int count);

    ManualClock m_clock{Time(std::chrono::seconds(1'790'000'000))};
    std::unique_ptr<ClusterSnapshot> m_snapshot;
    std::unique_ptr<TaskLoop> m_core;
    std::unique_ptr<ChangeHub> m_hub;
};

void ChangeHubTest::init()
{
    m_snapshot = std::make_unique<ClusterSnapshot>(m_clock, ClusterSnapshot::About{});
    m_core = std::make_unique<TaskLoop>();
    m_hub = std::make_unique<ChangeHub>(*m_core, *m_snapshot);
    setNodes(3);
    change([this] {
        for (int i = 0; i < 3; ++i)
            m_snapshot->applyReadings("s",
                                      reading("n" + std::to_string(i), "GPU-" + std::to_string(i)));
    });
}

void ChangeHubTest::cleanup()
{
    m_core.reset();
    m_hub.reset();
}

void ChangeHubTest::change(const std::function<void()>& step)
{
    std::promise<void> done;
    QVERIFY(m_core->post([&] {
        step();
        m_hub->announce();
        done.set_value();
    }));
    done.get_future().wait();
}

void ChangeHubTest::setNodes(int count)
{
    std::vector<domain::Node> nodes(static_cast<size_t>(count));
    for (size_t i = 0; i < nodes.size(); ++i) {
        nodes[i].name = "n" + std::to_string(i);
        nodes[i].gpusTotal = 1;
    }
    change([&] { m_snapshot->setNodes(std::move(nodes)); });
}

void ChangeHubTest::identitiesComeBehindTheFullUpdate()
{
    Reader reader(*m_hub, {});
    const DeltaPtr full = reader.next();
    QVERIFY(full && full->isFull());
    QCOMPARE(full->nodes.size(), size_t(3));
    QVERIFY(!full->gpuColumns.empty());
    QVERIFY(full->gpuIdentities.empty());

    // At once: nothing has to change for it.
    const DeltaPtr behind = reader.next();
    QVERIFY(behind);
    QCOMPARE(behind->baseRevision, full->revision);
    QCOMPARE(behind->gpuIdentities.size(), size_t(3));
    QCOMPARE(behind->gpuIdentities[2].uuid[0].str(), std::string("GPU-2"));

    reader.ask();
    change([this] { m_snapshot->applyReadings("s", reading("n1", "GPU-new")); });
    const DeltaPtr changed = reader.wait();
    QVERIFY(changed);
    QCOMPARE(changed->gpuIdentities.size(), size_t(1));
    QCOMPARE(changed->gpuIdentities[0].nodeIndex, 1u);
}

void ChangeHubTest::aNewShapeOfTheClusterOwesThemAgain()
{
    Reader reader(*m_hub, {});
    QVERIFY(reader.next() && reader.next());
    setNodes(2);
    const DeltaPtr full = reader.next();
    QVERIFY(full && full->isFull());
    QVERIFY(full->gpuIdentities.empty());
    const DeltaPtr behind = reader.next();
    QVERIFY(behind);
    QCOMPARE(behind->gpuIdentities.size(), size_t(2));
}

void ChangeHubTest::whoWantsNoReadingsGetsNoIdentities()
{
    Reader reader(*m_hub, {.gpuMetrics = {}, .withReadings = false});
    QVERIFY(reader.next());
    reader.ask();
    change([] {});
    QVERIFY(!reader.hasMore());
    change([this] { m_snapshot->applyReadings("s", reading("n1", "GPU-new")); });
    const DeltaPtr changed = reader.wait();
    QVERIFY(changed);
    QVERIFY(changed->gpuIdentities.empty());
}

QTEST_GUILESS_MAIN(ChangeHubTest)
#include "change_hub_test.moc"
