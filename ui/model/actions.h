#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <optional>

#include "ui/model/characterization.h"
#include "ui/model/series.h"

namespace yard::model {

enum class ActionKind {
    Drain,
    Resume,
    Down,
    Reboot,
    Hold,
    Release,
    Requeue,
    RequeueHold,
    Resubmit,
    Cancel,
    Submit,
};

struct ActionRequest {
    ActionKind kind = ActionKind::Drain;
    QStringList nodes;
    QStringList jobs;  ///< display ids
    QString reason;
    QString excludedNodes;  ///< hostlist expression
    bool rebootWhenIdle = true;
    bool cancelOriginal = true;
};

struct AffectedJobInfo {
    QString displayId;
    QString name;
    QString user;
    int gpusHere = 0;
    int gpusAll = 0;
    QDateTime endsBy;  ///< invalid: no limit
    double gpuHoursAtRisk = 0;
    bool killed = false;
};

/// The damage before the click.
struct PreviewInfo {
    QString token;
    QDateTime made;
    QDateTime expires;
    ActionKind kind = ActionKind::Drain;
    QString targets;  ///< folded
    int targetCount = 0;
    QStringList commands;
    QVector<AffectedJobInfo> jobs;
    int jobsKilled = 0;
    int users = 0;
    int gpus = 0;
    double gpuHoursAtRisk = 0;
    QDateTime emptyBy;  ///< invalid: no limit
    int freeReplacements = 0;
    QStringList warnings;
    bool reasonRequired = false;
    bool reasonPossible = false;
    int typedCountRequired = 0;
    QString refusal;
    quint64 undoes = 0;
};

enum class OperationState { Requested, Sent, Observed, Refused, InDoubt, Superseded };
enum class TargetState { Requested, Observed, Refused };

struct OperationTarget {
    QString name;
    TargetState state = TargetState::Requested;
    QString before;
    QString observed;
};

struct OperationInfo {
    quint64 id = 0;
    QString requestId;
    ActionKind kind = ActionKind::Drain;
    QString reason;
    QString user;
    QString from;
    QDateTime requestedAt;
    QDateTime finishedAt;  ///< invalid while open
    OperationState state = OperationState::Requested;
    QVector<OperationTarget> targets;
    QString targetsFolded;
    QStringList commands;
    QString message;
    QString newJob;
    quint64 undoes = 0;
    bool undoable = false;
    QString progress;  ///< observed, and what is still to come: "gpu003 drains …"

    bool isOpen() const
    {
        return state == OperationState::Requested || state == OperationState::Sent ||
               state == OperationState::InDoubt;
    }
};

struct AuditInfo {
    quint64 sequence = 0;
    QDateTime at;
    QString user;
    QString role;
    QString from;
    QString event;
    quint64 operationId = 0;
    QString action;
    QString targets;
    QString reason;
    QString command;
    QString detail;
    QString previousHash;
    QString hash;
};

struct AuditPage {
    QVector<AuditInfo> records;
    bool chainOk = true;
    QString chainError;
};

struct JobAttemptInfo;

enum class ReplyCode {
    Ok,
    NoAnswer,  ///< unknown whether it was done: the same request id may be sent again
    Changed,   ///< the state is no longer the previewed one, or the preview has expired
    Denied,    ///< no right to it
    Refused,   ///< anything else; the sentence says what
};

/// A value or a sentence that says what went wrong and what to do.
template <typename T>
struct Reply {
    std::optional<T> value;
    QString error;
    ReplyCode code = ReplyCode::Ok;
};

/// The way intents and questions leave the desktop. Answers arrive later on the GUI thread, once,
/// unless the object is destroyed first; results of an action arrive as operations in the
/// ClusterState.
///
/// Thread: GUI thread only.
class Actions {
public:
    template <typename T>
    using Callback = std::function<void(Reply<T>)>;

    virtual ~Actions() = default;

    virtual void preview(const ActionRequest& request, Callback<PreviewInfo> done) = 0;
    virtual void previewUndo(quint64 operationId, Callback<PreviewInfo> done) = 0;
    /// `requestId` is the caller's: sent again after a lost answer it is the same operation.
    virtual void execute(const QString& token, const QString& requestId, const QString& reason,
                         int typedCount, Callback<OperationInfo> done) = 0;
    virtual void audit(quint64 afterSequence, int limit, Callback<AuditPage> done) = 0;
    /// All attempts of a job, oldest first.
    virtual void attempts(const QString& displayId, Callback<QVector<JobAttemptInfo>> done) = 0;
    /// Readings of one GPU or node over a span.
    virtual void series(const SeriesRequest& request, Callback<SeriesInfo> done) = 0;
    /// Where the GPU time of the jobs goes that the daemon knows.
    virtual void characterize(const CharacterizeRequest& request,
                              Callback<Characterization> done) = 0;
};

}  // namespace yard::model
