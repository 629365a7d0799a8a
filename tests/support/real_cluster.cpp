#include "tests/support/real_cluster.h"

#include <QDeadlineTimer>
#include <QProcess>
#include <QThread>

namespace yard::test {
RealCluster::RealCluster(RealClusterOptions options)
    : m_options(std::move(options))
    , m_lab(m_options.lab)
{
}

bool RealCluster::start()
{
    if (!m_lab.start()) {
        m_error = m_lab.error();
        return false;
    }
    if (!startExporters())
        return false;

    QString config = QStringLiteral(
                         "[scheduler]\nkind = \"slurm\"\ncluster = \"lab\"\n"
                         "[slurm]\nconfig_file = \"%1\"\n%3"
                         "[telemetry]\ninterval_seconds = %2\n")
                         .arg(m_lab.configFile())
                         .arg(m_options.scrapeSeconds)
                         .arg(m_options.slurmConfig);
    // One source a node: each exporter has a port of its own.
    for (const QString& node : m_lab.nodeNames())
        config += QStringLiteral(
                      "[[telemetry.source]]\nkind = \"dcgm\"\ntargets = \"%1:%2\"\n"
                      "address = \"127.0.0.1\"\n")
                      .arg(node)
                      .arg(m_exporters->port(node.toStdString()));
    m_daemon = std::make_unique<DaemonProcess>(QStringList{}, config);
    if (!m_daemon->start()) {
        m_error = QStringLiteral("yardmasterd does not serve: ") + m_daemon->errorOutput();
        return false;
    }
    return true;
}

bool RealCluster::startExporters()
{
    std::vector<FakeNode> nodes;
    for (const QString& name : m_lab.nodeNames())
        nodes.push_back({.name = name.toStdString()});
    auto started = FakeExporter::start(nodes, m_options.lab.gpus);
    if (!started.ok()) {
        m_error = QString::fromStdString(std::string(started.status().message()));
        return false;
    }
    m_exporters = *std::move(started);
    return true;
}

QString RealCluster::submit(const QStringList& options)
{
    return m_lab.slurm(QStringList{QStringLiteral("sbatch"), QStringLiteral("--parsable"),
                                   QStringLiteral("--chdir=/tmp"),
                                   QStringLiteral("--output=/dev/null")} +
                       options + QStringList{QStringLiteral("--wrap=sleep 900")});
}

QString RealCluster::nodeState(const QString& node)
{
    const QString text = m_lab.slurm({QStringLiteral("scontrol"), QStringLiteral("-o"),
                                      QStringLiteral("show"), QStringLiteral("node"), node});
    for (const QString& word : text.split(QLatin1Char(' ')))
        if (word.startsWith(QLatin1String("State=")))
            return word.mid(6);
    return {};
}

bool RealCluster::waitUntil(const std::function<bool()>& done, int timeoutMs)
{
    QDeadlineTimer deadline(timeoutMs);
    while (!done()) {
        if (deadline.hasExpired())
            return false;
        QThread::msleep(50);
    }
    return true;
}

RealCluster::CommandResult RealCluster::yardctl(const QStringList& arguments, int timeoutMs)
{
    QProcess process;
    process.start(QStringLiteral(YARD_BIN "/yardctl"),
                  QStringList{QStringLiteral("--socket"), socketPath()} + arguments);
    if (!process.waitForFinished(timeoutMs)) {
        process.kill();
        process.waitForFinished();
        return {-1, {}, "yardctl did not end in time"};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

}  // namespace yard::test
