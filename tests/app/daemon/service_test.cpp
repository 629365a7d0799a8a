#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

/// yardmasterd as a service: what it tells systemd, and whose end is its own.
class ServiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void systemdIsToldOfReadinessWatchdogAndStop();
    void itEndsWithTheProcessThatStartedIt();
    void aFolderThatWasThereKeepsItsMode();

private:
    QStringList arguments() const
    {
        return {QStringLiteral("--demo"), QStringLiteral("nodes=4"), QStringLiteral("--socket"),
                m_folder->filePath(QStringLiteral("yard.sock"))};
    }
    /// The messages received until one contains `words`, or none comes in time.
    QByteArray received(const char* words, int timeoutMs = 20'000);

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_daemon;
    int m_notify = -1;
};

void ServiceTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>(QStringLiteral("/tmp/yard-service-XXXXXX"));
    const QByteArray path = m_folder->filePath(QStringLiteral("notify")).toUtf8();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.constData(), size_t(path.size()) + 1);
    m_notify = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    QCOMPARE(bind(m_notify, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    m_daemon = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("NOTIFY_SOCKET"), QString::fromUtf8(path));
    environment.insert(QStringLiteral("WATCHDOG_USEC"), QStringLiteral("400000"));
    m_daemon->setProcessEnvironment(environment);
}

void ServiceTest::cleanup()
{
    if (m_daemon->state() != QProcess::NotRunning) {
        m_daemon->kill();
        m_daemon->waitForFinished();
    }
    close(m_notify);
}

QByteArray ServiceTest::received(const char* words, int timeoutMs)
{
    QByteArray all;
    QElapsedTimer waited;
    waited.start();
    while (!all.contains(words) && waited.elapsed() < timeoutMs) {
        char buffer[4096];
        const ssize_t size = recv(m_notify, buffer, sizeof buffer, 0);
        if (size > 0)
            all += QByteArray(buffer, size) + '\n';
        else
            QTest::qWait(10);
    }
    return all;
}

void ServiceTest::systemdIsToldOfReadinessWatchdogAndStop()
{
    m_daemon->start(QStringLiteral(YARD_BIN "/yardmasterd"), arguments());
    const QByteArray ready = received("READY=1");
    QVERIFY2(ready.contains("READY=1"), ready.constData());
    QVERIFY(!ready.contains("WATCHDOG=1"));
    QVERIFY(QFile::exists(m_folder->filePath(QStringLiteral("yard.sock"))));
    for (int i = 0; i < 3; ++i)
        QVERIFY(received("WATCHDOG=1", 5'000).contains("WATCHDOG=1"));
    m_daemon->terminate();
    QVERIFY(received("STOPPING=1").contains("STOPPING=1"));
    QVERIFY(m_daemon->waitForFinished(20'000));
    QCOMPARE(m_daemon->exitCode(), 0);
}

void ServiceTest::aFolderThatWasThereKeepsItsMode()
{
    const QByteArray shared = m_folder->filePath(QStringLiteral("shared")).toUtf8();
    QCOMPARE(mkdir(shared.constData(), 0700), 0);
    QCOMPARE(chmod(shared.constData(), 01777), 0);
    m_daemon->start(
        QStringLiteral(YARD_BIN "/yardmasterd"),
        arguments() + QStringList{QStringLiteral("--state-dir"), QString::fromUtf8(shared)});
    QVERIFY(received("READY=1").contains("READY=1"));
    struct stat now {};
    QCOMPARE(stat(shared.constData(), &now), 0);
    QCOMPARE(now.st_mode & 07777, mode_t(01777));
}

void ServiceTest::itEndsWithTheProcessThatStartedIt()
{
    // A shell starts it, says its pid, and waits to be ended.
    m_daemon->start(QStringLiteral("/bin/sh"),
                    QStringList{QStringLiteral("-c"), QStringLiteral("\"$@\" & echo $!; wait"),
                                QStringLiteral("sh"), QStringLiteral(YARD_BIN "/yardmasterd"),
                                QStringLiteral("--exit-with-parent")} +
                        arguments());
    QVERIFY(received("READY=1").contains("READY=1"));
    QTRY_VERIFY(m_daemon->canReadLine() || m_daemon->waitForReadyRead(100));
    const auto pid = pid_t(m_daemon->readLine().trimmed().toLong());
    QVERIFY(pid > 1);
    QCOMPARE(kill(pid, 0), 0);
    m_daemon->kill();
    QVERIFY(received("STOPPING=1").contains("STOPPING=1"));
    // Its socket goes last of what can be seen from outside.
    QTRY_VERIFY_WITH_TIMEOUT(!QFile::exists(m_folder->filePath(QStringLiteral("yard.sock"))),
                             20'000);
}

QTEST_GUILESS_MAIN(ServiceTest)
#include "service_test.moc"
