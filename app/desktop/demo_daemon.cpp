#include "app/desktop/demo_daemon.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace yard::desktop {

constexpr int kStartMs = 30'000;
constexpr int kStopMs = 5'000;

DemoDaemon::DemoDaemon()
    : m_folder(QDir::temp().filePath(QStringLiteral("yardmaster-XXXXXX")))
{
}

DemoDaemon::~DemoDaemon()
{
    stop();
}

void DemoDaemon::stop()
{
    if (m_process.state() == QProcess::NotRunning)
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(kStopMs)) {
        m_process.kill();
        m_process.waitForFinished(kStopMs);
    }
}

QString DemoDaemon::address() const
{
    return QStringLiteral("unix:") + m_folder.filePath(QStringLiteral("yard.sock"));
}

QString DemoDaemon::lastWords()
{
    const QStringList lines =
        QString::fromUtf8(m_process.readAllStandardError()).trimmed().split(QLatin1Char('\n'));
    return lines.last();
}

QString DemoDaemon::start(const QString& demoOptions)
{
    if (!m_folder.isValid())
        return QStringLiteral("The demo cannot start: no folder can be made in %1.")
            .arg(QDir::tempPath());
    QString program =
        QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("yardmasterd"));
    if (!QFileInfo(program).isExecutable())
        program = QStandardPaths::findExecutable(QStringLiteral("yardmasterd"));
    if (program.isEmpty())
        return QStringLiteral(
            "The demo cannot start: yardmasterd is neither beside yardmaster nor in the PATH. "
            "Install it, or name a daemon with --socket.");
    QStringList arguments{QStringLiteral("--demo")};
    if (!demoOptions.isEmpty())
        arguments << demoOptions;
    const QString socket = m_folder.filePath(QStringLiteral("yard.sock"));
    arguments << QStringLiteral("--socket") << socket << QStringLiteral("--exit-with-parent");
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.start(program, arguments);
    if (!m_process.waitForStarted(kStartMs))
        return QStringLiteral("The demo cannot start: %1: %2.")
            .arg(program, m_process.errorString());
    const QDeadlineTimer deadline(kStartMs);
    while (!QFileInfo::exists(socket)) {
        if (m_process.waitForFinished(20))
            return QStringLiteral("The demo ended before it served. It said: %1").arg(lastWords());
        if (deadline.hasExpired())
            return QStringLiteral("The demo does not serve after %1 s. It said: %2")
                .arg(kStartMs / 1000)
                .arg(lastWords());
    }
    // Its log goes where ours goes, now that nobody reads it for an error.
    QObject::connect(&m_process, &QProcess::readyReadStandardError, &m_process,
                     [this] { m_process.readAllStandardError(); });
    return {};
}

}  // namespace yard::desktop
