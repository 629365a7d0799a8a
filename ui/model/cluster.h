#pragma once

#include <QDateTime>
#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <array>
#include <limits>
#include <optional>

/// What the desktop knows of the cluster, as plain values. Numbers of the enums are those of the
/// wire.
namespace yard::model {

enum class GpuMetric {
    SmActivity,         ///< percent
    GpuUtilization,     ///< percent
    TensorActivity,     ///< percent
    MemoryUsed,         ///< MiB
    MemoryTotal,        ///< MiB
    Power,              ///< W
    CoreTemperature,    ///< degrees Celsius
    MemoryTemperature,  ///< degrees Celsius
    SmClock,            ///< MHz
    NvlinkBandwidth,    ///< bytes per second
    Energy,             ///< J
    LastXid,
};
constexpr int kGpuMetricCount = 12;

enum class NodeMetric {
    CpuUtilization,
    MemoryUsed,
    MemoryTotal,
    Load,
    Power,
    InletTemperature,
    InfinibandReceive,
    InfinibandTransmit,
};
constexpr int kNodeMetricCount = 8;

/// "No reading", never drawn as 0. Test with std::isnan.
constexpr float kNoReading = std::numeric_limits<float>::quiet_NaN();

/// look/README §3: live up to 2 intervals, ageing up to 4, stale up to 10 min, then missing.
enum class Freshness { Live, Ageing, Stale, Missing };

enum class NodeState { Unknown, Down, Idle, Allocated, Error, Mixed, Future };

enum class NodeCategory {
    Idle,
    Mixed,
    Allocated,
    Completing,
    Draining,
    Drained,
    Down,
    Fail,
    Maintenance,
    Reserved,
    Planned,
    Rebooting,
    PoweredOff,
    Invalid,
    Future,
    Unknown
};
constexpr int kNodeCategoryCount = 16;

struct NodeInfo {
    QString name;
    NodeState state = NodeState::Unknown;
    QStringList flags;
    QString stateText;  ///< Slurm's own words
    NodeCategory category = NodeCategory::Unknown;
    bool usable = false;
    QString reason;
    QString reasonUser;
    QDateTime reasonTime;  ///< invalid: not known
    QStringList partitions;
    QString switchName;
    QString rack;
    QString reservation;
    QString comment;
    QString version;
    QDateTime bootTime;
    std::optional<int> cpusTotal;
    std::optional<int> cpusAllocated;
    std::optional<double> cpuLoad;
    std::optional<qint64> memoryTotalMib;
    std::optional<qint64> memoryAllocatedMib;
    std::optional<qint64> memoryFreeMib;
    int gpusTotal = 0;
    int gpusAllocated = 0;
    QString gpuType;
    QVector<int> gpuIndicesInUse;
    quint64 ownedByOperation = 0;  ///< 0: not drained by us
    QStringList gpuUuids;          ///< by index; may be empty
    QStringList gpuPcis;
    QString gpuModel;
};

enum class JobState {
    Unknown,
    Pending,
    Running,
    Suspended,
    Completed,
    Cancelled,
    Failed,
    Timeout,
    NodeFail,
    Preempted,
    BootFail,
    Deadline,
    OutOfMemory
};

struct JobInfo {
    quint64 id = 0;
    QString displayId;
    quint64 arrayJob = 0;  ///< 0: not of an array
    std::optional<quint32> arrayTask;
    QString arrayPending;
    quint32 arrayPendingCount = 0;
    quint64 hetLeader = 0;
    QString name;
    QString user;
    QString account;
    QString partition;
    QString qos;
    QString comment;
    JobState state = JobState::Unknown;
    QStringList stateFlags;
    QString stateText;
    QString reason;
    std::optional<int> exitCode;
    std::optional<int> exitSignal;
    int restarts = 0;
    int priority = 0;
    bool held = false;
    bool requeueable = true;
    QDateTime submitTime;
    QDateTime startTime;
    QDateTime endTime;
    QDateTime estimatedStart;
    bool timeUnlimited = false;
    std::optional<qint64> timeLimitSeconds;
    QString nodes;  ///< folded hostlist
    QString excludedNodes;
    int nodeCount = 0;
    int cpus = 0;
    int gpus = 0;
    QHash<QString, QVector<int>> gpuIndices;  ///< node to indices; empty: not known
    QString workDirectory;
    QString standardOutput;
    QString dependency;
    QString previousJob;
    QString nextJob;

    bool isActive() const { return state == JobState::Running || state == JobState::Suspended; }
    bool isPending() const { return state == JobState::Pending; }
};

struct PartitionInfo {
    QString name;
    QString state;
    bool isDefault = false;
    QString nodes;
};

struct SwitchInfo {
    QString name;
    int level = 0;
    QString nodes;
    QStringList children;
};

enum class FaultKind { Xid, Sxid, GpuLost };

struct FaultInfo {
    FaultKind kind = FaultKind::Xid;
    QString host;
    QString pci;
    std::optional<int> gpuIndex;
    int code = 0;
    QString text;
    QDateTime at;
    int count = 1;
};

struct TargetInfo {
    QString target;
    QString kind;
    QString host;
    bool up = false;
    QDateTime lastSuccess;
    QString error;
    float seconds = 0;
    quint64 samples = 0;
    quint64 badLines = 0;
    QString firstBadLine;
};

struct SchedulerInfo {
    QString kind;
    QString version;
    bool up = false;
    QDateTime lastSuccess;
    QString error;
    float replySeconds = 0;
    float callsPerMinute = 0;
    float pollSeconds = 0;
    bool backedOff = false;
    quint64 badRecords = 0;
    QString firstBadRecord;
};

struct RightInfo {
    QString action;
    bool allowed = false;
    QString detail;
};

struct TrendInfo {
    QDateTime at;
    float gpusInUse = -1;
    float smActivityMedian = -1;
    float jobsWaiting = -1;
    float powerKw = -1;
    float faults = -1;
    float nodesOut = -1;
    float jobsRunning = -1;
};

enum class Role { None, Viewer, Operator, Admin };

}  // namespace yard::model
