#include "tests/support/slurm_lab.h"

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>

namespace yard::test {
namespace {

constexpr int kLinesShown = 12;

QString script()
{
    return QStringLiteral(YARD_SOURCE_DIR "/tests/lab/slurm-lab");
}

QString lastOf(const QByteArray& text)
{
    QStringList lines = QString::fromUtf8(text).trimmed().split('\n');
    while (lines.size() > kLinesShown)
        lines.removeFirst();
    return lines.join('\n');
}

}  // namespace

SlurmLab::SlurmLab(SlurmLabOptions options)
    : m_options(std::move(options))
    , m_folder(QStringLiteral("/tmp/yard-lab-XXXXXX"))  // short, and jobs' users can reach it
{
}

SlurmLab::~SlurmLab()
{
    if (m_isUp)
        verb({"down", "--purge"});
}

bool SlurmLab::start()
{
    if (!m_folder.isValid()) {
        m_error = "The lab has no folder: " + m_folder.errorString();
        return false;
    }
    QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755));
    QStringList arguments{"up", "--nodes", QString::number(m_options.nodes), "--gpus",
                          QString::number(m_options.gpus)};
    if (m_options.accounting)
        arguments << "--accounting";
    if (m_options.topology)
        arguments << "--topology";
    if (m_options.credExpireSeconds > 0)
        arguments << "--cred-expire" << QString::number(m_options.credExpireSeconds);
    guard();
    m_isUp = true;  // a half-started lab must be ended too
    if (verb(arguments + m_options.more, std::chrono::seconds(180)))
        return true;
    m_error =
        "slurm-lab could not start a cluster; it needs root, unshare(2) and Slurm's packages "
        "(slurm-lab packages).\n" +
        m_error + "\n" + lastLines();
    return false;
}

QString SlurmLab::configFile() const
{
    return folder() + "/lab/etc/slurm.conf";
}

QStringList SlurmLab::nodeNames() const
{
    QStringList names;
    for (int i = 1; i <= m_options.nodes; ++i)
        names << QStringLiteral("node%1").arg(i, m_options.nodes > 999 ? 4 : 3, 10, QChar('0'));
    return names;
}

bool SlurmLab::loseGpu(const QString& node, int gpu)
{
    return verb({"lose-gpu", node, QString::number(gpu)});
}

bool SlurmLab::verb(const QStringList& arguments, std::chrono::seconds timeout)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_LAB_DIR", folder() + "/lab");
    process.setProcessEnvironment(environment);
    // Into a file: the daemons it starts would hold a pipe open.
    const QString log = folder() + "/" + arguments.value(0) + ".log";
    process.setStandardOutputFile(log);
    process.setStandardErrorFile(log, QIODevice::Append);
    process.start(script(), arguments);
    const bool ended = process.waitForFinished(int(std::chrono::milliseconds(timeout).count()));
    if (ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return true;
    if (!ended)
        process.kill();
    QFile file(log);
    m_error = "slurm-lab " + arguments.join(' ') +
              (ended ? " failed: " : " did not end in time: ") +
              (file.open(QIODevice::ReadOnly) ? lastOf(file.readAll()) : process.errorString());
    return false;
}

QString SlurmLab::slurm(const QStringList& command)
{
    QProcess process;
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("SLURM_CONF", configFile());
    environment.insert("SLURM_TIME_FORMAT", "%s");
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory("/tmp");
    process.start(command.value(0), command.mid(1));
    if (!process.waitForFinished(30'000) || process.exitCode() != 0)
        m_error = command.join(' ') + " failed: " + lastOf(process.readAllStandardError());
    return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
}

QString SlurmLab::lastLines() const
{
    QString lines;
    for (const char* name : {"slurmctld.log", "slurmctld.out", "munged.out", "slurmdbd.log"}) {
        QFile file(folder() + "/lab/log/" + name);
        if (file.open(QIODevice::ReadOnly) && file.size() > 0)
            lines += QString(name) + ":\n" + lastOf(file.readAll()) + "\n";
    }
    return lines;
}

void SlurmLab::guard() const
{
    QProcess::startDetached(
        "sh", {"-c",
               "while kill -0 \"$1\" 2>/dev/null; do sleep 1; done\n"
               "test -d \"$2\" || exit 0\n"
               "SLURM_LAB_DIR=\"$2/lab\" \"$3\" down --purge; rm -rf \"$2\"",
               "sh", QString::number(QCoreApplication::applicationPid()), folder(), script()});
}

}  // namespace yard::test
