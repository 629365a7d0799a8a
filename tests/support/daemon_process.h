#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

namespace yard::test {

/// A real yardmasterd on a UNIX socket in a directory of its own, for as long as this lives. It
/// ends with the test, also with one that is killed.
///
///     DaemonProcess daemon({QStringLiteral("--demo"), QStringLiteral("nodes=16")});
///     QVERIFY2(daemon.start(), qPrintable(daemon.errorOutput()));
class DaemonProcess {
public:
    /// `arguments` as on the command line, without --socket and --state-dir. `config`: text of a
    /// configuration file; empty: none is used.
    explicit DaemonProcess(QStringList arguments = {QStringLiteral("--demo")},
                           const QString& config = {});
    ~DaemonProcess();

    /// Starts and waits until it serves. False if it ended or did not serve in time.
    bool start(int timeoutMs = 30'000);
    /// SIGTERM, then waits. The exit code; -1 if it crashed or had to be killed.
    int stop(int timeoutMs = 10'000);
    /// SIGKILL, then waits. State and socket stay: start() goes on with them.
    void kill();

    bool isRunning() const { return m_process.state() == QProcess::Running; }
    qint64 pid() const { return m_process.processId(); }
    QString directory() const { return m_directory.path(); }
    QString socketPath() const { return m_directory.filePath(QStringLiteral("yard.sock")); }
    QString stateDirectory() const { return m_directory.filePath(QStringLiteral("state")); }
    QString configPath() const { return m_directory.filePath(QStringLiteral("yardmasterd.toml")); }
    /// All it has written to standard error so far.
    QString errorOutput();

private:
    QTemporaryDir m_directory;
    QStringList m_arguments;
    QProcess m_process;
    QByteArray m_errorOutput;
};

}  // namespace yard::test
