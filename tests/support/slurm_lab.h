#pragma once

#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <chrono>

namespace yard::test {

struct SlurmLabOptions {
    int nodes = 4;
    int gpus = 8;
    bool accounting = false;
    bool topology = false;
    int credExpireSeconds = 0;  ///< 0: Slurm's own two minutes
    QStringList more = {};      ///< further options of `slurm-lab up`
};

/// A real Slurm cluster on this machine: slurmctld and a slurmd for each node, made by
/// tests/lab/slurm-lab in a folder of its own. The destructor ends all of it; a guard process does
/// if the test itself is killed.
///
/// Needs root. Where a lab cannot run, start() is false and error() says why: a test must fail
/// then.
///
/// Thread: one.
class SlurmLab {
public:
    explicit SlurmLab(SlurmLabOptions options = {});
    ~SlurmLab();
    SlurmLab(const SlurmLab&) = delete;
    SlurmLab& operator=(const SlurmLab&) = delete;

    bool start();
    const QString& error() const { return m_error; }  ///< of the last thing that failed

    QString configFile() const;  ///< for SLURM_CONF
    QString folder() const { return m_folder.path(); }
    QStringList nodeNames() const;

    bool killNode(const QString& node) { return verb({"kill-node", node}); }
    bool freezeNode(const QString& node) { return verb({"freeze-node", node}); }
    bool thawNode(const QString& node) { return verb({"thaw-node", node}); }
    bool startNode(const QString& node) { return verb({"start-node", node}); }
    bool loseGpu(const QString& node, int gpu);
    bool stop(const QString& daemon) { return verb({"stop", daemon}); }
    bool start(const QString& daemon) { return verb({"start", daemon}); }
    bool freeze(const QString& daemon) { return verb({"freeze", daemon}); }
    bool thaw(const QString& daemon) { return verb({"thaw", daemon}); }
    bool verb(const QStringList& arguments,
              std::chrono::seconds timeout = std::chrono::seconds(90));

    /// A Slurm command beside the product: what it printed, trimmed. error() if it failed.
    QString slurm(const QStringList& command);

private:
    QString lastLines() const;
    void guard() const;

    const SlurmLabOptions m_options;
    QTemporaryDir m_folder;
    QString m_error;
    bool m_isUp = false;
};

}  // namespace yard::test
