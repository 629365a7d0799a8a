#include <QTemporaryDir>
#include <QTest>
#include <future>
#include <map>
#include <random>

#include "backend/store/journal.h"

using namespace yard;
using store::Journal;
using store::Moment;
using store::StateKind;
using store::StatesSeen;

namespace {

Time at(int64_t seconds)
{
    return Time(std::chrono::seconds(1'790'000'000 + seconds));
}

std::string node(const std::string& name, const std::string& text, const std::string& reason = {})
{
    domain::Node node;
    node.name = name;
    node.stateText = text;
    node.reason = reason;
    node.gpusTotal = 8;
    return store::packBody(node);
}

std::string job(uint64_t id, domain::JobState state, std::vector<std::string> nodes = {})
{
    store::KeptJob kept;
    kept.job.id = id;
    kept.job.displayId = std::to_string(id);
    kept.job.state = state;
    for (const std::string& name : nodes)
        kept.job.gpuIndices[name] = {2, 3};
    kept.job.nodes = std::move(nodes);
    return store::packBody(kept);
}

template <typename T, typename Call>
StatusOr<T> wait(Call call)
{
    std::promise<StatusOr<T>> promise;
    call([&](StatusOr<T> found) { promise.set_value(std::move(found)); });
    return promise.get_future().get();
}

}  // namespace

class JournalMomentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyMomentShowsWhatWasInForce();
    void whileNobodyLookedNothingIsKnown();
    void whatIsGoneIsNotThere();
    void gpusInUseFollowFromTheJobs();
    void randomHistoriesAreReadBack();
    void anOperationStandsAsItStoodThen();
    void theTimelineCounts();
    void bodiesComeBackAsTheyWere();
    void aCutBodyIsRefused();

private:
    void see(Time when, StatesSeen seen)
    {
        store::JournalEntry entry{.at = when};
        entry.states = std::move(seen);
        write(std::move(entry));
    }
    void write(store::JournalEntry entry)
    {
        std::promise<Status> done;
        m_journal->write(std::move(entry), [&](const Status& status) { done.set_value(status); });
        const Status status = done.get_future().get();
        QVERIFY2(status.ok(), std::string(status.message()).c_str());
    }
    Moment moment(Time when)
    {
        return wait<Moment>([&](auto answer) { m_journal->moment(when, answer); }).value();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Journal> m_journal;
};

void JournalMomentTest::init()
{
    m_journal.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_journal = std::move(
        Journal::open(m_folder->filePath(QStringLiteral("journal.db")).toStdString()).value());
}

void JournalMomentTest::everyMomentShowsWhatWasInForce()
{
    see(at(0), {true,
                {{StateKind::Node, "gpu2", node("gpu2", "IDLE")},
                 {StateKind::Node, "gpu10", node("gpu10", "IDLE")},
                 {StateKind::Job, "7 0", job(7, domain::JobState::Pending)}}});
    see(at(100), {false,
                  {{StateKind::Node, "gpu2", node("gpu2", "IDLE+DRAIN", "yard:1 bad link")},
                   {StateKind::Job, "7 0", job(7, domain::JobState::Running, {"gpu10"})}}});
    see(at(200), {false, {{StateKind::Node, "gpu2", node("gpu2", "IDLE")}}});

    Moment found = moment(at(99));
    QVERIFY(found.known && found.known->from == at(0));
    QCOMPARE(found.nodes.size(), size_t(2));
    QCOMPARE(found.nodes[0].name, std::string("gpu2"));  // natural order
    QCOMPARE(found.nodes[0].stateText, std::string("IDLE"));
    QVERIFY(found.jobs.at(0).job.state == domain::JobState::Pending);

    found = moment(at(100));
    QCOMPARE(found.nodes[0].stateText, std::string("IDLE+DRAIN"));
    QCOMPARE(found.nodes[0].reason, std::string("yard:1 bad link"));
    QVERIFY(found.jobs.at(0).job.state == domain::JobState::Running);
    QCOMPARE(moment(at(199)).nodes[0].stateText, std::string("IDLE+DRAIN"));
    QCOMPARE(moment(at(200)).nodes[0].stateText, std::string("IDLE"));
    // The last look holds until the next one is due.
    QVERIFY(moment(at(229)).known.has_value());
    QVERIFY(!moment(at(300)).known.has_value());
}

void JournalMomentTest::whileNobodyLookedNothingIsKnown()
{
    see(at(0), {true, {{StateKind::Node, "gpu1", node("gpu1", "IDLE")}}});
    see(at(15), {false, {}});
    see(at(1000), {true, {{StateKind::Node, "gpu1", node("gpu1", "DOWN")}}});

    QVERIFY(!moment(at(-1)).known && !moment(at(-1)).lastBefore);
    QCOMPARE(moment(at(15)).nodes.size(), size_t(1));
    const Moment off = moment(at(20));
    QVERIFY(!off.known);
    QVERIFY(off.nodes.empty());
    QVERIFY((off.lastBefore == store::KnownSpan{at(0), at(15)}));
    QCOMPARE(moment(at(1000)).nodes.at(0).stateText, std::string("DOWN"));
}

void JournalMomentTest::whatIsGoneIsNotThere()
{
    see(at(0), {true,
                {{StateKind::Node, "gpu1", node("gpu1", "IDLE")},
                 {StateKind::Job, "7 0", job(7, domain::JobState::Completed)}}});
    see(at(10), {false, {{StateKind::Job, "7 0", std::nullopt}}});
    // An id that is used again.
    see(at(20), {false, {{StateKind::Job, "7 5", job(7, domain::JobState::Pending)}}});
    QCOMPARE(moment(at(9)).jobs.size(), size_t(1));
    QCOMPARE(moment(at(10)).jobs.size(), size_t(0));
    QCOMPARE(moment(at(20)).jobs.size(), size_t(1));
}

void JournalMomentTest::gpusInUseFollowFromTheJobs()
{
    see(at(0), {true,
                {{StateKind::Node, "gpu1", node("gpu1", "MIXED")},
                 {StateKind::Job, "7 0", job(7, domain::JobState::Running, {"gpu1"})},
                 {StateKind::Job, "8 0", job(8, domain::JobState::Completed, {"gpu1"})}}});
    const Moment found = moment(at(0));
    QVERIFY((found.nodes.at(0).gpuIndicesInUse == std::vector<int>{2, 3}));
    QCOMPARE(found.nodes.at(0).gpusAllocated, 2);
}

// Against a plain list of all that was ever said.
void JournalMomentTest::randomHistoriesAreReadBack()
{
    const auto seed = std::random_device{}();
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    std::map<std::string, std::map<int64_t, std::string>> said;  // name, second: state
    int64_t second = 0;
    see(at(0), {true, {}});
    for (int i = 0; i < 400; ++i) {
        second += int64_t(random() % (i % 7 == 0 ? 5000 : 20));
        StatesSeen seen;
        for (uint32_t changes = random() % 3; changes > 0; --changes) {
            const std::string name = "gpu" + std::to_string(random() % 12);
            const bool gone = random() % 5 == 0;
            const std::string state = gone ? "" : "S" + std::to_string(i);
            said[name][second] = state;
            seen.versions.push_back(
                {StateKind::Node, name, gone ? std::nullopt : std::optional(node(name, state))});
        }
        see(at(second), seen);
    }
    for (int i = 0; i < 300; ++i) {
        const int64_t when = int64_t(random() % uint32_t(second + 1));
        std::map<std::string, std::string> want;
        for (const auto& [name, history] : said)
            if (auto later = history.upper_bound(when); later != history.begin())
                if (const std::string& state = std::prev(later)->second; !state.empty())
                    want[name] = state;
        std::map<std::string, std::string> got;
        for (const domain::Node& node : moment(at(when)).nodes)
            QVERIFY(got.emplace(node.name, node.stateText).second);
        QVERIFY2(got == want, qPrintable(QStringLiteral("at %1").arg(when)));
    }
}

void JournalMomentTest::anOperationStandsAsItStoodThen()
{
    store::OperationRecord record;
    record.operation.id = 4;
    record.operation.requestedAt = at(10);
    record.operation.targets = {{.name = "gpu1", .before = "IDLE", .observed = {}}};
    record.evidence.resize(1);
    write({.at = at(10), .operations = {record}});
    record.operation.state = domain::OperationState::Observed;
    record.operation.sentAt = at(11);
    record.operation.finishedAt = at(20);
    record.operation.targets[0].state = domain::TargetState::Observed;
    write({.at = at(20), .operations = {record}});

    QVERIFY(moment(at(9)).operations.empty());
    const domain::Operation early = moment(at(15)).operations.at(0);
    QVERIFY(early.state == domain::OperationState::Requested);
    QVERIFY(!early.finishedAt);
    QVERIFY(early.targets[0].state == domain::TargetState::Requested);
    QVERIFY(moment(at(20)).operations.at(0).state == domain::OperationState::Observed);
}

void JournalMomentTest::theTimelineCounts()
{
    const auto timeline = [&](Time from, Time to, uint32_t buckets) {
        return wait<store::Timeline>(
                   [&](auto answer) { m_journal->timeline(from, to, buckets, answer); })
            .value();
    };
    QVERIFY(!timeline(at(0), at(100), 4).extent);
    see(at(0), {true, {}});
    see(at(100), {false, {}});
    domain::Fault fault;
    fault.at = at(30);
    write({.at = at(31), .faults = {fault, fault}});
    write({.at = at(99),
           .changes = {{at(99), "job", "7", "RUNNING", "FAILED", {}},
                       {at(99), "job", "8", "RUNNING", "COMPLETED", {}},
                       {at(99), "node", "gpu1", "IDLE", "FAILED", {}}}});
    const store::Timeline line = timeline(at(0), at(100), 4);
    QVERIFY((line.extent == store::KnownSpan{at(0), at(100)}));
    QCOMPARE(line.buckets.size(), size_t(4));
    QCOMPARE(line.buckets[1].faults, 2u);
    QCOMPARE(line.buckets[3].failedJobs, 1u);
    QCOMPARE(line.buckets[0], store::TimelineBucket{});
}

void JournalMomentTest::bodiesComeBackAsTheyWere()
{
    store::KeptJob kept;
    kept.job.id = 77;
    kept.job.displayId = "77_3";
    kept.job.array = domain::ArrayPlace{70, 3, "4-9%2", 6};
    kept.job.exit = domain::ExitStatus{1, std::nullopt};
    kept.job.state = domain::JobState::OutOfMemory;
    kept.job.stateFlags = {"COMPLETING"};
    kept.job.startTime = at(-5'000'000);
    kept.job.timeLimit = {.unlimited = true, .seconds = {}};
    kept.job.nodes = {"gpu001", "gpu002", "gpu004"};
    kept.job.gpuIndices = {{"gpu001", {0, 1}}, {"gpu002", {0, 1}}, {"gpu004", {7}}};
    kept.nextJob = "78";
    QVERIFY(*store::unpackJob(store::packBody(kept)) == kept);
    store::KeptParts parts;
    parts.cluster = "c";
    parts.partitions = {{"p", "UP", true, {.unlimited = false, .seconds = 60}, {"a1", "a2"}}};
    parts.switches = {{"s", 1, {"a1", "a2"}, {"s0"}}};
    QVERIFY(*store::unpackParts(store::packBody(parts)) == parts);
}

void JournalMomentTest::aCutBodyIsRefused()
{
    const std::string whole = job(7, domain::JobState::Running, {"gpu1", "gpu2"});
    int refused = 0;
    for (size_t size = 0; size < whole.size(); ++size)
        refused += store::unpackJob(std::string_view(whole).substr(0, size)).ok() ? 0 : 1;
    QVERIFY(refused > 0);  // a cut between fields is an older version
    QVERIFY(!store::unpackJob("\x0e\x7f"
                              "abc")
                 .ok());
}

QTEST_GUILESS_MAIN(JournalMomentTest)
#include "journal_moment_test.moc"
