#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

#include "tests/support/daemon_process.h"
#include "tests/support/fake_exporter.h"
#include "tests/support/slurm_lab.h"

namespace yard::test {

struct RealClusterOptions {
    SlurmLabOptions lab{.nodes = 16, .gpus = 8, .topology = true};
    double scrapeSeconds = 1;
    QString slurmConfig = {};  ///< further lines of [slurm]
};

/// The whole product on one machine: a real Slurm, one exporter a node, a real yardmasterd that
/// reads both. What a journey walks through.
///
/// Thread: one.
class RealCluster {
public:
    explicit RealCluster(RealClusterOptions options = {});

    bool start();
    const QString& error() const { return m_error; }

    SlurmLab& lab() { return m_lab; }
    FakeExporter& exporters() { return *m_exporters; }
    DaemonProcess& daemon() { return *m_daemon; }
    QString socketPath() const { return m_daemon->socketPath(); }

    /// A batch job of one user command that sleeps; its id. `options` for sbatch.
    QString submit(const QStringList& options);
    /// `State=` of `scontrol show node`, as Slurm words it.
    QString nodeState(const QString& node);
    /// Waits until `done`, without an event loop; false after `timeoutMs`.
    static bool waitUntil(const std::function<bool()>& done, int timeoutMs);

    struct CommandResult {
        int exitCode = -1;
        QByteArray output;
        QByteArray error;
    };
    /// Runs yardctl against this daemon.
    CommandResult yardctl(const QStringList& arguments, int timeoutMs = 60'000);

private:
    bool startExporters();

    const RealClusterOptions m_options;
    SlurmLab m_lab;
    std::unique_ptr<FakeExporter> m_exporters;
    std::unique_ptr<DaemonProcess> m_daemon;
    QString m_error;
};

}  // namespace yard::test
