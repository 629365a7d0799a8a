#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QTimeZone>
#include <QVector>
#include <functional>

#include "ui/model/actions.h"
#include "ui/model/cluster.h"

namespace yard::model {

struct JobAttemptInfo {
    JobInfo job;
    quint64 operationId = 0;  ///< the restart of ours that made it; 0: not ours
};

/// One update of the stream, already converted. Full ones replace everything.
struct ClusterUpdate {
    bool full = false;
    quint64 revision = 0;
    quint64 baseRevision = 0;
    QDateTime at;

    QString cluster;
    QByteArray timeZone;
    QString user;
    Role role = Role::None;
    bool demo = false;

    QVector<NodeInfo> nodes;
    QVector<int> nodeIndex;  ///< deltas: positions of `nodes`
    QVector<JobInfo> jobs;
    QVector<QPair<quint64, qint64>> removedJobs;  ///< id, submit time in ms
    bool hasClusterParts = false;
    QVector<PartitionInfo> partitions;
    QVector<SwitchInfo> switches;

    struct Column {
        int metric = 0;
        QVector<float> values;
        QVector<quint32> index;  ///< empty: the whole column
    };
    QVector<Column> gpuColumns;
    QVector<Column> nodeColumns;
    QVector<float> readingAgeSeconds;  ///< by node; empty: no readings in this update
    float readingIntervalSeconds = 0;

    struct GpuIdentity {
        int node = 0;
        QStringList uuids;
        QStringList pcis;
        QString model;
    };
    QVector<GpuIdentity>
        gpuIdentities;  ///< full: all known; deltas: of the nodes where they changed

    bool hasFaults = false;
    QVector<FaultInfo> faults;
    QVector<TargetInfo> targets;
    QStringList removedTargets;
    std::optional<SchedulerInfo> scheduler;
    QVector<RightInfo> rights;
    QVector<OperationInfo> operations;
    QVector<TrendInfo> trend;
    /// What the daemon says is wrong with itself, a sentence each; unset: not said.
    std::optional<QStringList> daemonTroubles;

    // -- of a moment of the past; full --
    bool isPast = false;
    bool pastKnown = true;  ///< else nobody looked at the scheduler then
    QDateTime lastKnown;    ///< before, while it is not known; invalid: never
    bool readingsKept = true;
    QStringList pastWarnings;
};

enum class Connection { Connecting, Connected, Disconnected };

/// Everything the desktop shows, kept from the stream of updates. It invents nothing: an intent
/// shows as an operation that the daemon reported, never as a state.
///
/// Pages read it and listen; only the client writes it, through apply() and setConnection().
///
/// Thread: GUI thread only.
class ClusterState final : public QObject {
    Q_OBJECT

public:
    /// Milliseconds of a clock that never jumps; tests bring their own.
    using SteadyClock = std::function<qint64()>;
    explicit ClusterState(QObject* parent = nullptr, SteadyClock clock = {});

    // -- what there is --
    bool hasSnapshot() const { return m_revision != 0; }
    quint64 revision() const { return m_revision; }
    QString cluster() const { return m_cluster; }
    QTimeZone timeZone() const { return m_timeZone; }
    QString user() const { return m_user; }
    Role role() const { return m_role; }
    bool isDemo() const { return m_demo; }

    const QVector<NodeInfo>& nodes() const { return m_nodes; }
    int nodeIndex(const QString& name) const { return m_nodeByName.value(name, -1); }
    /// First GPU of a node in the columns; gpuOffset(nodes().size()) is the number of GPUs.
    int gpuOffset(int node) const { return m_gpuOffset.value(node, 0); }
    int gpuCount() const { return m_gpuOffset.isEmpty() ? 0 : m_gpuOffset.constLast(); }
    /// Empty if that metric never came. NaN: no reading.
    const QVector<float>& gpuColumn(GpuMetric metric) const { return m_gpu[size_t(metric)]; }
    const QVector<float>& nodeColumn(NodeMetric metric) const { return m_node[size_t(metric)]; }
    float gpuValue(GpuMetric metric, int node, int gpu) const;
    /// Age of a node's readings now, growing while disconnected. Negative: never read.
    double readingAge(int node) const;
    double readingInterval() const { return m_readingInterval; }
    Freshness freshness(int node) const;

    const QVector<JobInfo>& jobs() const { return m_jobs; }
    /// Null if unknown. Valid until the next change.
    const JobInfo* job(const QString& displayId) const;
    /// Jobs that hold GPUs of that node now; indices into jobs().
    QVector<int> jobsOnNode(int node) const;
    /// The running job on one GPU, or -1 if none or not known.
    int jobOnGpu(int node, int gpu) const;

    const QVector<PartitionInfo>& partitions() const { return m_partitions; }
    const QVector<SwitchInfo>& switches() const { return m_switches; }
    const QVector<FaultInfo>& faults() const { return m_faults; }
    bool gpuHasFault(int node, int gpu) const;
    const QVector<TargetInfo>& targets() const { return m_targets; }
    const SchedulerInfo& scheduler() const { return m_scheduler; }
    const QVector<RightInfo>& rights() const { return m_rights; }
    const QVector<OperationInfo>& operations() const { return m_operations; }  ///< newest first
    /// The newest open operation on a node or job, or null.
    const OperationInfo* openOperationOn(const QString& target) const;
    const QVector<TrendInfo>& trend() const { return m_trend; }

    /// What the daemon says is wrong with itself, a sentence each.
    const QStringList& daemonTroubles() const { return m_daemonTroubles; }

    // -- the past: everything above is as of now(), which stands still --
    bool isPast() const { return m_isPast; }
    /// False: nobody looked at the scheduler at that moment, so there are no states.
    bool isPastKnown() const { return m_pastKnown; }
    QDateTime lastKnown() const { return m_lastKnown; }
    bool areReadingsKept() const { return m_readingsKept; }
    const QStringList& pastWarnings() const { return m_pastWarnings; }

    // -- how fresh --
    Connection connection() const { return m_connection; }
    QString connectionError() const { return m_connectionError; }
    QDateTime nextAttempt() const { return m_nextAttempt; }
    /// Seconds since the last update; negative before the first.
    double age() const;
    /// The daemon's clock, carried on while disconnected.
    QDateTime now() const;

    // -- written by the client --
    /// False if the delta does not fit our revision: ask for a full one. Nothing is changed then.
    bool apply(const ClusterUpdate& update);
    void setConnection(Connection connection, const QString& error = {},
                       const QDateTime& next = {});

Q_SIGNALS:
    /// All indices are new: nodes, order or GPU counts changed.
    void topologyChanged();
    /// Node facts (state, reason …) of these positions changed.
    void nodesChanged(const QVector<int>& positions);
    /// jobs() was changed; keys and order may be new.
    void jobsChanged();
    /// Columns or ages changed. At most once an update.
    void readingsChanged();
    void faultsChanged();
    void operationsChanged();
    void healthChanged();
    void trendChanged();
    void connectionChanged();

private:
    bool fits(const ClusterUpdate& update) const;
    qint64 elapsed() const { return m_isPast ? m_updateElapsed : m_clock(); }
    /// True if indices changed their meaning.
    bool applyNodes(const ClusterUpdate& update);
    void replaceNodes(const QVector<NodeInfo>& nodes);
    void applyIdentities(const ClusterUpdate& update);
    bool applyJobs(const ClusterUpdate& update);
    void indexJobs();
    QVector<int> nodesOfJob(const JobInfo& job) const;
    void applyColumns(const ClusterUpdate& update);
    void applyFaults(const QVector<FaultInfo>& faults);
    bool applyHealth(const ClusterUpdate& update);
    void applyOperations(const QVector<OperationInfo>& operations, bool full);
    void applyTrend(const QVector<TrendInfo>& trend, bool full);
    void announce(const ClusterUpdate& update, bool topology, bool jobs, bool health);

    SteadyClock m_clock;
    quint64 m_revision = 0;
    QString m_cluster;
    QTimeZone m_timeZone;
    QString m_user;
    Role m_role = Role::None;
    bool m_demo = false;

    QVector<NodeInfo> m_nodes;
    QHash<QString, int> m_nodeByName;
    QVector<int> m_gpuOffset;
    std::array<QVector<float>, kGpuMetricCount> m_gpu;
    std::array<QVector<float>, kNodeMetricCount> m_node;
    QVector<float> m_readingAge;  ///< by node, at m_readingElapsed
    qint64 m_readingElapsed = 0;
    double m_readingInterval = 15;

    QVector<JobInfo> m_jobs;
    QHash<QPair<quint64, qint64>, int> m_jobByKey;
    QHash<QString, int> m_jobByDisplayId;
    QVector<QVector<int>> m_jobsByNode;

    QVector<PartitionInfo> m_partitions;
    QVector<SwitchInfo> m_switches;
    QVector<FaultInfo> m_faults;
    QSet<int> m_faultyGpus;
    QVector<TargetInfo> m_targets;
    SchedulerInfo m_scheduler;
    QVector<RightInfo> m_rights;
    QVector<OperationInfo> m_operations;
    QHash<QString, int> m_openByTarget;
    QVector<TrendInfo> m_trend;

    QStringList m_daemonTroubles;
    bool m_isPast = false;
    bool m_pastKnown = true;
    QDateTime m_lastKnown;
    bool m_readingsKept = true;
    QStringList m_pastWarnings;

    Connection m_connection = Connection::Connecting;
    QString m_connectionError;
    QDateTime m_nextAttempt;
    QDateTime m_updateAt;        ///< the daemon's clock at the last update
    qint64 m_updateElapsed = 0;  ///< our steady clock then, ms
};

}  // namespace yard::model
