#include "backend/base/process.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace yard;
using namespace std::chrono_literals;

namespace {

StatusOr<ProcessResult> sh(const std::string& script, Deadline deadline = Deadline::in(20s))
{
    return runProcess({.arguments = {"sh", "-c", script}}, deadline);
}

}  // namespace

class ProcessTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void outputErrorAndExitCodeAreKeptApart();
    void bytesComeAsTheyAre();
    void aSignalIs128AndItsNumber();
    void aMissingProgramIsNotFound();
    void nothingToRunIsRefused();
    void theDeadlineEndsTheProgramAndItsChildren();
    void muchOutputOnBothPipesDoesNotBlock();
    void tooMuchOutputIsRefused();
    void inputIsFedAndClosed();
    void inputThatNobodyReadsIsNoError();
    void bigInputAndOutputAtOnce();
    void aGrandchildThatHoldsThePipesDoesNotHangUs();
    void environmentIsAddedToOurs();
    void argumentsAreNotSeenByAShell();
};

void ProcessTest::outputErrorAndExitCodeAreKeptApart()
{
    const auto result = sh("echo out; echo err >&2; exit 3");
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("out\n"));
    QCOMPARE(result->error, std::string("err\n"));
    QCOMPARE(result->exitCode, 3);
}

void ProcessTest::bytesComeAsTheyAre()
{
    const auto result = sh("printf 'a\\000b\\377\\036'");
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("a\0b\377\036", 5));
}

void ProcessTest::aSignalIs128AndItsNumber()
{
    const auto result = sh("kill -11 $$");
    QVERIFY(result.ok());
    QCOMPARE(result->exitCode, 128 + 11);
}

void ProcessTest::aMissingProgramIsNotFound()
{
    const auto result = runProcess({.arguments = {"/nowhere/squeue"}}, Deadline::in(5s));
    QCOMPARE(result.status().code(), absl::StatusCode::kNotFound);
    QVERIFY(std::string(result.status().message()).find("/nowhere/squeue") != std::string::npos);
    QCOMPARE(runProcess({.arguments = {"no-such-program-here"}}, Deadline::in(5s)).status().code(),
             absl::StatusCode::kNotFound);
}

void ProcessTest::nothingToRunIsRefused()
{
    QCOMPARE(runProcess({}, Deadline::in(5s)).status().code(), absl::StatusCode::kInvalidArgument);
}

void ProcessTest::theDeadlineEndsTheProgramAndItsChildren()
{
    QElapsedTimer timer;
    timer.start();
    QTemporaryDir folder;
    const std::string pidFile = folder.filePath("pid").toStdString();
    const auto result = sh("sleep 300 & echo $! > " + pidFile + "; wait", Deadline::in(500ms));
    QCOMPARE(result.status().code(), absl::StatusCode::kDeadlineExceeded);
    QVERIFY(timer.elapsed() < 5000);

    QFile file(QString::fromStdString(pidFile));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray pid = file.readAll().trimmed();
    QVERIFY(!pid.isEmpty());
    const auto hasEnded = [&] {  // gone, or a zombie that nobody has collected yet
        QFile stat("/proc/" + pid + "/stat");
        return !stat.open(QIODevice::ReadOnly) || stat.readAll().contains(") Z ");
    };
    QTRY_VERIFY(hasEnded());
}

void ProcessTest::muchOutputOnBothPipesDoesNotBlock()
{
    const auto result = sh("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2");
    QVERIFY(result.ok());
    QCOMPARE(result->output.size(), size_t(3'000'000));
    QCOMPARE(result->error.size(), size_t(3'000'000));
}

void ProcessTest::tooMuchOutputIsRefused()
{
    const auto result = runProcess(
        {.arguments = {"sh", "-c", "cat /dev/zero"}, .outputLimit = 1 << 20}, Deadline::in(20s));
    QCOMPARE(result.status().code(), absl::StatusCode::kResourceExhausted);
}

void ProcessTest::inputIsFedAndClosed()
{
    const auto result =
        runProcess({.arguments = {"cat"}, .input = "#!/bin/sh\necho hello\n"}, Deadline::in(20s));
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("#!/bin/sh\necho hello\n"));
    QCOMPARE(runProcess({.arguments = {"cat"}}, Deadline::in(20s))->output, std::string());
}

void ProcessTest::inputThatNobodyReadsIsNoError()
{
    const auto result =
        runProcess({.arguments = {"true"}, .input = std::string(4 << 20, 'x')}, Deadline::in(20s));
    QVERIFY(result.ok());
    QCOMPARE(result->exitCode, 0);
}

void ProcessTest::bigInputAndOutputAtOnce()
{
    const std::string input(5 << 20, 'y');
    const auto result = runProcess({.arguments = {"cat"}, .input = input}, Deadline::in(20s));
    QVERIFY(result.ok());
    QVERIFY(result->output == input);
}

void ProcessTest::aGrandchildThatHoldsThePipesDoesNotHangUs()
{
    QElapsedTimer timer;
    timer.start();
    const auto result = sh("echo done; sleep 8 & exit 0");
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("done\n"));
    QVERIFY(timer.elapsed() < 4000);
}

void ProcessTest::environmentIsAddedToOurs()
{
    qputenv("YARD_TEST_KEPT", "kept");
    qputenv("YARD_TEST_REPLACED", "old");
    const auto result =
        runProcess({.arguments = {"sh", "-c", "echo $YARD_TEST_KEPT $YARD_TEST_REPLACED"},
                    .environment = {{"YARD_TEST_REPLACED", "new"}}},
                   Deadline::in(20s));
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("kept new\n"));
}

void ProcessTest::argumentsAreNotSeenByAShell()
{
    const auto result =
        runProcess({.arguments = {"printf", "%s", "$(id) `id` \"x\" *\n;"}}, Deadline::in(20s));
    QVERIFY(result.ok());
    QCOMPARE(result->output, std::string("$(id) `id` \"x\" *\n;"));
}

QTEST_GUILESS_MAIN(ProcessTest)
#include "process_test.moc"
