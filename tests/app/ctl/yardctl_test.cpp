#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>
#include <memory>

#include "tests/support/daemon_process.h"

using yard::test::DaemonProcess;

namespace {

struct Result {
    int code = -1;
    QByteArray output;
    QByteArray error;
    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
};

Result yardctl(const QString& socket, const QStringList& arguments)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("YARD_SOCKET"), socket);
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(QStringLiteral(YARD_BIN "/yardctl"), arguments);
    Result result;
    if (process.waitForFinished(60'000) && process.exitStatus() == QProcess::NormalExit)
        result.code = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.error = process.readAllStandardError();
    return result;
}

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

}  // namespace

class YardctlTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void nodesJobsAndGpusAgree();
    void tablesAreAligned();
    void filtersNarrow();
    void drainIsObservedAndUndone();
    void dryRunChangesNothing();
    void nothingHappensWithoutConfirmation();
    void aboveEightTheCountIsNeeded();
    void aRepeatIsTheSameOperation();
    void wrongInputHasItsCode();
    void wrongInputIsASentence_data();
    void wrongInputIsASentence();
    void textThatIsNoUtf8IsRefusedHere();
    void unknownNamesOfAFilterAreNamed();
    void previewsUseUpNoNumbers();
    void aPathThatIsNoSocketIsASentence_data();
    void aPathThatIsNoSocketIsASentence();
    void aChainMustStartAtItsBeginning();
    void theAuditChainVerifiesAndTamperingShows();
    void watchTellsOfADrain();
    void aViewerIsRefused();
    void aMissingDaemonIsASentence();
    void aSchedulerNeverReadIsNoEmptyCluster();
    void aSecondDaemonIsRefused();
    void aStaleSocketIsReplacedAfterACrash();
    void sigtermEndsItCleanly();
    void checkConfigPrintsEveryMistake();

private:
    Result run(const char* arguments) { return yardctl(m_daemon->socketPath(), words(arguments)); }
    QJsonObject node(const QString& name);

    std::unique_ptr<DaemonProcess> m_daemon;
};

void YardctlTest::initTestCase()
{
    m_daemon = std::make_unique<DaemonProcess>(QStringList{
        QStringLiteral("--demo"), QStringLiteral("nodes=24,failures=off,oddities=off")});
    QVERIFY2(m_daemon->start(), qPrintable(m_daemon->errorOutput()));
    QTRY_COMPARE_WITH_TIMEOUT(run("nodes --json").json()[QStringLiteral("nodes")].toArray().size(),
                              24, 20'000);
}

QJsonObject YardctlTest::node(const QString& name)
{
    const Result result =
        yardctl(m_daemon->socketPath(), {QStringLiteral("nodes"), name, QStringLiteral("--json")});
    return result.json()[QStringLiteral("nodes")].toArray().at(0).toObject();
}

void YardctlTest::nodesJobsAndGpusAgree()
{
    const QJsonArray nodes = run("nodes --json").json()[QStringLiteral("nodes")].toArray();
    const QJsonArray gpus = run("gpus --json").json()[QStringLiteral("gpus")].toArray();
    const QJsonArray jobs = run("jobs --json").json()[QStringLiteral("jobs")].toArray();
    int total = 0;
    for (const QJsonValue& value : nodes) {
        const QJsonObject node = value.toObject();
        for (const char* key :
             {"name", "state", "flags", "state_text", "category", "reason", "partitions"})
            QVERIFY2(node.contains(QLatin1String(key)), key);
        total += node[QStringLiteral("gpus_total")].toInt();
    }
    QCOMPARE(int(gpus.size()), total);
    QVERIFY(!jobs.isEmpty());
    QVERIFY(gpus.at(0).toObject()[QStringLiteral("metrics")].toObject().contains(
        QStringLiteral("power")));
}

void YardctlTest::tablesAreAligned()
{
    const Result result = run("nodes");
    QCOMPARE(result.code, 0);
    const QList<QByteArray> lines = result.output.trimmed().split('\n');
    QCOMPARE(int(lines.size()), 25);
    const auto column = lines[0].indexOf("CATEGORY");
    for (const QByteArray& line : lines)
        QVERIFY(line.at(column) != ' ' && line.at(column - 1) == ' ');
}

void YardctlTest::filtersNarrow()
{
    QCOMPARE(run("nodes gpu[001-010]!gpu[003-004]&gpu[002-005] --json")
                 .json()[QStringLiteral("nodes")]
                 .toArray()
                 .size(),
             2);
    QCOMPARE(
        run("nodes --partition no-such --json").json()[QStringLiteral("nodes")].toArray().size(),
        0);
    const QJsonArray running =
        run("jobs --state running --json").json()[QStringLiteral("jobs")].toArray();
    QVERIFY(!running.isEmpty());
    for (const QJsonValue& job : running)
        QCOMPARE(job.toObject()[QStringLiteral("state")].toString(), QStringLiteral("RUNNING"));
}

void YardctlTest::drainIsObservedAndUndone()
{
    const Result drained =
        yardctl(m_daemon->socketPath(), {QStringLiteral("drain"), QStringLiteral("gpu[003-004]"),
                                         QStringLiteral("--reason"), QStringLiteral("disk failed"),
                                         QStringLiteral("--yes"), QStringLiteral("--json")});
    QVERIFY2(drained.code == 0, drained.error.constData());
    const QJsonObject operation = drained.json()[QStringLiteral("operation")].toObject();
    QCOMPARE(operation[QStringLiteral("state")].toString(), QStringLiteral("observed"));
    const QString id = QString::number(operation[QStringLiteral("id")].toInt());
    const QJsonObject after = node(QStringLiteral("gpu003"));
    QVERIFY(after[QStringLiteral("flags")].toArray().contains(QStringLiteral("DRAIN")));
    QCOMPARE(after[QStringLiteral("reason")].toString(),
             QStringLiteral("yard:%1 disk failed").arg(id));

    const Result undone =
        yardctl(m_daemon->socketPath(), {QStringLiteral("undo"), id, QStringLiteral("--yes")});
    QVERIFY2(undone.code == 0, undone.error.constData());
    QVERIFY(!node(QStringLiteral("gpu003"))[QStringLiteral("flags")].toArray().contains(
        QStringLiteral("DRAIN")));
}

void YardctlTest::dryRunChangesNothing()
{
    const Result preview = run("drain gpu005 --reason why --dry-run --json");
    QCOMPARE(preview.code, 0);
    QVERIFY(preview.json()[QStringLiteral("operation")].isNull());
    QVERIFY(preview.json()[QStringLiteral("preview")]
                .toObject()[QStringLiteral("commands")]
                .toArray()
                .at(0)
                .toString()
                .startsWith(QStringLiteral("scontrol update")));
    QVERIFY(node(QStringLiteral("gpu005"))[QStringLiteral("flags")].toArray().isEmpty());
}

void YardctlTest::nothingHappensWithoutConfirmation()
{
    QCOMPARE(run("drain gpu005 --reason why").code, 7);
    QVERIFY(node(QStringLiteral("gpu005"))[QStringLiteral("flags")].toArray().isEmpty());
}

void YardctlTest::aboveEightTheCountIsNeeded()
{
    QCOMPARE(run("drain gpu[010-019] --reason why --yes").code, 4);
    QCOMPARE(run("drain gpu[010-019] --reason why --yes --count 9").code, 4);
    QVERIFY(node(QStringLiteral("gpu010"))[QStringLiteral("flags")].toArray().isEmpty());
    QCOMPARE(run("drain gpu[010-019] --reason why --yes --count 10").code, 0);
    QCOMPARE(run("resume gpu[010-019] --yes --count 10").code, 0);
}

void YardctlTest::aRepeatIsTheSameOperation()
{
    const auto id = [](const Result& result) {
        return result.json()[QStringLiteral("operation")].toObject()[QStringLiteral("id")].toInt();
    };
    const Result first = run("drain gpu006 --reason why --yes --json --request-id same-1");
    const Result second = run("drain gpu006 --reason why --yes --json --request-id same-1");
    QVERIFY(id(first) > 0);
    if (second.code == 0)
        QCOMPARE(id(second), id(first));
    QCOMPARE(run("resume gpu006 --yes").code, 0);
}

void YardctlTest::wrongInputHasItsCode()
{
    QCOMPARE(run("drain gpu001 --yes").code, 1);
    QCOMPARE(run("dance").code, 1);
    QCOMPARE(run("nodes gpu[1-").code, 3);
    QCOMPARE(run("nodes gpu999").code, 3);
    QCOMPARE(run("drain gpu999 --reason why --yes").code, 3);
    QCOMPARE(run("cancel not-a-job --yes").code, 3);
    QVERIFY(run("--help").output.contains("Exit codes: 0 done"));
}

void YardctlTest::wrongInputIsASentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("sentence");
    QTest::newRow("unknown verb") << words("dance gpu001") << 1
                                  << QByteArray("There is no verb \"dance\"");
    QTest::newRow("negative operation") << words("undo -1") << 1 << QByteArray("\"-1\"");
    QTest::newRow("operation zero") << words("undo 0") << 1 << QByteArray("0");
    QTest::newRow("empty reason") << (words("drain gpu001 --yes --reason") << QString()) << 1
                                  << QByteArray("--reason is empty");
    QTest::newRow("long reason") << (words("drain gpu001 --yes --reason")
                                     << QString(501, QLatin1Char('x')))
                                 << 3 << QByteArray("at most 500");
}

void YardctlTest::wrongInputIsASentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QByteArray, sentence);
    const Result result = yardctl(m_daemon->socketPath(), arguments);
    QVERIFY2(result.error.contains(sentence), result.error.constData());
    QCOMPARE(result.code, code);
}

void YardctlTest::textThatIsNoUtf8IsRefusedHere()
{
    // QProcess would encode the argument; a shell passes it on.
    const auto run = [this](const char* command) {
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"),
                    {QStringLiteral("-c"),
                     QString::fromLatin1(command).arg(QStringLiteral(YARD_BIN "/yardctl"),
                                                      m_daemon->socketPath())});
        if (!shell.waitForFinished(60'000))
            return QByteArray("did not end");
        return QByteArray::number(shell.exitCode()) + ' ' + shell.readAllStandardError();
    };
    const QByteArray reason =
        run("%1 --socket %2 drain gpu001 --yes --reason \"$(printf 'a\\377b')\"");
    QCOMPARE(reason, QByteArray("3 yardctl: --reason is not valid UTF-8 text. Nothing was done; "
                                "write it in UTF-8.\n"));
    const QByteArray nodes =
        run("%1 --socket %2 drain \"$(printf 'gpu\\377')\" --yes --reason why");
    QVERIFY2(nodes.startsWith("3 yardctl: NODES is not valid UTF-8 text."), nodes.constData());
    const QByteArray jobs = run("%1 --socket %2 cancel \"$(printf '1\\377')\" --yes");
    QVERIFY2(jobs.startsWith("3 yardctl: JOBS is not valid UTF-8 text."), jobs.constData());
    const QByteArray turned =
        run("%1 --socket %2 drain gpu001 --yes --reason \"$(printf 'a\\342\\200\\256b')\"");
    QVERIFY2(turned.startsWith("3 yardctl: --reason has a line break, another control character or "
                               "one that changes the direction of text in it: \"a<U+202E>b\"."),
             turned.constData());
}

void YardctlTest::unknownNamesOfAFilterAreNamed()
{
    const Result state = run("nodes --state sleeping");
    QCOMPARE(state.code, 3);
    QVERIFY2(state.error.contains("There is no state sleeping. Known are: "),
             state.error.constData());
    QVERIFY(state.error.contains("draining"));
    const Result partition = run("jobs --partition no-such");
    QCOMPARE(partition.code, 3);
    QVERIFY2(partition.error.contains("has no partition no-such. It has: "),
             partition.error.constData());
    const Result job = run("jobs 999999999");
    QCOMPARE(job.code, 3);
    QVERIFY2(job.error.contains("reports no job 999999999"), job.error.constData());
    const Result none = run("nodes --state future");
    QCOMPARE(none.code, 0);
    QCOMPARE(none.error, QByteArray("yardctl: No nodes match.\n"));
    QCOMPARE(run("jobs --state running,pending").code, 0);
    QCOMPARE(run("gpus --state idle,mixed,allocated").code, 0);
}

void YardctlTest::previewsUseUpNoNumbers()
{
    const auto id = [](const Result& result) {
        return result.json()[QStringLiteral("operation")].toObject()[QStringLiteral("id")].toInt();
    };
    const int first = id(run("drain gpu009 --reason why --yes --json"));
    QVERIFY(first > 0);
    for (int i = 0; i < 3; ++i)
        QCOMPARE(run("resume gpu009 --dry-run").code, 0);
    QCOMPARE(id(run("resume gpu009 --yes --json")), first + 1);
}

void YardctlTest::aPathThatIsNoSocketIsASentence_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QByteArray>("sentence");
    const QString folder = m_daemon->directory();
    QTest::newRow("folder") << folder << QByteArray("is a folder, not the socket");
    QTest::newRow("plain file") << m_daemon->directory() + QStringLiteral("/plain")
                                << QByteArray("is a plain file, not the socket");
    QTest::newRow("dead socket") << m_daemon->directory() + QStringLiteral("/dead.sock")
                                 << QByteArray("Nobody serves on");
    QTest::newRow("too long") << QStringLiteral("/tmp/") + QString(120, QLatin1Char('x'))
                              << QByteArray("has 125 bytes; the system allows 107");
    QTest::newRow("missing") << folder + QStringLiteral("/none.sock")
                             << QByteArray("there is no such socket");
}

void YardctlTest::aPathThatIsNoSocketIsASentence()
{
    QFETCH(QString, path);
    QFETCH(QByteArray, sentence);
    QFile plain(m_daemon->directory() + QStringLiteral("/plain"));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    plain.close();
    const QByteArray dead = (m_daemon->directory() + QStringLiteral("/dead.sock")).toUtf8();
    unlink(dead.constData());
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, dead.constData(), size_t(dead.size()) + 1);
    QCOMPARE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    close(fd);

    for (const char* verb : {"nodes", "drain gpu001 --reason why --yes", "watch", "audit"}) {
        const Result result = yardctl(path, words(verb));
        QCOMPARE(result.code, 2);
        QVERIFY2(result.error.contains(sentence), result.error.constData());
        QCOMPARE(int(result.error.count('\n')), 1);
    }
}

void YardctlTest::aChainMustStartAtItsBeginning()
{
    QCOMPARE(run("drain gpu007 --reason chained --yes").code, 0);
    QCOMPARE(run("resume gpu007 --yes").code, 0);
    const QByteArray chain = run("audit --json").output;
    const QString path = m_daemon->directory() + QStringLiteral("/part.jsonl");
    const auto verify = [&](const QByteArray& text, const QStringList& more = {}) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return Result{};
        file.close();
        return yardctl(QStringLiteral("/nowhere"),
                       QStringList{QStringLiteral("audit"), QStringLiteral("verify"), path} + more);
    };
    const Result empty = verify("");
    QCOMPARE(empty.code, 3);
    QVERIFY2(empty.error.contains("holds no audit record"), empty.error.constData());
    const QByteArray part = chain.mid(chain.indexOf('\n', chain.indexOf('\n') + 1) + 1);
    const Result cut = verify(part);
    QCOMPARE(cut.code, 3);
    QVERIFY2(cut.error.contains("starts at record 3: the 2 before it are missing"),
             cut.error.constData());
    const Result continued = verify(part, {QStringLiteral("--continued")});
    QVERIFY2(continued.code == 0, continued.error.constData());
    QVERIFY2(continued.output.contains("The chain of records 3 to "), continued.output.constData());
}

void YardctlTest::theAuditChainVerifiesAndTamperingShows()
{
    QCOMPARE(run("drain gpu007 --reason original --yes").code, 0);
    const QByteArray chain = run("audit --json").output;
    QVERIFY(chain.contains("original"));
    const QString path = m_daemon->directory() + QStringLiteral("/chain.jsonl");
    const auto verify = [&](const QByteArray& text) {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return -1;
        file.close();
        return yardctl(QStringLiteral("/nowhere"),
                       {QStringLiteral("audit"), QStringLiteral("verify"), path})
            .code;
    };
    QCOMPARE(verify(chain), 0);
    QCOMPARE(verify(QByteArray(chain).replace("original", "doctored")), 3);
    QList<QByteArray> lines = chain.split('\n');
    lines.removeAt(1);
    QCOMPARE(verify(lines.join('\n')), 3);
    QCOMPARE(verify(chain.left(chain.size() / 2)), 3);
}

void YardctlTest::watchTellsOfADrain()
{
    QProcess watch;
    watch.start(QStringLiteral(YARD_BIN "/yardctl"),
                {QStringLiteral("watch"), QStringLiteral("--json"), QStringLiteral("--socket"),
                 m_daemon->socketPath()});
    QVERIFY(watch.waitForStarted());
    QByteArray seen;
    // It may not have its first update yet: drain and resume until it tells.
    for (int i = 0; i < 10 && !seen.contains("\"gpu008\""); ++i) {
        QCOMPARE(run("drain gpu008 --reason watched --yes").code, 0);
        watch.waitForReadyRead(1000);
        seen += watch.readAllStandardOutput();
        QCOMPARE(run("resume gpu008 --yes").code, 0);
    }
    QVERIFY2(seen.contains("\"gpu008\""), seen.constData());
    watch.kill();
    watch.waitForFinished();
    QCOMPARE(run("nodes").code, 0);
}

void YardctlTest::aViewerIsRefused()
{
    DaemonProcess daemon({},
                         QStringLiteral("[access]\nviewer_users = [\"%1\"]\n[scheduler]\nkind = "
                                        "\"simulated\"\n[simulated]\ncluster = \"nodes=16\"\n")
                             .arg(getuid()));
    QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
    QCOMPARE(yardctl(daemon.socketPath(), words("nodes")).code, 0);
    const Result refused = yardctl(daemon.socketPath(), words("drain gpu001 --reason why --yes"));
    QCOMPARE(refused.code, 4);
    QVERIFY2(refused.error.contains("needs the role operator"), refused.error.constData());
}

void YardctlTest::aMissingDaemonIsASentence()
{
    const Result result =
        yardctl(QStringLiteral("/tmp/no-such-folder-of-ours/yard.sock"), words("nodes"));
    QCOMPARE(result.code, 2);
    QVERIFY2(result.error.contains("No yardmasterd serves on"), result.error.constData());
}

void YardctlTest::aSchedulerNeverReadIsNoEmptyCluster()
{
    DaemonProcess daemon(
        {},
        QStringLiteral("[scheduler]\nkind = \"slurm\"\n[slurm]\nbin_directory = \"/nonexist\"\n"));
    QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
    for (const char* verb : {"nodes", "jobs", "gpus"}) {
        const Result result = yardctl(daemon.socketPath(), words(verb));
        QCOMPARE(result.code, 3);
        QVERIFY2(result.error.contains("has not been read"), result.error.constData());
    }
}

void YardctlTest::aSecondDaemonIsRefused()
{
    QProcess second;
    second.start(QStringLiteral(YARD_BIN "/yardmasterd"),
                 {QStringLiteral("--demo"), QStringLiteral("nodes=4"), QStringLiteral("--socket"),
                  m_daemon->socketPath()});
    QVERIFY(second.waitForFinished(20'000));
    QCOMPARE(second.exitCode(), 3);
    QVERIFY(second.readAllStandardError().contains("already serves on"));
    QCOMPARE(run("nodes").code, 0);
}

void YardctlTest::aStaleSocketIsReplacedAfterACrash()
{
    DaemonProcess daemon({QStringLiteral("--demo"), QStringLiteral("nodes=16")});
    QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
    daemon.kill();
    QVERIFY(QFile::exists(daemon.socketPath()));
    QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
    QCOMPARE(yardctl(daemon.socketPath(), words("nodes")).code, 0);
}

void YardctlTest::sigtermEndsItCleanly()
{
    DaemonProcess daemon({QStringLiteral("--demo"), QStringLiteral("nodes=16")});
    QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
    QProcess watch;
    watch.start(QStringLiteral(YARD_BIN "/yardctl"),
                {QStringLiteral("watch"), QStringLiteral("--socket"), daemon.socketPath()});
    QVERIFY(watch.waitForReadyRead(20'000));
    QCOMPARE(daemon.stop(), 0);
    QVERIFY(!QFile::exists(daemon.socketPath()));
    QVERIFY(watch.waitForFinished(10'000));
    QCOMPARE(watch.exitCode(), 2);
}

void YardctlTest::checkConfigPrintsEveryMistake()
{
    const QString path = m_daemon->directory() + QStringLiteral("/bad.toml");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("[socket]\npath = 3\n[scheduler]\nkindd = \"slurm\"\n");
    file.close();
    QProcess check;
    check.start(QStringLiteral(YARD_BIN "/yardmasterd"),
                {QStringLiteral("--check-config"), QStringLiteral("--config"), path});
    QVERIFY(check.waitForFinished(20'000));
    QCOMPARE(check.exitCode(), 2);
    const QByteArray said = check.readAllStandardError();
    QVERIFY(said.contains("bad.toml:2: socket.path"));
    QVERIFY(said.contains("bad.toml:4: scheduler.kindd"));
}

QTEST_GUILESS_MAIN(YardctlTest)
#include "yardctl_test.moc"
