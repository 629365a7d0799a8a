#include "backend/control/state_recorder.h"

#include <QTest>
#include <algorithm>

using namespace yard;
using store::StateKind;

namespace {

domain::Node node(const char* name, const char* text)
{
    domain::Node node;
    node.name = name;
    node.stateText = text;
    return node;
}

control::TrackedJob job(uint64_t id, domain::JobState state)
{
    control::TrackedJob tracked;
    tracked.job.id = id;
    tracked.job.state = state;
    return tracked;
}

}  // namespace

class StateRecorderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theFirstLookTellsEverything();
    void onlyWhatChangedIsTold();
    void whatMovesWithEveryPollMakesNoVersion();
    void whatIsGoneIsToldWithoutABody();
    void aLookWithoutNewsIsToldNowAndThen();
    void afterAGapEverythingIsToldAgain();

private:
    std::optional<store::StatesSeen> look(int seconds)
    {
        m_clock.advance(std::chrono::seconds(seconds));
        return m_recorder->look(m_clock.now());
    }
    ManualClock m_clock{Time{std::chrono::seconds(1'790'000'000)}};
    std::unique_ptr<control::ClusterSnapshot> m_snapshot;
    std::unique_ptr<control::StateRecorder> m_recorder;
};

void StateRecorderTest::init()
{
    m_snapshot =
        std::make_unique<control::ClusterSnapshot>(m_clock, control::ClusterSnapshot::About{});
    m_recorder = std::make_unique<control::StateRecorder>(*m_snapshot);
    m_snapshot->setNodes({node("gpu1", "IDLE"), node("gpu2", "IDLE")});
    m_snapshot->putJob({7, 0}, job(7, domain::JobState::Pending));
    m_snapshot->putJob({8, 0}, job(8, domain::JobState::Running));
}

void StateRecorderTest::theFirstLookTellsEverything()
{
    const auto seen = look(0);
    QVERIFY(seen && seen->isAnew);
    const auto count = [&](StateKind kind) {
        return std::ranges::count(seen->versions, kind, &store::StateVersion::kind);
    };
    QCOMPARE(count(StateKind::Node), 2);
    QCOMPARE(count(StateKind::Job), 2);
    QCOMPARE(count(StateKind::Parts), 1);
}

void StateRecorderTest::onlyWhatChangedIsTold()
{
    look(0);
    m_snapshot->setNodes({node("gpu1", "IDLE"), node("gpu2", "IDLE+DRAIN")});
    m_snapshot->putJob({7, 0}, job(7, domain::JobState::Running));
    m_snapshot->putJob({9, 0}, job(9, domain::JobState::Pending));
    auto seen = look(2);
    QVERIFY(seen && !seen->isAnew);
    QCOMPARE(seen->versions.size(), size_t(3));
    QCOMPARE(store::unpackNode(*seen->versions[0].body)->stateText, std::string("IDLE+DRAIN"));
    QCOMPARE(store::unpackJob(*seen->versions[1].body)->job.id, uint64_t(7));
    QCOMPARE(store::unpackJob(*seen->versions[2].body)->job.id, uint64_t(9));

    // Two changes between two deliveries carry one revision.
    m_snapshot->putJob({9, 0}, job(9, domain::JobState::Running));
    seen = look(2);
    QVERIFY(seen.has_value());
    QCOMPARE(seen->versions.size(), size_t(1));
}

void StateRecorderTest::whatMovesWithEveryPollMakesNoVersion()
{
    look(0);
    domain::Node loaded = node("gpu1", "IDLE");
    loaded.cpuLoad = 3.5;
    loaded.memoryFreeMib = 100;
    m_snapshot->setNodes({loaded, node("gpu2", "IDLE")});
    control::TrackedJob waiting = job(7, domain::JobState::Pending);
    waiting.job.priority = 99;
    waiting.job.estimatedStart = m_clock.now();
    m_snapshot->putJob({7, 0}, waiting);
    QVERIFY(!look(2).has_value());
}

void StateRecorderTest::whatIsGoneIsToldWithoutABody()
{
    look(0);
    m_snapshot->setNodes({node("gpu2", "IDLE")});
    m_snapshot->removeJob({7, 0});
    auto seen = look(2);
    QVERIFY(seen.has_value());
    QCOMPARE(seen->versions.size(), size_t(2));
    QVERIFY(seen->versions[0].key == "gpu1" && !seen->versions[0].body);
    QVERIFY(seen->versions[1].kind == StateKind::Job && !seen->versions[1].body);
    m_snapshot->removeJob({8, 0});
    seen = look(2);
    QVERIFY(seen && seen->versions.size() == 1);
}

void StateRecorderTest::aLookWithoutNewsIsToldNowAndThen()
{
    look(0);
    QVERIFY(!look(5));
    QVERIFY(!look(5));
    const auto seen = look(5);
    QVERIFY(seen && seen->versions.empty() && !seen->isAnew);
    QVERIFY(!look(5));
}

void StateRecorderTest::afterAGapEverythingIsToldAgain()
{
    look(0);
    const auto seen = look(121);
    QVERIFY(seen && seen->isAnew);
    QCOMPARE(seen->versions.size(), size_t(5));
    m_recorder->beginAnew();
    QVERIFY(look(1)->isAnew);
}

QTEST_GUILESS_MAIN(StateRecorderTest)
#include "state_recorder_test.moc"
