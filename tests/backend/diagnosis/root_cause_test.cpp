#include <QTest>

#include "tests/backend/diagnosis/diagnosed.h"

using namespace yard;
using domain::Reason;

/// The kernel as a second witness, and how a verdict is told.

class RootCauseTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theKernelExplainsALaunchFailure();
    void anOldFaultOfTheKernelExplainsNothing_data();
    void anOldFaultOfTheKernelExplainsNothing();
    void aProcessKilledByNobodyKnownIsUnknown();
    void theEarliestOfManyRanksIsTheRoot();
    void teardownXidsExplainNothing();
    void theKernelDoesNotOverruleAProgramsOwnError();
    void aSickKernelLogAloneIsNoFailure();
    void repeatsFoldIntoOneFact();
    void anUnknownEndIsSaidToBeUnknown();
    void evidenceCarriesLineNumbers();
    void anEmptyLogTellsNothing();
    void aHugeLineIsRead();
    void brokenBytesAreRead();
};

namespace {

constexpr const char* kLaunchFailure =
    "step 1 loss 2.0\n"
    "[rank3]: Traceback (most recent call last):\n"
    "[rank3]:   File \"t.py\", line 1, in <module>\n"
    "[rank3]: RuntimeError: CUDA error: unspecified launch failure\n"
    "srun: error: gpu17: task 3: Exited with exit code 1\n";

}  // namespace

void RootCauseTest::theKernelExplainsALaunchFailure()
{
    const domain::Verdict alone = diagnosed(kLaunchFailure);
    QVERIFY(alone.reason == Reason::CudaError);
    QVERIFY(alone.cordonNode.empty());

    const domain::Verdict both =
        diagnosed(kLaunchFailure,
                  "Nov  2 10:00:01 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=4411, DBE\n");
    QVERIFY(both.reason == Reason::EccError);
    QCOMPARE(both.node, std::string("gpu17"));
    QCOMPARE(both.cordonNode, std::string("gpu17"));
    QCOMPARE(both.gpu, std::string("0000:3b:00"));
    QVERIFY(both.certainty == domain::Certainty::Established);
    QCOMPARE(both.evidence.back().source, std::string("kernel.log"));
}

void RootCauseTest::anOldFaultOfTheKernelExplainsNothing_data()
{
    QTest::addColumn<QByteArray>("moment");
    QTest::addColumn<bool>("explains");
    QTest::newRow("a minute before") << QByteArray("Nov  2 09:59:01") << true;
    QTest::newRow("half an hour before") << QByteArray("Nov  2 09:30:01") << true;
    QTest::newRow("a zone apart") << QByteArray("Nov  2 07:59:30") << true;
    QTest::newRow("with its year") << QByteArray("2024-11-02T09:59:59") << true;
    QTest::newRow("the evening before") << QByteArray("Nov  1 17:10:01") << false;
    QTest::newRow("hours later") << QByteArray("Nov  2 15:17:01") << false;
    QTest::newRow("a week before") << QByteArray("Oct 26 10:00:01") << false;
    QTest::newRow("a year before") << QByteArray("2023-11-02T10:00:01") << false;
}

void RootCauseTest::anOldFaultOfTheKernelExplainsNothing()
{
    QFETCH(QByteArray, moment);
    QFETCH(bool, explains);
    const domain::Verdict verdict = diagnosed(
        "2024-11-02 09:59:40 step 1 loss 2.0\n"
        "2024-11-02 10:00:00 ERROR rank3: RuntimeError: CUDA error: unspecified launch failure\n",
        moment.toStdString() + " gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=4411, DBE\n");
    QCOMPARE(verdict.reason == Reason::EccError, explains);
    QCOMPARE(verdict.cordonNode.empty(), !explains);
}

void RootCauseTest::aProcessKilledByNobodyKnownIsUnknown()
{
    const std::string killed =
        "step 1 loss 2.0\nsrun: error: n1: task 0: Killed\n"
        "/slurm_script: line 22: 20114 Killed       python train.py\n";
    const domain::Verdict alone = diagnosed(killed);
    QVERIFY(alone.reason == Reason::Unknown);
    QVERIFY(alone.certainty == domain::Certainty::Possible);
    QVERIFY(alone.cause.find("SIGKILL") != std::string::npos);

    const domain::Verdict explained =
        diagnosed(killed + "slurmstepd: error: Detected 1 oom_kill event in StepId=22190.0.\n");
    QVERIFY(explained.reason == Reason::OutOfMemoryError);
}

void RootCauseTest::theEarliestOfManyRanksIsTheRoot()
{
    const domain::Verdict verdict = diagnosed(
        "2024-11-02 10:00:09 rank1: RuntimeError: CUDA error: uncorrectable ECC error\n"
        "2024-11-02 10:00:02 rank0: RuntimeError: CUDA error: uncorrectable ECC error\n"
        "2024-11-02 10:00:05 rank2: RuntimeError: CUDA error: uncorrectable ECC error\n");
    QVERIFY(verdict.reason == Reason::EccError);
    QCOMPARE(verdict.evidence.front().line, uint64_t(2));
}

void RootCauseTest::teardownXidsExplainNothing()
{
    std::string kernel;
    for (int i = 0; i < 600; ++i)
        kernel += "Nov  2 10:00:01 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 45, pid=4411, Ch 1\n";
    const domain::Verdict verdict = diagnosed(kLaunchFailure, kernel);
    QVERIFY(verdict.reason == Reason::CudaError);
    QVERIFY(verdict.cordonNode.empty());
}

void RootCauseTest::theKernelDoesNotOverruleAProgramsOwnError()
{
    const domain::Verdict verdict = diagnosed(
        "Traceback (most recent call last):\n  File \"t.py\", line 1, in <module>\n"
        "KeyError: 'text'\n",
        "Nov  2 10:00:01 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=4411, DBE\n");
    QVERIFY(verdict.reason == Reason::KeyError);
    QVERIFY(verdict.cordonNode.empty());
}

void RootCauseTest::aSickKernelLogAloneIsNoFailure()
{
    const domain::Verdict verdict =
        diagnosed("step 1 loss 2.0\nstep 2 loss 2.0\n",
                  "Nov  2 10:00:01 gpu17 kernel: NVRM: Xid (PCI:0000:3b:00): 48, pid=4411, DBE\n");
    QVERIFY(verdict.reason == Reason::NoFailure);
}

void RootCauseTest::repeatsFoldIntoOneFact()
{
    std::string log;
    for (int i = 0; i < 50'000; ++i)
        log += "n1: [812233.1] NVRM: Xid (PCI:0000:3b:00): 95, pid=4411, Uncontained\n";
    const domain::Verdict verdict = diagnosed(log);
    QVERIFY(verdict.reason == Reason::EccError);
    QCOMPARE(verdict.node, std::string("n1"));
    QVERIFY(verdict.evidence.size() <= 12);
}

void RootCauseTest::anUnknownEndIsSaidToBeUnknown()
{
    const domain::Verdict verdict =
        diagnosed("step 1 loss 2.0\nsrun: error: n1: task 0: Exited with exit code 1\n");
    QVERIFY(verdict.reason == Reason::Unknown);
    QVERIFY(verdict.certainty == domain::Certainty::Unknown);
    QVERIFY(!verdict.shouldRestart);
}

void RootCauseTest::evidenceCarriesLineNumbers()
{
    const domain::Verdict verdict = diagnosed(kLaunchFailure);
    QCOMPARE(verdict.evidence.front().line, uint64_t(4));
    QCOMPARE(verdict.rank.value_or(-1), 3);
}

void RootCauseTest::anEmptyLogTellsNothing()
{
    QVERIFY(diagnosed("").reason == Reason::Unknown);
    QVERIFY(diagnosed("\n\n").reason == Reason::Unknown);
}

void RootCauseTest::aHugeLineIsRead()
{
    std::string log = "start\n";
    for (int i = 0; i < 400'000; ++i)
        log += "\r 48%|####  | 2998/6200 [3:19<3:33, 4.0s/it]";
    log += "\rRuntimeError: CUDA error: uncorrectable ECC error encountered\nend\n";
    const domain::Verdict verdict = diagnosed(log);
    QVERIFY(verdict.reason == Reason::EccError);
    QCOMPARE(verdict.evidence.front().line, uint64_t(2));
}

void RootCauseTest::brokenBytesAreRead()
{
    const domain::Verdict verdict = diagnosed(
        "\xff\xfe\x80 step 1\n[rank1]: \xc3\x28 RuntimeError\n"
        "[rank1]: KeyError: '\xff\xff'\n");
    QVERIFY(verdict.reason == Reason::KeyError);
}

QTEST_GUILESS_MAIN(RootCauseTest)
#include "root_cause_test.moc"
