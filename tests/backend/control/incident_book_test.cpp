#include "backend/control/incident_book.h"

#include <QTest>

using namespace yard;
using namespace yard::control;
using namespace std::chrono_literals;
using domain::Certainty;
using domain::FaultKind;
using domain::Incident;
using domain::IncidentState;
using domain::JobState;
using domain::Reason;

namespace {

const Time kStart{std::chrono::seconds(1'790'010'000)};

domain::Fault faultOf(int code, int node, int gpu, Time at)
{
    domain::Fault fault;
    fault.kind = FaultKind::Xid;
    fault.host = "n" + std::to_string(node);
    fault.pci = "0000:0" + std::to_string(gpu) + ":00";
    fault.gpuIndex = gpu;
    fault.code = code;
    fault.text = "from the kernel";
    fault.at = at;
    return fault;
}

domain::IncidentChange changeOf(uint64_t id, domain::IncidentChange::Kind kind,
                                std::string note = {}, std::string assignee = {})
{
    domain::IncidentChange change;
    change.id = id;
    change.kind = kind;
    change.note = std::move(note);
    change.assignee = std::move(assignee);
    return change;
}

/// A cluster of nodes n1 … behind one switch for every sixteen, and what happens on it.
class Scene {
public:
    explicit Scene(int count = 16)
        : clock(kStart)
        , snapshot(clock, {})
        , book(snapshot, clock)
    {
        std::vector<domain::Switch> switches((size_t(count) + 15) / 16);
        for (int i = 0; i < count; ++i) {
            domain::Switch& leaf = switches[size_t(i) / 16];
            leaf.name = "leaf" + std::to_string(i / 16);
            domain::Node& node = nodes.emplace_back();
            node.name = "n" + std::to_string(i + 1);
            node.state = domain::NodeState::Allocated;
            node.switchName = leaf.name;
            node.gpusTotal = 8;
            leaf.nodes.push_back(nodes.back().name);
        }
        snapshot.setNodes(nodes);
        snapshot.setParts({}, {}, switches);
    }

    domain::Job& run(uint64_t id, int firstNode, int lastNode)
    {
        domain::Job job;
        job.id = id;
        job.displayId = std::to_string(id);
        job.name = "train";
        job.user = "alice";
        job.state = JobState::Running;
        job.submitTime = clock.now();
        job.startTime = clock.now();
        for (int i = firstNode; i <= lastNode; ++i)
            job.nodes.push_back("n" + std::to_string(i));
        job.gpus = 8 * int(job.nodes.size());
        job.standardOutput = "/home/alice/out.log";
        jobs[id] = job;
        show(id);
        return jobs[id];
    }
    void show(uint64_t id)
    {
        TrackedJob tracked;
        tracked.job = jobs[id];
        snapshot.putJob({id, 0}, tracked);
        book.noteView();
    }
    void end(uint64_t id, JobState state, std::optional<domain::Verdict> verdict = {},
             std::string trouble = "no log")
    {
        domain::Job& job = jobs[id];
        job.state = state;
        job.endTime = clock.now();
        job.exit = domain::ExitStatus{state == JobState::Failed ? 1 : 0, {}};
        show(id);
        book.takeEnd({job, verdict, verdict ? std::string() : std::move(trouble)});
    }
    void xid(int code, int node, int gpu = 0)
    {
        book.takeFault(faultOf(code, node, gpu, clock.now()));
    }
    void lose(int node)
    {
        domain::Node& lost = nodes[size_t(node) - 1];
        lost.state = domain::NodeState::Down;
        lost.flags = {"NOT_RESPONDING"};
        lost.reason = "Not responding";
        lost.reasonTime = clock.now();
        snapshot.setNodes(nodes);
        book.takeNode(lost);
    }

    std::vector<Incident> open()
    {
        (void)book.takeChanged();
        std::vector<Incident> found;
        for (const Incident* incident : book.all())
            if (incident->state != IncidentState::Closed)
                found.push_back(*incident);
        return found;
    }

    ManualClock clock;
    ClusterSnapshot snapshot;
    IncidentBook book;
    std::vector<domain::Node> nodes;
    std::map<uint64_t, domain::Job> jobs;
};

domain::Verdict verdict(Reason reason, Certainty certainty = Certainty::Established)
{
    domain::Verdict found;
    found.reason = reason;
    found.certainty = certainty;
    found.rule = "test." + std::to_string(int(reason));
    found.cause = "The cause.";
    found.advice = "The advice.";
    found.evidence.push_back({12, "KeyError: 'text'", "", "the first line that shows it"});
    found.consequences.push_back({40, "ncclRemoteError", "", "NCCL Remote Error"});
    return found;
}

}  // namespace

class IncidentBookTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFailureIsOneIncidentWithAllWitnesses();
    void endsThatAreNoFailuresRaiseNothing_data();
    void endsThatAreNoFailuresRaiseNothing();
    void anUnreadableLogIsSaid();
    void theSchedulersOwnReasonCounts();
    void aStormAfterThreeCrashesIsThreeIncidents();
    void aCrashThatTouches77NodesIsOneIncident();
    void halfASwitchIsTheSwitch();
    void nodesLostTogetherAreOneIncident();
    void aStickyGaugeRaisesNothingTwice();
    void hardwareThatIsToldLaterExplainsTheFailure();
    void aProgramsOwnFaultRaisesNothingAlone();
    void aLostNodeHasTheRequeuedJob();
    void aNodeDeclaredLostMinutesLaterExplainsItsPeers();
    void aCancelOnTheNodeOfACrashIsNotOfTheCrash();
    void tasksOfAnArrayAreOneIncident();
    void aScriptErrorIsNotTheFaultOfTheNode();
    void whatWasKeptIsNotRaisedAgain();
    void peopleChangeIncidents();
};

void IncidentBookTest::aFailureIsOneIncidentWithAllWitnesses()
{
    Scene scene;
    scene.run(5, 1, 2);
    scene.clock.advance(1h);
    scene.end(5, JobState::Failed, verdict(Reason::KeyError));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    const Incident& incident = open.front();
    QCOMPARE(incident.reason, Reason::KeyError);
    QCOMPARE(incident.certainty, Certainty::Established);
    QCOMPARE(incident.severity, domain::Severity::Note);
    QCOMPARE(incident.why, std::string("The cause."));
    QCOMPARE(incident.happened, std::string("Job 5 (train, alice, 16 GPUs on n[1-2]) ended FAILED, "
                                            "exit code 1."));
    QCOMPARE(incident.jobs.size(), size_t(1));
    QCOMPARE(incident.evidence.size(), size_t(3));
    QCOMPARE(incident.evidence[0].witness, domain::Witness::Scheduler);
    QCOMPARE(incident.evidence[1].witness, domain::Witness::JobLog);
    QCOMPARE(incident.evidence[1].line, uint64_t(12));
    QCOMPARE(incident.evidence[1].source, std::string("/home/alice/out.log"));
    QVERIFY(!incident.evidence[1].follows);
    QVERIFY(incident.evidence[2].follows);
}

void IncidentBookTest::endsThatAreNoFailuresRaiseNothing_data()
{
    QTest::addColumn<JobState>("state");
    QTest::addColumn<Reason>("logged");
    QTest::addColumn<int>("incidents");
    QTest::newRow("a user's cancel") << JobState::Cancelled << Reason::RuntimeError << 0;
    QTest::newRow("a healthy end") << JobState::Completed << Reason::NcclRemoteError << 0;
    QTest::newRow("preempted") << JobState::Preempted << Reason::Cancelled << 0;
    QTest::newRow("time limit") << JobState::Timeout << Reason::Cancelled << 0;
    QTest::newRow("hung up to its time limit") << JobState::Timeout << Reason::Hang << 1;
    QTest::newRow("failed") << JobState::Failed << Reason::NoFailure << 1;
}

void IncidentBookTest::endsThatAreNoFailuresRaiseNothing()
{
    QFETCH(JobState, state);
    QFETCH(Reason, logged);
    QFETCH(int, incidents);
    Scene scene;
    scene.run(5, 1, 2);
    // Signs of the end of programs, on both nodes.
    scene.xid(45, 1);
    scene.xid(43, 2);
    scene.end(5, state, verdict(logged));
    QCOMPARE(int(scene.open().size()), incidents);
}

void IncidentBookTest::anUnreadableLogIsSaid()
{
    Scene scene;
    scene.run(5, 1, 1);
    scene.end(5, JobState::Failed, {}, "The job log /x cannot be read: No such file.");
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].reason, Reason::Unknown);
    QCOMPARE(open[0].certainty, Certainty::Unknown);
    QCOMPARE(open[0].evidence.back().text,
             std::string("The job log /x cannot be read: No such file."));
}

void IncidentBookTest::theSchedulersOwnReasonCounts()
{
    Scene scene;
    scene.run(5, 1, 1);
    scene.end(5, JobState::OutOfMemory, verdict(Reason::Unknown, Certainty::Unknown));
    scene.run(6, 2, 2);
    scene.end(6, JobState::OutOfMemory, verdict(Reason::DataloaderKilled));
    scene.run(7, 3, 3);
    scene.end(7, JobState::NodeFail, verdict(Reason::NcclRemoteError, Certainty::Possible));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(3));
    QCOMPARE(open[0].reason, Reason::OutOfMemoryError);
    QCOMPARE(open[1].reason, Reason::DataloaderKilled);
    QCOMPARE(open[2].reason, Reason::NodeFailure);
    QCOMPARE(open[2].severity, domain::Severity::Critical);
}

void IncidentBookTest::aStormAfterThreeCrashesIsThreeIncidents()
{
    Scene scene(64);
    // Each crash is a GPU that falls off the bus under a job of sixteen nodes; the drivers of all
    // of them clean up for most of the hour after.
    int told = 0;
    for (int crash = 0; crash < 3; ++crash) {
        const int first = 1 + crash * 16;
        scene.run(uint64_t(100 + crash), first, first + 15);
        scene.clock.advance(5min);
        scene.xid(79, first + 3, 5);
        scene.end(uint64_t(100 + crash), JobState::Failed,
                  verdict(Reason::NcclRemoteError, Certainty::Possible));
        for (int i = 0; i < 224; ++i) {
            scene.clock.advance(14s);
            scene.xid(45, first + i % 16, i / 16 % 8);
            ++told;
        }
        scene.clock.advance(2min);
    }
    QCOMPARE(told, 672);
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(3));
    for (const Incident& incident : open) {
        QCOMPARE(incident.reason, Reason::CudaError);
        QCOMPARE(incident.certainty, Certainty::Established);
        QCOMPARE(incident.followers, uint64_t(224 + 2));  // and the log's two lines
        QCOMPARE(incident.gpu, std::string("5"));
        QCOMPARE(incident.cordonNode, incident.node);
    }
    QCOMPARE(scene.book.suppressed(), uint64_t(0));
}

void IncidentBookTest::aCrashThatTouches77NodesIsOneIncident()
{
    Scene scene(96);
    scene.run(9, 1, 77);
    scene.clock.advance(2h);
    scene.xid(48, 42, 3);
    scene.clock.advance(2s);
    for (int node = 1; node <= 77; ++node)
        for (int gpu = 0; gpu < 8; ++gpu)
            scene.xid(gpu % 2 ? 45 : 43, node, gpu);
    scene.clock.advance(30s);
    scene.end(9, JobState::Failed, verdict(Reason::NcclTimeoutError, Certainty::Possible));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].reason, Reason::EccError);
    QCOMPARE(open[0].node, std::string("n42"));
    QCOMPARE(open[0].gpu, std::string("3"));
    QCOMPARE(open[0].nodes, std::vector<std::string>{"n42"});
    QVERIFY(open[0].switchName.empty());
    QVERIFY(open[0].evidence.size() < 10);
    QCOMPARE(open[0].events, uint64_t(1 + 77 * 8 + 3));
}

void IncidentBookTest::halfASwitchIsTheSwitch()
{
    Scene scene(32);
    for (int node = 17; node <= 32; ++node)
        scene.run(uint64_t(node), node, node);
    for (int node = 17; node < 24; ++node) {
        scene.xid(74, node, 1);
        scene.clock.advance(20s);
    }
    QCOMPARE(scene.open().size(), size_t(7));
    scene.xid(74, 24, 1);  // the eighth of sixteen
    auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].switchName, std::string("switch leaf1"));
    QCOMPARE(open[0].nodes.size(), size_t(8));
    QCOMPARE(open[0].jobs.size(), size_t(8));
    QVERIFY(open[0].cordonNode.empty());
    QVERIFY2(open[0].happened.starts_with("8 nodes behind switch leaf1 failed together"),
             open[0].happened.c_str());
    // What follows belongs there too, and what was apart says where it went.
    scene.xid(74, 20, 1);
    scene.end(20, JobState::Failed, verdict(Reason::NcclRemoteError, Certainty::Possible));
    scene.lose(25);
    open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].nodes.size(), size_t(9));
    const Incident* part = scene.book.find(3);
    QCOMPARE(part->state, IncidentState::Closed);
    QCOMPARE(part->joinedTo, open[0].id);
}

void IncidentBookTest::nodesLostTogetherAreOneIncident()
{
    Scene scene(96);
    for (int node = 1; node <= 77; ++node)
        scene.lose(node);
    QCOMPARE(scene.open().size(), size_t(1));
    QCOMPARE(scene.open()[0].nodes.size(), size_t(77));
    // They stand behind five switches: none of those is to blame.
    QVERIFY(scene.open()[0].switchName.empty());
    // Another one an hour later is another story.
    scene.clock.advance(1h);
    scene.lose(90);
    QCOMPARE(scene.open().size(), size_t(2));
}

void IncidentBookTest::aStickyGaugeRaisesNothingTwice()
{
    Scene scene;
    for (int i = 0; i < 8640; ++i) {
        scene.xid(95, 4, 2);
        scene.clock.advance(10s);
    }
    auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].events, uint64_t(8640));
    scene.book.apply(changeOf(open[0].id, domain::IncidentChange::Kind::Close), "op");
    scene.xid(95, 4, 2);
    QCOMPARE(scene.open().size(), size_t(0));
    // Quiet, and then again: that is news.
    scene.clock.advance(1h);
    scene.xid(95, 4, 2);
    QCOMPARE(scene.open().size(), size_t(1));
}

void IncidentBookTest::hardwareThatIsToldLaterExplainsTheFailure()
{
    Scene scene;
    scene.run(5, 1, 8);
    scene.clock.advance(1h);
    const Time broken = scene.clock.now();
    scene.clock.advance(30min);  // the collective's time-out
    scene.end(5, JobState::Failed, verdict(Reason::NcclTimeoutError, Certainty::Possible));
    QCOMPARE(scene.open()[0].reason, Reason::NcclTimeoutError);
    scene.clock.advance(10s);
    scene.book.takeFault(faultOf(94, 6, 4, broken));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].reason, Reason::EccError);
    QCOMPARE(open[0].node, std::string("n6"));
    QVERIFY2(open[0].why.find("felt it as NCCL Timeout Error") != std::string::npos,
             open[0].why.c_str());
}

void IncidentBookTest::aProgramsOwnFaultRaisesNothingAlone()
{
    Scene scene;
    scene.run(5, 1, 2);
    scene.xid(31, 1, 4);
    scene.xid(13, 9, 0);  // nobody's
    QCOMPARE(scene.open().size(), size_t(0));
    QCOMPARE(scene.book.suppressed(), uint64_t(2));
    scene.clock.advance(1min);
    scene.end(5, JobState::Failed, verdict(Reason::CudaError, Certainty::Likely));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].node, std::string("n1"));
    QCOMPARE(open[0].gpu, std::string("4"));
    QVERIFY(open[0].cordonNode.empty());
    QCOMPARE(scene.book.suppressed(), uint64_t(1));
}

void IncidentBookTest::aLostNodeHasTheRequeuedJob()
{
    Scene scene;
    domain::Job ran = scene.run(5, 1, 4);
    scene.clock.advance(10min);
    // One view: the node is down and the job waits again.
    scene.jobs[5].state = JobState::Pending;
    scene.jobs[5].nodes.clear();
    scene.show(5);
    scene.lose(3);
    ran.stateText = "REQUEUED";
    ran.endTime = scene.clock.now();
    scene.book.takeEnd({ran, verdict(Reason::Cancelled), {}});
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].reason, Reason::NodeFailure);
    QCOMPARE(open[0].node, std::string("n3"));
    QCOMPARE(open[0].jobs.size(), size_t(1));
    QCOMPARE(open[0].jobs[0].end, std::string("REQUEUED"));
    // A requeue that somebody asked for is nothing.
    domain::Job other = scene.run(6, 10, 11);
    other.stateText = "REQUEUED";
    other.endTime = scene.clock.now();
    scene.book.takeEnd({other, {}, "no log"});
    QCOMPARE(scene.open().size(), size_t(1));
}

void IncidentBookTest::aNodeDeclaredLostMinutesLaterExplainsItsPeers()
{
    Scene scene;
    scene.run(5, 1, 4);
    scene.clock.advance(1h);
    scene.end(5, JobState::Failed, verdict(Reason::NcclRemoteError, Certainty::Possible));
    scene.clock.advance(5min);
    scene.lose(2);
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].reason, Reason::NodeFailure);
    QCOMPARE(open[0].node, std::string("n2"));
}

void IncidentBookTest::aCancelOnTheNodeOfACrashIsNotOfTheCrash()
{
    Scene scene;
    scene.run(5, 1, 1);
    scene.end(5, JobState::Failed, verdict(Reason::KeyError));
    scene.clock.advance(10min);
    scene.run(6, 1, 1);
    scene.clock.advance(1min);
    scene.end(6, JobState::Cancelled);
    scene.xid(45, 1, 0);
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].followers, uint64_t(1));  // of the log
    QCOMPARE(scene.book.suppressed(), uint64_t(1));
}

void IncidentBookTest::tasksOfAnArrayAreOneIncident()
{
    Scene scene;
    for (uint64_t task = 0; task < 40; ++task) {
        scene.run(100 + task, 1 + int(task % 16), 1 + int(task % 16)).array =
            domain::ArrayPlace{100, uint32_t(task), {}, 0};
        scene.clock.advance(10s);
        scene.end(100 + task, JobState::Failed, verdict(Reason::FileNotFoundError));
    }
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(1));
    QCOMPARE(open[0].jobs.size(), size_t(40));
    QCOMPARE(scene.open().size(), size_t(1));
}

void IncidentBookTest::aScriptErrorIsNotTheFaultOfTheNode()
{
    Scene scene;
    scene.run(5, 1, 1);
    scene.xid(63, 1, 0);  // a remap is recorded, and the job goes on
    scene.clock.advance(1min);
    scene.end(5, JobState::Failed, verdict(Reason::SyntaxError));
    const auto open = scene.open();
    QCOMPARE(open.size(), size_t(2));
    QCOMPARE(open[0].reason, Reason::EccError);
    QCOMPARE(open[0].severity, domain::Severity::Warning);
    QVERIFY(open[0].cordonNode.empty());
    QCOMPARE(open[1].reason, Reason::SyntaxError);
    QVERIFY(open[1].node.empty());
}

void IncidentBookTest::whatWasKeptIsNotRaisedAgain()
{
    Scene scene;
    scene.run(5, 1, 2);
    scene.xid(79, 1, 0);
    const Time broken = scene.clock.now();
    scene.clock.advance(1min);
    scene.end(5, JobState::Failed, verdict(Reason::NcclRemoteError, Certainty::Possible));
    const std::vector<Incident> kept = scene.open();
    QCOMPARE(kept.size(), size_t(1));

    IncidentBook next(scene.snapshot, scene.clock);
    next.load(kept, 7);
    next.takeFault(faultOf(79, 1, 0, broken));
    next.takeEnd({scene.jobs[5], verdict(Reason::NcclRemoteError, Certainty::Possible), {}});
    QCOMPARE(next.all().size(), size_t(1));
    QCOMPARE(next.all()[0]->id, uint64_t(1));
    QCOMPARE(next.all()[0]->evidence.size(), kept[0].evidence.size());
    // Ids are never given twice.
    next.takeEnd({scene.run(6, 9, 9), {}, {}});
    QCOMPARE(next.all().size(), size_t(1));
    scene.jobs[6].state = JobState::Failed;
    next.takeEnd({scene.jobs[6], verdict(Reason::KeyError), {}});
    QCOMPARE(next.all().back()->id, uint64_t(8));
}

void IncidentBookTest::peopleChangeIncidents()
{
    using Kind = domain::IncidentChange::Kind;
    Scene scene;
    scene.run(5, 1, 1);
    scene.end(5, JobState::Failed, verdict(Reason::KeyError));
    IncidentBook& book = scene.book;
    QVERIFY(absl::IsNotFound(book.check(changeOf(99, Kind::Close))));
    QVERIFY(absl::IsFailedPrecondition(book.check(changeOf(1, Kind::Reopen))));
    book.apply(changeOf(1, Kind::Acknowledge), "ann");
    QCOMPARE(book.find(1)->state, IncidentState::Acknowledged);
    book.apply(changeOf(1, Kind::Assign, {}, "bob"), "ann");
    QCOMPARE(book.find(1)->assignee, std::string("bob"));
    book.apply(changeOf(1, Kind::Close, "fixed the path"), "bob");
    QVERIFY(absl::IsFailedPrecondition(book.check(changeOf(1, Kind::Acknowledge))));
    QVERIFY(absl::IsFailedPrecondition(book.check(changeOf(1, Kind::Close))));
    QVERIFY(book.check(changeOf(1, Kind::Reopen)).ok());
    QCOMPARE(book.find(1)->notes.size(), size_t(3));
    QCOMPARE(book.find(1)->notes.back().text, std::string("closed: fixed the path"));
    QCOMPARE(book.find(1)->notes.back().by, std::string("bob"));
}

QTEST_GUILESS_MAIN(IncidentBookTest)
#include "incident_book_test.moc"
