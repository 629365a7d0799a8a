#include "backend/scheduler/slurm/action_commands.h"

#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <algorithm>

#include "backend/scheduler/slurm/resubmission.h"
#include "backend/scheduler/slurm/slurm_account.h"

using namespace yard;
using namespace yard::domain;
using namespace yard::scheduler::slurm;

namespace {

using Commands = std::vector<std::vector<std::string>>;

Action act(ActionKind kind, std::vector<std::string> targets, std::string reason = {})
{
    Action action;
    action.kind = kind;
    (isNodeAction(kind) ? action.nodes : action.jobs) = std::move(targets);
    action.reason = std::move(reason);
    return action;
}

bool hasOption(const std::vector<std::string>& options, const std::string& option)
{
    return std::find(options.begin(), options.end(), option) != options.end();
}

bool hasPrefix(const std::vector<std::string>& options, const std::string& prefix)
{
    return std::any_of(options.begin(), options.end(),
                       [&](const std::string& option) { return option.starts_with(prefix); });
}

const DetailRecord kDetails{
    " UserId=alice(1001) GroupId=alice(1001) Nice=0 Account=llm QOS=normal Requeue=0 BatchFlag=1 "
    "TimeLimit=2-00:00:00 TimeMin=N/A Partition=gpu ReqNodeList=(null) ExcNodeList=node009 "
    "NumNodes=4 NumCPUs=64 NumTasks=32 CPUs/Task=2 NtasksPerN:B:S:C=8:0:*:* MinMemoryNode=512G "
    "Features=(null) OverSubscribe=NO Contiguous=0 Licenses=(null)",
    " StdErr=/x StdIn=/dev/null StdOut=/logs/train-41.out Power= TresPerNode=gres:gpu:h100:8 "};

QueueRecord trainJob()
{
    QueueRecord record;
    record.job.id = 41;
    record.job.displayId = "41";
    record.name = "train 7B";
    record.workDirectory = "/home/alice/run";
    return record;
}

}  // namespace

class ActionCommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aDrainCarriesTheOperation();
    void aDrainWithoutAReasonIsLeftToSlurmToRefuse();
    void controlCharactersInAReasonBecomeBlanks();
    void rebootWaitsOrDoesNot();
    void jobsGoInOneCall();
    void aListInBracketsNeedsACallOfItsOwn();
    void requeueElsewhereIsHeldInBetween();
    void anExclusionIsAddedToWhatThereIs();
    void resubmissionSubmitsBeforeItCancels();
    void aSubmissionCannotChooseItsUserByOption();
    void oursComeLastInASubmission();
    void namesAreChecked();
    void aCopyAsksForWhatTheOriginalAskedFor();
    void aScriptThatNamesItsOutputKeepsIt();
    void anArrayTaskIsCopiedAsOne();
    void cpusPerGpuStandForCpusPerTask();
    void theEnvironmentFileOfSlurmIsRead();
    void theEnvironmentOfAccountingIsRead();
    void aPrivateFileIsPrivateAndGoes();
    void rightsOfAnOperator();
};

void ActionCommandsTest::aDrainCarriesTheOperation()
{
    QCOMPARE(
        actionCommands(act(ActionKind::Drain, {"gpu001", "gpu002", "gpu004"}, "bad fan"), "17"),
        (Commands{{"scontrol", "update", "NodeName=gpu[001-002,004]", "State=DRAIN",
                   "Reason=yard:17 bad fan"}}));
    QCOMPARE(actionCommands(act(ActionKind::Resume, {"gpu001"}), "18"),
             (Commands{{"scontrol", "update", "NodeName=gpu001", "State=RESUME"}}));
}

void ActionCommandsTest::aDrainWithoutAReasonIsLeftToSlurmToRefuse()
{
    for (const ActionKind kind : {ActionKind::Drain, ActionKind::Down})
        QCOMPARE(actionCommands(act(kind, {"n1"}), "17").at(0).size(), size_t(4));
}

void ActionCommandsTest::controlCharactersInAReasonBecomeBlanks()
{
    QCOMPARE(markedReason("a\nb\tc\x1e", "3"), std::string("yard:3 a b c "));
    QCOMPARE(markedReason("", "3"), std::string("yard:3"));
    QCOMPARE(markedReason("x", ""), std::string("x"));
}

void ActionCommandsTest::rebootWaitsOrDoesNot()
{
    Action reboot = act(ActionKind::Reboot, {"n1"}, "kernel");
    const std::vector<std::string> whenIdle{
        "scontrol", "reboot", "ASAP", "nextstate=RESUME", "reason=yard:4 kernel", "n1"};
    QCOMPARE(actionCommands(reboot, "4"), Commands{whenIdle});
    reboot.rebootWhenIdle = false;
    QCOMPARE(actionCommands(reboot, "4"),
             (Commands{{"scontrol", "update", "NodeName=n1", "State=DOWN", "Reason=yard:4 kernel"},
                       whenIdle}));
}

void ActionCommandsTest::jobsGoInOneCall()
{
    QCOMPARE(actionCommands(act(ActionKind::Hold, {"1", "18_3", "7+1"}), ""),
             (Commands{{"scontrol", "hold", "1,18_3,7"}}));
    QCOMPARE(actionCommands(act(ActionKind::Cancel, {"1", "2"}), ""),
             (Commands{{"scancel", "1", "2"}}));
    QCOMPARE(actionCommands(act(ActionKind::RequeueHold, {"1"}), ""),
             (Commands{{"scontrol", "requeuehold", "1"}}));
}

void ActionCommandsTest::aListInBracketsNeedsACallOfItsOwn()
{
    QCOMPARE(actionCommands(act(ActionKind::Release, {"1", "2_[3,5]", "4"}), ""),
             (Commands{{"scontrol", "release", "2_[3,5]"}, {"scontrol", "release", "1,4"}}));
}

void ActionCommandsTest::requeueElsewhereIsHeldInBetween()
{
    Action requeue = act(ActionKind::Requeue, {"41"});
    requeue.excludedNodes = {"node002", "node001"};
    QCOMPARE(actionCommands(requeue, "5"),
             (Commands{{"scontrol", "requeuehold", "41"},
                       {"scontrol", "update", "JobId=41", "ExcNodeList=node[001-002]"},
                       {"scontrol", "release", "41"}}));
    requeue.kind = ActionKind::RequeueHold;
    QCOMPARE(actionCommands(requeue, "5").size(), size_t(2));
}

void ActionCommandsTest::anExclusionIsAddedToWhatThereIs()
{
    Action requeue = act(ActionKind::Requeue, {"41"});
    requeue.excludedNodes = {"node002"};
    QCOMPARE(actionCommands(requeue, "5", {{"41", "node[002-003]"}}).at(1).at(3),
             std::string("ExcNodeList=node[002-003]"));
    QCOMPARE(actionCommands(requeue, "5", {{"41", "node001"}}).at(1).at(3),
             std::string("ExcNodeList=node[001-002]"));
}

void ActionCommandsTest::resubmissionSubmitsBeforeItCancels()
{
    Action again = act(ActionKind::Resubmit, {"41"});
    again.excludedNodes = {"node002"};
    QCOMPARE(actionCommands(again, "21"),
             (Commands{{"scontrol", "write", "batch_script", "41", "-"},
                       {"sbatch", "--parsable", "--hold", "--exclude=node002", "--comment=yard:21"},
                       {"scancel", "41"},
                       {"scontrol", "release", "NEW_JOB"}}));
    again.cancelOriginal = false;
    QCOMPARE(actionCommands(again, "21").size(), size_t(2));
}

void ActionCommandsTest::aSubmissionCannotChooseItsUserByOption()
{
    Action submit;
    submit.kind = ActionKind::Submit;
    submit.submission =
        Submission{.script = "#!/bin/sh\n", .options = {}, .user = {}, .workDirectory = {}};
    QVERIFY(checkNames(submit).ok());
    for (const std::string option :
         {"--uid=root", "--gid=0", "script.sh", "-p", "--export-file=/etc/shadow", "--wrap=id"}) {
        submit.submission->options = {option};
        QCOMPARE(checkNames(submit).code(), absl::StatusCode::kInvalidArgument);
    }
    submit.submission->options = {};
    submit.submission->script.clear();
    QVERIFY(!checkNames(submit).ok());
}

void ActionCommandsTest::oursComeLastInASubmission()
{
    Action submit;
    submit.kind = ActionKind::Submit;
    submit.submission = Submission{.script = "#!/bin/sh\n",
                                   .options = {"--comment=mine"},
                                   .user = "alice",
                                   .workDirectory = "/home/alice"};
    QCOMPARE(actionCommands(submit, "9"),
             (Commands{{"sbatch", "--parsable", "--export=NONE", "--comment=mine",
                        "--chdir=/home/alice", "--uid=alice", "--comment=yard:9"}}));
}

void ActionCommandsTest::namesAreChecked()
{
    QVERIFY(checkNames(act(ActionKind::Drain, {"gpu-a.b_1"}, "x")).ok());
    for (const std::string name : {"ALL", "-x", "a b", "n[1-2]", "a=b", "a,b", "", "a\n"})
        QVERIFY2(!checkNames(act(ActionKind::Drain, {name}, "x")).ok(), name.c_str());
    for (const std::string id : {"1", "1_2", "1_[2-9]", "1_[1,3-5:2]", "7+1"})
        QVERIFY2(checkNames(act(ActionKind::Hold, {id})).ok(), id.c_str());
    for (const std::string id : {"", "-1", "1 2", "1,2", "1_", "1_[]", "7+[1]", "x", "1_[2%1]"})
        QVERIFY2(!checkNames(act(ActionKind::Hold, {id})).ok(), id.c_str());
    QVERIFY(!checkNames(act(ActionKind::Drain, {}, "x")).ok());
    QVERIFY(!checkNames(act(ActionKind::Cancel, {})).ok());
    QVERIFY(!checkNames(act(ActionKind::Resubmit, {"1", "2"})).ok());
}

void ActionCommandsTest::aCopyAsksForWhatTheOriginalAskedFor()
{
    const auto options = resubmitOptions(trainJob(), kDetails, "#!/bin/sh\n", true);
    QVERIFY(options.ok());
    for (const char* expected :
         {"--job-name=train 7B", "--chdir=/home/alice/run", "--account=llm", "--qos=normal",
          "--partition=gpu", "--nodes=4", "--ntasks=32", "--cpus-per-task=2", "--ntasks-per-node=8",
          "--mem=512G", "--time=2-00:00:00", "--gres=gpu:h100:8", "--exclude=node009",
          "--exclusive", "--no-requeue", "--output=/logs/train-%j.out", "--uid=1001"})
        QVERIFY2(hasOption(*options, expected), expected);
    for (const char* absent : {"--time-min", "--nodelist", "--constraint", "--licenses", "--nice",
                               "--array", "--open-mode", "--mem-per-cpu", "--gpus"})
        QVERIFY2(!hasPrefix(*options, absent), absent);
    const auto ours = resubmitOptions(trainJob(), kDetails, "#!/bin/sh\n", false);
    QVERIFY(!hasPrefix(*ours, "--uid"));
}

void ActionCommandsTest::aScriptThatNamesItsOutputKeepsIt()
{
    const auto options =
        resubmitOptions(trainJob(), kDetails, "#!/bin/sh\n#SBATCH --output=%x-%j.log\n", true);
    QVERIFY(!hasPrefix(*options, "--output"));
    DetailRecord shared = kDetails;
    shared.tail = " StdOut=/logs/all.out Power= ";
    const auto appended = resubmitOptions(trainJob(), shared, "#!/bin/sh\n", true);
    QVERIFY(hasOption(*appended, "--output=/logs/all.out"));
    QVERIFY(hasOption(*appended, "--open-mode=append"));
}

void ActionCommandsTest::anArrayTaskIsCopiedAsOne()
{
    QueueRecord task = trainJob();
    task.job.array = ArrayPlace{.job = 40, .task = 3, .pending = {}};
    DetailRecord details = kDetails;
    details.tail = " StdOut=/logs/slurm-40_3.out Power= ";
    const auto options = resubmitOptions(task, details, "#!/bin/sh\n", true);
    QVERIFY(hasOption(*options, "--array=3"));
    QVERIFY(hasOption(*options, "--output=/logs/slurm-%A_%a.out"));

    QueueRecord part = trainJob();
    part.job.het = HetPlace{.leader = 41, .offset = 0};
    QCOMPARE(resubmitOptions(part, kDetails, "", true).status().code(),
             absl::StatusCode::kFailedPrecondition);
}

void ActionCommandsTest::cpusPerGpuStandForCpusPerTask()
{
    DetailRecord details = kDetails;
    details.tail = " StdOut=/x Power= CpusPerTres=gpu:8 TresPerJob=gres:gpu:4 ";
    const auto options = resubmitOptions(trainJob(), details, "", true);
    QVERIFY(hasOption(*options, "--cpus-per-gpu=8"));
    QVERIFY(hasOption(*options, "--gpus=4"));
    QVERIFY(!hasPrefix(*options, "--cpus-per-task"));
}

void ActionCommandsTest::theEnvironmentFileOfSlurmIsRead()
{
    const std::string bytes("\x03\0\0\0PATH=/bin\0NL=a\nb\0noequals\0", 30);
    QCOMPARE(readEnvironmentFile(bytes), std::optional(std::string("PATH=/bin\0NL=a\nb\0", 17)));
    QVERIFY(!readEnvironmentFile(bytes.substr(0, bytes.size() - 4)));
    QVERIFY(!readEnvironmentFile("abc"));
    QVERIFY(!readEnvironmentFile(std::string("\x09\0\0\0A=b\0", 8)));
    QCOMPARE(environmentPath("/var/state", 127),
             std::string("/var/state/hash.7/job.127/environment"));
}

void ActionCommandsTest::theEnvironmentOfAccountingIsRead()
{
    QCOMPARE(readEnvironmentText("Environment used for 12 (must be batch to display)\n"
                                 "--------------------------------------------------\n"
                                 "PATH=/bin\nFN=() {  echo a;\n}\nHOME=/root\n"),
             std::optional(std::string("PATH=/bin\0FN=() {  echo a;\n}\0HOME=/root\0", 40)));
    QVERIFY(!readEnvironmentText("Environment used for 12\n-----\nNONE\n"));
    QVERIFY(!readEnvironmentText(""));
}

void ActionCommandsTest::aPrivateFileIsPrivateAndGoes()
{
    QString path;
    {
        const auto file = PrivateFile::holding(std::string("A=b\0", 4));
        QVERIFY(file.ok());
        path = QString::fromStdString(file->path());
        QCOMPARE(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther),
                 QFile::Permissions());
        QCOMPARE(QFileInfo(path).size(), 4);
    }
    QVERIFY(!QFile::exists(path));
}

void ActionCommandsTest::rightsOfAnOperator()
{
    SlurmAccount account;
    account.user = "ops";
    account.uid = 1000;
    account.level = SlurmAccount::Level::Operator;
    for (const Right& right : rightsOf(account)) {
        const bool expected =
            right.action != "resubmit" && !isNodeAction(*actionKindFrom(right.action));
        QCOMPARE(right.allowed, expected);
    }
    account.level = SlurmAccount::Level::Unknown;
    for (const Right& right : rightsOf(account))
        QCOMPARE(right.allowed, right.action == "submit");
}

QTEST_GUILESS_MAIN(ActionCommandsTest)
#include "action_commands_test.moc"
