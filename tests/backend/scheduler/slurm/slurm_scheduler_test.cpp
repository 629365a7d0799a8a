#include "backend/scheduler/slurm/slurm_scheduler.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTest>
#include <algorithm>

#include "backend/domain/hostlist.h"
#include "tests/support/slurm_lab.h"

using namespace yard;
using namespace yard::domain;
using namespace yard::scheduler;
using namespace std::chrono_literals;

namespace {

Action onNodes(ActionKind kind, std::vector<std::string> nodes, std::string reason = {})
{
    Action action;
    action.kind = kind;
    action.nodes = std::move(nodes);
    action.reason = std::move(reason);
    return action;
}

Action onJobs(ActionKind kind, std::vector<std::string> jobs,
              std::vector<std::string> excluded = {})
{
    Action action;
    action.kind = kind;
    action.jobs = std::move(jobs);
    action.excludedNodes = std::move(excluded);
    return action;
}

bool has(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool says(const Status& status, std::string_view words)
{
    return std::string(status.message()).find(words) != std::string::npos;
}

constexpr auto kPatience = 40'000;

}  // namespace

#define VERIFY_OK(expression)                                              \
    do {                                                                   \
        const auto yardResult = (expression);                              \
        QVERIFY2(yardResult.ok(), yardResult.status().ToString().c_str()); \
    } while (false)

/// Against a real Slurm: each row of the table of its traps. What the contract covers is not
/// repeated.
class SlurmSchedulerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void aPollSeesTheWholeCluster();
    void gpuIndicesAreThoseOfScontrol();
    void namesCanHoldAnything();
    void aReasonOfSeveralLinesStaysOne();
    void anArrayTaskIsRequeuedAlone();
    void theRestOfAnArrayIsOneRecord();
    void aHeterogeneousJobIsActedOnAsAWhole();
    void anUnknownJobRefusesTheWholeList();
    void anEndedJobCannotBeCancelled();
    void namesThatMeanMoreToSlurmAreRefused();
    void aReservationIsShownOnItsNodes();
    void rebootWhenIdleShowsItsFlags();
    void rebootAtOnceEndsJobs();
    void aLostGpuMakesTheNodeInvalid();
    void aRequeuedRunStaysKnownFromAccounting();
    void accountingThatIsAwayCostsOnlyItself();
    void aResubmissionKeepsUserEnvironmentAndOptions();
    void anInteractiveJobCannotBeResubmitted();
    void aRefusedResubmissionLeavesTheOriginal();
    void aDeniedCallKeepsSlurmsWordsAndChangesNothing();
    void rightsFollowTheAccount();
    void commandsThatAreNotThereAreASentence();
    void aStoppedSchedulerIsKnownAtOnce();
    void aHungSchedulerIsPastItsDeadline();
    void aDrainThatTimedOutIsInDoubt();

private:
    SchedulerView look();
    Node node(const std::string& name);
    Job job(const std::string& displayId);
    StatusOr<Receipt> act(const Action& action, std::string_view operation = "7")
    {
        return m_slurm->execute(action, operation, Deadline::in(30s));
    }
    std::string sbatch(QStringList options, const QString& wrap = "sleep 600");
    std::string running(QStringList options);
    SlurmOptions options() const { return {.configFile = m_lab.configFile().toStdString()}; }
    SlurmOptions asNobody() const;
    QString slurmSays(const QStringList& command) { return m_lab.slurm(command); }

    test::SlurmLab m_lab{
        {.nodes = 4, .gpus = 8, .accounting = true, .topology = true, .credExpireSeconds = 5}};
    SystemClock m_clock;
    std::unique_ptr<SlurmScheduler> m_slurm;
};

void SlurmSchedulerTest::initTestCase()
{
    QVERIFY2(m_lab.start(), qPrintable(m_lab.error()));
    m_slurm = std::make_unique<SlurmScheduler>(options(), m_clock);
}

void SlurmSchedulerTest::init()
{
    const auto isQuiet = [&] {
        const SchedulerView view = look();
        const bool noJobs = std::all_of(view.jobs.begin(), view.jobs.end(),
                                        [](const Job& job) { return isFinished(job.state); });
        const bool allIdle =
            std::all_of(view.nodes.begin(), view.nodes.end(),
                        [](const Node& node) { return categoryOf(node) == NodeCategory::Idle; });
        return !view.nodes.empty() && noJobs && allIdle;
    };
    if (isQuiet())
        return;
    slurmSays({"scancel", "-u", "root"});
    slurmSays({"scancel", "-u", "nobody"});
    for (const QString& name : m_lab.nodeNames())
        slurmSays({"scontrol", "update", "NodeName=" + name, "State=RESUME"});
    QTRY_VERIFY2_WITH_TIMEOUT(isQuiet(), qPrintable(slurmSays({"sinfo", "-N"})), kPatience);
}

SchedulerView SlurmSchedulerTest::look()
{
    auto view = m_slurm->poll(Deadline::in(30s));
    if (!view.ok())
        QTest::qFail(view.status().ToString().c_str(), __FILE__, __LINE__);
    return view.ok() ? *std::move(view) : SchedulerView{};
}

Node SlurmSchedulerTest::node(const std::string& name)
{
    for (const Node& node : look().nodes) {
        if (node.name == name)
            return node;
    }
    return {};
}

Job SlurmSchedulerTest::job(const std::string& displayId)
{
    for (const Job& job : look().jobs) {  // slurmctld's records come before those of accounting
        if (job.displayId == displayId)
            return job;
    }
    return {};
}

std::string SlurmSchedulerTest::sbatch(QStringList options, const QString& wrap)
{
    options.prepend("sbatch");
    const QString said = slurmSays(options + QStringList{"--parsable", "--chdir=/tmp",
                                                         "--output=/dev/null", "--wrap=" + wrap});
    return said.section('\n', -1).toStdString();
}

std::string SlurmSchedulerTest::running(QStringList options)
{
    const std::string id = sbatch(std::move(options));
    if (!QTest::qWaitFor([&] { return job(id).state == JobState::Running; }, kPatience))
        QTest::qFail(qPrintable("Job does not run: " + m_lab.error()), __FILE__, __LINE__);
    return id;
}

SlurmOptions SlurmSchedulerTest::asNobody() const
{
    SlurmOptions nobody = options();
    nobody.commandPrefix = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    return nobody;
}

void SlurmSchedulerTest::aPollSeesTheWholeCluster()
{
    const uint64_t before = m_slurm->callsMade();
    const SchedulerView view = look();
    QVERIFY(m_slurm->callsMade() >= before + 6);
    QCOMPARE(view.notes.badRecords, 0);
    QVERIFY(view.cluster.starts_with("lab"));
    QCOMPARE(QString::fromStdString("slurm-wlm " + view.version), slurmSays({"scontrol", "-V"}));
    QCOMPARE(view.nodes.size(), size_t(4));
    QCOMPARE(view.nodes[0].name, std::string("node001"));
    QCOMPARE(view.nodes[0].gpusTotal, 8);
    QCOMPARE(view.nodes[0].gpuType, std::string("h100"));
    QCOMPARE(view.nodes[0].partitions, (std::vector<std::string>{"gpu", "debug"}));
    QCOMPARE(view.nodes[3].switchName, std::string("leaf1"));
    QVERIFY(view.nodes[0].bootTime.has_value());
    QCOMPARE(view.partitions.size(), size_t(2));
    QVERIFY(view.partitions[0].isDefault);
    QCOMPARE(view.partitions[1].maxTime.seconds, std::optional<int64_t>(3600));
    QCOMPARE(view.switches.size(), size_t(2));
    QCOMPARE(view.switches[1].children, std::vector<std::string>{"leaf1"});
    QCOMPARE(m_slurm->requeueDelaySeconds(), 5);
}

void SlurmSchedulerTest::gpuIndicesAreThoseOfScontrol()
{
    const std::string first = running({"--gres=gpu:2", "--nodelist=node001,node002", "-N2"});
    const std::string second = running({"--gres=gpu:3", "--nodelist=node001"});
    QCOMPARE(job(first).gpus, 4);
    const Job one = job(first);
    const Job two = job(second);
    QCOMPARE(one.gpuIndices.at("node001"), (std::vector<int>{0, 1}));
    QCOMPARE(one.gpuIndices.at("node002"), (std::vector<int>{0, 1}));
    QCOMPARE(two.gpuIndices.at("node001"), (std::vector<int>{2, 3, 4}));
    const Node node001 = node("node001");
    QCOMPARE(node001.gpusAllocated, 5);
    QCOMPARE(node001.gpuIndicesInUse, (std::vector<int>{0, 1, 2, 3, 4}));
    QVERIFY(slurmSays({"scontrol", "-d", "show", "node", "node001"})
                .contains("GresUsed=gpu:h100:5(IDX:0-4)"));
}

void SlurmSchedulerTest::namesCanHoldAnything()
{
    const std::string victim = running({"--gres=gpu:1", "--job-name=victim"});
    const QString forged = "x\nJobId=" + QString::fromStdString(victim) +
                           " JobName=victim UserId=root(0) Restarts=9 Requeue=0\x1e\x1f|\t";
    const std::string evil = sbatch({"--job-name=" + forged, "--comment=" + forged, "--gres=gpu:2",
                                     "--output=/tmp/a\nJobId=1 b"});
    QTRY_COMPARE_WITH_TIMEOUT(job(evil).state, JobState::Running, kPatience);
    const SchedulerView view = look();
    QCOMPARE(view.notes.badRecords, 0);
    QCOMPARE(job(evil).name, forged.toStdString());
    QCOMPARE(job(evil).comment, forged.toStdString());
    QCOMPARE(job(evil).gpus, 2);
    QCOMPARE(job(victim).restarts, 0);
    QVERIFY(job(victim).requeueable);
    QCOMPARE(job(victim).gpus, 1);
}

void SlurmSchedulerTest::aReasonOfSeveralLinesStaysOne()
{
    slurmSays({"scontrol", "update", "NodeName=node003", "State=DRAIN",
               "Reason=fan\nNodeName=node001 State=DOWN [root@5]"});
    QCOMPARE(node("node003").reason, std::string("fan\nNodeName=node001 State=DOWN [root@5]"));
    QCOMPARE(node("node003").reasonUser, std::string("root"));
    QCOMPARE(categoryOf(node("node001")), NodeCategory::Idle);
    QCOMPARE(look().nodes.size(), size_t(4));
    // Ours become one line, since every other tool prints them on one.
    VERIFY_OK(act(onNodes(ActionKind::Drain, {"node003"}, "line\nline"), "9"));
    QCOMPARE(node("node003").reason, std::string("yard:9 line line"));
}

void SlurmSchedulerTest::anArrayTaskIsRequeuedAlone()
{
    const std::string array = sbatch({"--array=1-3", "--gres=gpu:1"});
    QTRY_COMPARE_WITH_TIMEOUT(job(array + "_3").state, JobState::Running, kPatience);
    VERIFY_OK(act(onJobs(ActionKind::Requeue, {array + "_2"})));
    QTRY_COMPARE_WITH_TIMEOUT(job(array + "_2").restarts, 1, kPatience);
    QCOMPARE(job(array + "_1").restarts, 0);
    QCOMPARE(job(array + "_1").state, JobState::Running);
    QCOMPARE(job(array + "_3").array->task, std::optional<uint32_t>(3));
}

void SlurmSchedulerTest::theRestOfAnArrayIsOneRecord()
{
    const std::string array = sbatch({"--array=1-9:2%2", "--hold", "--gres=gpu:1"});
    const std::string rest = array + "_[1,3,5,7,9]";
    QTRY_COMPARE_WITH_TIMEOUT(job(rest).state, JobState::Pending, kPatience);
    QCOMPARE(job(rest).array->pendingCount, 5u);
    QVERIFY(job(rest).held);
    QCOMPARE(job(rest).gpus, 1);
    VERIFY_OK(act(onJobs(ActionKind::Cancel, {array + "_5"})));
    QTRY_COMPARE_WITH_TIMEOUT(job(array + "_[1,3,7,9]").array->pendingCount, 4u, kPatience);
    QCOMPARE(act(onJobs(ActionKind::Cancel, {array + "_4"})).status().code(),
             absl::StatusCode::kInvalidArgument);
    VERIFY_OK(act(onJobs(ActionKind::Release, {array + "_[1,3]"})));
    QTRY_COMPARE_WITH_TIMEOUT(job(array + "_3").state, JobState::Running, kPatience);
    VERIFY_OK(act(onJobs(ActionKind::Cancel, {array})));
    QTRY_COMPARE_WITH_TIMEOUT(job(array + "_3").state, JobState::Cancelled, kPatience);
}

void SlurmSchedulerTest::aHeterogeneousJobIsActedOnAsAWhole()
{
    const QString said = slurmSays({"sbatch", "--parsable", "--output=/dev/null", "--gpus=2", ":",
                                    "--gpus=1", "--wrap=sleep 600"});
    const std::string leader = said.toStdString();
    QTRY_COMPARE_WITH_TIMEOUT(job(leader + "+1").state, JobState::Running, kPatience);
    const Job second = job(leader + "+1");
    QCOMPARE(second.het->leader, std::stoull(leader));
    QCOMPARE(second.het->offset, 1u);
    QCOMPARE(second.gpus, 1);
    QCOMPARE(act(onJobs(ActionKind::Resubmit, {leader + "+1"})).status().code(),
             absl::StatusCode::kFailedPrecondition);
    QCOMPARE(job(leader + "+1").state, JobState::Running);
    VERIFY_OK(act(onJobs(ActionKind::Cancel, {leader + "+1"})));
    QTRY_COMPARE_WITH_TIMEOUT(job(leader + "+0").state, JobState::Cancelled, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(job(leader + "+1").state, JobState::Cancelled, kPatience);
}

void SlurmSchedulerTest::anUnknownJobRefusesTheWholeList()
{
    const std::string id = running({"--gres=gpu:1"});
    for (const ActionKind kind : {ActionKind::Requeue, ActionKind::Cancel, ActionKind::Hold}) {
        const auto result = act(onJobs(kind, {id, "9999999"}));
        QCOMPARE(result.status().code(), absl::StatusCode::kInvalidArgument);
        QVERIFY(says(result.status(), "9999999"));
    }
    QCOMPARE(job(id).state, JobState::Running);
    QCOMPARE(job(id).restarts, 0);
}

void SlurmSchedulerTest::anEndedJobCannotBeCancelled()
{
    const std::string id = sbatch({}, "exit 3");
    QTRY_COMPARE_WITH_TIMEOUT(job(id).state, JobState::Failed, kPatience);
    QCOMPARE(job(id).exit->code, std::optional<int>(3));
    QCOMPARE(job(id).reason, std::string("NonZeroExitCode"));
    QVERIFY(job(id).endTime.has_value());
    const auto result = act(onJobs(ActionKind::Cancel, {id}));
    QCOMPARE(result.status().code(), absl::StatusCode::kFailedPrecondition);
}

void SlurmSchedulerTest::namesThatMeanMoreToSlurmAreRefused()
{
    for (const std::string name :
         {"ALL", "all", "--help", "node[001-004]", "node001,node002", "node001 State=DOWN", ""}) {
        const auto result = act(onNodes(ActionKind::Down, {name}, "x"));
        QCOMPARE(result.status().code(), absl::StatusCode::kInvalidArgument);
    }
    for (const std::string id : {"-u", "1 2", "--signal=9", "1,2", "*", ""}) {
        const auto result = act(onJobs(ActionKind::Cancel, {id}));
        QCOMPARE(result.status().code(), absl::StatusCode::kInvalidArgument);
    }
    for (const Node& node : look().nodes)
        QCOMPARE(categoryOf(node), NodeCategory::Idle);
}

void SlurmSchedulerTest::aReservationIsShownOnItsNodes()
{
    slurmSays({"scontrol", "create", "reservation", "ReservationName=fix", "Nodes=node002,node004",
               "Users=root", "StartTime=now", "Duration=60", "Flags=MAINT,IGNORE_JOBS"});
    QTRY_VERIFY_WITH_TIMEOUT(categoryOf(node("node002")) == NodeCategory::Maintenance, kPatience);
    const SchedulerView view = look();
    QCOMPARE(view.reservations.size(), size_t(1));
    QCOMPARE(view.reservations[0].nodes, (std::vector<std::string>{"node002", "node004"}));
    QVERIFY(has(view.reservations[0].flags, "MAINT"));
    QCOMPARE(view.nodes[1].reservation, std::string("fix"));
    QVERIFY(view.nodes[0].reservation.empty());
    slurmSays({"scontrol", "delete", "ReservationName=fix"});
    QTRY_VERIFY_WITH_TIMEOUT(categoryOf(node("node002")) == NodeCategory::Idle, kPatience);
    QVERIFY(look().reservations.empty());
}

void SlurmSchedulerTest::rebootWhenIdleShowsItsFlags()
{
    const std::string id = running({"--nodelist=node004", "--gres=gpu:1"});
    VERIFY_OK(act(onNodes(ActionKind::Reboot, {"node004"}, "kernel")));
    QTRY_VERIFY_WITH_TIMEOUT(has(node("node004").flags, "REBOOT_REQUESTED"), kPatience);
    QVERIFY(node("node004").reason.starts_with("yard:7 kernel"));
    QCOMPARE(job(id).state, JobState::Running);
    VERIFY_OK(act(onJobs(ActionKind::Cancel, {id})));
    // REBOOT_ISSUED lasts for less than a busy machine's poll, so only the end is waited for.
    QTRY_COMPARE_WITH_TIMEOUT(categoryOf(node("node004")), NodeCategory::Idle, kPatience);
}

void SlurmSchedulerTest::rebootAtOnceEndsJobs()
{
    const std::string id = running({"--nodelist=node004", "--gres=gpu:1", "--no-requeue"});
    Action reboot = onNodes(ActionKind::Reboot, {"node004"}, "hung");
    reboot.rebootWhenIdle = false;
    QCOMPARE(m_slurm->commands(reboot, "7").size(), size_t(2));
    VERIFY_OK(act(reboot));
    QTRY_COMPARE_WITH_TIMEOUT(job(id).state, JobState::NodeFail, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(categoryOf(node("node004")), NodeCategory::Idle, kPatience);
}

void SlurmSchedulerTest::aLostGpuMakesTheNodeInvalid()
{
    QVERIFY2(m_lab.loseGpu("node003", 5), qPrintable(m_lab.error()));
    QTRY_VERIFY_WITH_TIMEOUT(has(node("node003").flags, "INVALID_REG"), kPatience);
    QVERIFY(says(absl::UnknownError(node("node003").reason), "gres/gpu count reported lower"));
    QVERIFY(!isUsable(node("node003")));
    QVERIFY2(m_lab.verb({"restore-gpus", "node003"}), qPrintable(m_lab.error()));
    QTRY_VERIFY_WITH_TIMEOUT(!has(node("node003").flags, "INVALID_REG"), kPatience);
}

void SlurmSchedulerTest::aRequeuedRunStaysKnownFromAccounting()
{
    SlurmOptions eager = options();
    eager.accountingInterval = 0s;
    SlurmScheduler slurm(eager, m_clock);
    const std::string id = running({"--gres=gpu:2", "--nodelist=node002"});
    VERIFY_OK(act(onJobs(ActionKind::Requeue, {id})));
    const auto runs = [&] {
        std::vector<Job> found;
        const auto view = slurm.poll(Deadline::in(30s));
        for (const Job& job : view.ok() ? view->jobs : std::vector<Job>{}) {
            if (job.displayId == id)
                found.push_back(job);
        }
        return found;
    };
    QTRY_COMPARE_WITH_TIMEOUT(runs().size(), size_t(2), kPatience);
    const auto found = runs();
    QVERIFY(found[0].submitTime > found[1].submitTime);
    QVERIFY(has(found[1].stateFlags, "REQUEUED"));
    QVERIFY(isFinished(found[1].state));
    QCOMPARE(found[1].nodes, std::vector<std::string>{"node002"});
    QCOMPARE(found[1].gpus, 2);
}

void SlurmSchedulerTest::accountingThatIsAwayCostsOnlyItself()
{
    QVERIFY2(m_lab.stop("slurmdbd"), qPrintable(m_lab.error()));
    SlurmScheduler slurm(options(), m_clock);
    const auto view = slurm.poll(Deadline::in(30s));
    QVERIFY2(m_lab.start("slurmdbd"), qPrintable(m_lab.error()));
    VERIFY_OK(view);
    QCOMPARE(view->nodes.size(), size_t(4));
    QCOMPARE(view->notes.badRecords, 1);
    QVERIFY(view->notes.firstBad.starts_with("Accounting does not answer"));
}

void SlurmSchedulerTest::aResubmissionKeepsUserEnvironmentAndOptions()
{
    const QString folder = m_lab.folder() + "/job";
    QVERIFY(QDir().mkpath(folder));
    QFile::setPermissions(folder, QFile::Permissions(0x7777));
    QFile script(folder + "/script.sh");
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/bash\n#SBATCH --job-name=in-the-script\n"
        "echo \"$(id -un) $PWD $YARD_SECRET $1\" > $PWD/said.$SLURM_JOB_ID\nsleep 600\n");
    script.close();
    qputenv("YARD_SECRET", "two\nlines");
    const std::string id = slurmSays({"sbatch", "--parsable", "--uid=nobody", "--chdir=" + folder,
                                      "--gres=gpu:2", "--time=47", "--job-name=on the line",
                                      "--exclude=node004", "--output=out-%j", script.fileName()})
                               .toStdString();
    qunsetenv("YARD_SECRET");
    QTRY_COMPARE_WITH_TIMEOUT(job(id).state, JobState::Running, kPatience);
    const Job before = job(id);

    const auto receipt = act(onJobs(ActionKind::Resubmit, {id}, before.nodes), "31");
    VERIFY_OK(receipt);
    QVERIFY(says(absl::UnknownError(receipt->message), "from Slurm's state"));
    QTRY_COMPARE_WITH_TIMEOUT(job(receipt->newJob).state, JobState::Running, kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(job(id).state, JobState::Cancelled, kPatience);
    const Job after = job(receipt->newJob);
    QCOMPARE(after.user, std::string("nobody"));
    QCOMPARE(after.name, std::string("on the line"));
    QCOMPARE(after.comment, std::string("yard:31"));
    QCOMPARE(after.workDirectory, folder.toStdString());
    QCOMPARE(after.gpus, 2);
    QCOMPARE(after.timeLimit, before.timeLimit);
    QCOMPARE(after.excludedNodes, foldHostlist({before.nodes[0], "node004"}));
    QVERIFY(after.standardOutput.ends_with("/out-" + receipt->newJob));
    QFile said(folder + "/said." + QString::fromStdString(receipt->newJob));
    QTRY_VERIFY_WITH_TIMEOUT(said.exists() && said.size() > 0, kPatience);
    QVERIFY(said.open(QIODevice::ReadOnly));
    QCOMPARE(QString(said.readAll()), "nobody " + folder + " two\nlines \n");
}

void SlurmSchedulerTest::anInteractiveJobCannotBeResubmitted()
{
    slurmSays({"salloc", "--no-shell", "--gres=gpu:1", "--job-name=alloc"});
    std::string id;
    for (const Job& job : look().jobs)
        id = job.name == "alloc" && isActive(job.state) ? job.displayId : id;
    QVERIFY(!id.empty());
    QVERIFY(!act(onJobs(ActionKind::Resubmit, {id})).ok());
    QCOMPARE(job(id).state, JobState::Running);
}

void SlurmSchedulerTest::aRefusedResubmissionLeavesTheOriginal()
{
    const std::string id = running({"--gres=gpu:1", "--nodelist=node001"});
    // The only node it asks for is the one to leave out.
    const auto result = act(onJobs(ActionKind::Resubmit, {id}, {"node001"}));
    QVERIFY(!result.ok());
    QCOMPARE(job(id).state, JobState::Running);
    for (const Job& job : look().jobs)
        QVERIFY(job.displayId == id || isFinished(job.state));
}

void SlurmSchedulerTest::aDeniedCallKeepsSlurmsWordsAndChangesNothing()
{
    SlurmScheduler nobody(asNobody(), m_clock);
    const std::string id = running({"--gres=gpu:1", "--nodelist=node002"});
    const auto denied = [&](const Action& action, std::string_view words) {
        const auto result = nobody.execute(action, "8", Deadline::in(30s));
        QCOMPARE(result.status().code(), absl::StatusCode::kPermissionDenied);
        QVERIFY2(says(result.status(), words), result.status().ToString().c_str());
    };
    denied(onNodes(ActionKind::Drain, {"node001"}, "x"), "slurm_update error: Invalid user id");
    denied(onNodes(ActionKind::Reboot, {"node001"}),
           "scontrol_reboot_nodes error: Permission denied");
    denied(onJobs(ActionKind::Requeue, {id}), "Access/permission denied for job " + id);
    denied(onJobs(ActionKind::Hold, {id}), "Invalid user id for job " + id);
    denied(onJobs(ActionKind::Cancel, {id}), "Access/permission denied");
    QVERIFY(!nobody.execute(onJobs(ActionKind::Resubmit, {id}), "8", Deadline::in(30s)).ok());
    QCOMPARE(categoryOf(node("node001")), NodeCategory::Idle);
    QCOMPARE(job(id).state, JobState::Running);
    QCOMPARE(job(id).restarts, 0);
    // Reading is free for all.
    const auto view = nobody.poll(Deadline::in(30s));
    VERIFY_OK(view);
    QCOMPARE(view->nodes.size(), size_t(4));
}

void SlurmSchedulerTest::rightsFollowTheAccount()
{
    const auto root = m_slurm->rights(Deadline::in(30s));
    VERIFY_OK(root);
    QCOMPARE(root->size(), size_t(11));
    for (const Right& right : *root)
        QVERIFY2(right.allowed, right.action.c_str());
    const auto nobody = SlurmScheduler(asNobody(), m_clock).rights(Deadline::in(30s));
    VERIFY_OK(nobody);
    for (const Right& right : *nobody) {
        QCOMPARE(right.allowed, right.action == "submit");
        QVERIFY(!right.detail.empty());
    }
    slurmSays({"sacctmgr", "-i", "add", "account", "ops"});
    slurmSays({"sacctmgr", "-i", "add", "user", "nobody", "account=ops", "adminlevel=operator"});
    const auto op = SlurmScheduler(asNobody(), m_clock).rights(Deadline::in(30s));
    slurmSays({"sacctmgr", "-i", "delete", "user", "nobody"});
    VERIFY_OK(op);
    for (const Right& right : *op) {
        const bool isJobs =
            right.action != "resubmit" && !isNodeAction(*actionKindFrom(right.action));
        QCOMPARE(right.allowed, isJobs);
    }
}

void SlurmSchedulerTest::commandsThatAreNotThereAreASentence()
{
    SlurmOptions wrong = options();
    wrong.binDirectory = "/nowhere";
    SlurmScheduler slurm(wrong, m_clock);
    const auto view = slurm.poll(Deadline::in(30s));
    QCOMPARE(view.status().code(), absl::StatusCode::kUnavailable);
    QVERIFY(says(view.status(), "/nowhere/scontrol could not be started"));
}

void SlurmSchedulerTest::aStoppedSchedulerIsKnownAtOnce()
{
    QVERIFY2(m_lab.stop("slurmctld"), qPrintable(m_lab.error()));
    QElapsedTimer timer;
    timer.start();
    const auto view = m_slurm->poll(Deadline::in(30s));
    const auto drain = act(onNodes(ActionKind::Drain, {"node001"}, "x"));
    const auto elapsed = timer.elapsed();
    QVERIFY2(m_lab.start("slurmctld"), qPrintable(m_lab.error()));
    QVERIFY2(elapsed < 3000, qPrintable(QString::number(elapsed)));
    QCOMPARE(view.status().code(), absl::StatusCode::kUnavailable);
    QVERIFY(says(view.status(), "is DOWN"));
    QCOMPARE(drain.status().code(), absl::StatusCode::kUnavailable);
    QVERIFY(says(drain.status(), "Nothing was changed"));
    QTRY_COMPARE_WITH_TIMEOUT(categoryOf(node("node001")), NodeCategory::Idle, kPatience);
}

void SlurmSchedulerTest::aHungSchedulerIsPastItsDeadline()
{
    QVERIFY2(m_lab.freeze("slurmctld"), qPrintable(m_lab.error()));
    const auto view = m_slurm->poll(Deadline::in(30s));
    const auto drain =
        m_slurm->execute(onNodes(ActionKind::Drain, {"node001"}, "x"), "7", Deadline::in(2s));
    QVERIFY2(m_lab.thaw("slurmctld"), qPrintable(m_lab.error()));
    QCOMPARE(view.status().code(), absl::StatusCode::kDeadlineExceeded);
    // The ping before it was not answered: Slurm never heard of the drain.
    QCOMPARE(drain.status().code(), absl::StatusCode::kUnavailable);
    QTRY_COMPARE_WITH_TIMEOUT(categoryOf(node("node001")), NodeCategory::Idle, kPatience);
}

void SlurmSchedulerTest::aDrainThatTimedOutIsInDoubt()
{
    // Between the ping and the drain slurmctld hangs.
    const QString wrapper = m_lab.folder() + "/hang-on-update";
    QFile file(wrapper);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\ntest \"$2\" = update && SLURM_LAB_DIR=" + m_lab.folder().toUtf8() +
               "/lab " YARD_SOURCE_DIR "/tests/lab/slurm-lab freeze slurmctld\nexec \"$@\"\n");
    file.close();
    file.setPermissions(QFile::Permissions(0x7755));
    SlurmOptions hanging = options();
    hanging.commandPrefix = {wrapper.toStdString()};
    SlurmScheduler slurm(hanging, m_clock);
    const auto result =
        slurm.execute(onNodes(ActionKind::Drain, {"node002"}, "late"), "44", Deadline::in(3s));
    QVERIFY2(m_lab.thaw("slurmctld"), qPrintable(m_lab.error()));
    QCOMPARE(result.status().code(), absl::StatusCode::kDeadlineExceeded);
    // Not a "no": it is carried out when slurmctld goes on.
    QTRY_COMPARE_WITH_TIMEOUT(categoryOf(node("node002")), NodeCategory::Drained, kPatience);
    QCOMPARE(node("node002").reason, std::string("yard:44 late"));
}

QTEST_GUILESS_MAIN(SlurmSchedulerTest)
#include "slurm_scheduler_test.moc"
