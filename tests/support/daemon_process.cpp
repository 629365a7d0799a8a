#include "tests/support/daemon_process.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <cstring>

namespace yard::test {
namespace {

bool accepts(const QString& socketPath)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = socketPath.toLocal8Bit();
    if (size_t(path.size()) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path.constData(), size_t(path.size()) + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool connected =
        connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(fd);
    return connected;
}

}  // namespace

DaemonProcess::DaemonProcess(QStringList arguments, const QString& config)
    : m_directory(QStringLiteral("/tmp/yard-test-XXXXXX"))
    , m_arguments(std::move(arguments))
{
    if (!config.isEmpty()) {
        QFile file(configPath());
        if (file.open(QIODevice::WriteOnly))
            file.write(config.toUtf8());
        m_arguments << QStringLiteral("--config") << configPath();
    }
    m_arguments << QStringLiteral("--socket") << socketPath() << QStringLiteral("--state-dir")
                << stateDirectory() << QStringLiteral("--exit-with-parent");
    m_process.setProgram(QCoreApplication::applicationDirPath() + QStringLiteral("/yardmasterd"));
    m_process.setArguments(m_arguments);
    m_process.setStandardOutputFile(QProcess::nullDevice());
}

DaemonProcess::~DaemonProcess()
{
    stop();
}

bool DaemonProcess::start(int timeoutMs)
{
    m_process.start();
    if (!m_process.waitForStarted(timeoutMs))
        return false;
    QElapsedTimer waited;
    waited.start();
    while (!accepts(socketPath())) {
        if (waited.elapsed() > timeoutMs || m_process.waitForFinished(20))
            return false;
    }
    return isRunning();
}

int DaemonProcess::stop(int timeoutMs)
{
    if (!isRunning())
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    m_process.terminate();
    if (!m_process.waitForFinished(timeoutMs)) {
        kill();
        return -1;
    }
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

void DaemonProcess::kill()
{
    m_process.kill();
    m_process.waitForFinished(10'000);
}

QString DaemonProcess::errorOutput()
{
    m_errorOutput += m_process.readAllStandardError();
    return QString::fromLocal8Bit(m_errorOutput);
}

}  // namespace yard::test
