#pragma once

#include <QDateTime>
#include <QObject>
#include <QVector>
#include <memory>
#include <optional>

#include "ui/client/value_pool.h"
#include "ui/model/cluster_state.h"
#include "ui/model/time_cursor.h"

namespace yard::v1 {
class MomentReply;
}

namespace yard::client {

class Channel;
class PendingCalls;

/// Asks the daemon about the past. Of the moments asked for while an answer is under way only the
/// newest is asked next: a drag never queues.
///
/// Thread: GUI thread only. The destructor cancels open calls and waits for their end.
class PastReader final : public QObject {
    Q_OBJECT

public:
    /// `channel` must outlive this.
    PastReader(Channel& channel, QString address, int deadlineMs, QObject* parent = nullptr);
    ~PastReader() override;

    /// No metrics: all of them.
    void askMoment(const QDateTime& at, const QVector<model::GpuMetric>& metrics = {});
    /// What is under way is no longer wanted.
    void forgetMoments();
    void askTimeline(const QDateTime& from, const QDateTime& to, int buckets);

Q_SIGNALS:
    void momentRead(const yard::model::ClusterUpdate& update);
    void timelineRead(const yard::model::TimelineInfo& timeline);
    void failed(const QString& sentence);

private:
    struct Wish {
        QDateTime at;
        QVector<model::GpuMetric> metrics;
    };
    void ask(const Wish& wish);
    model::ClusterUpdate toUpdate(const v1::MomentReply& wire);

    Channel& m_channel;
    const QString m_address;
    const int m_deadlineMs;
    ValuePool m_pool;
    bool m_asking = false;
    bool m_timelineAsked = false;
    quint64 m_turn = 0;  ///< answers of an earlier one are dropped
    std::optional<Wish> m_next;
    std::unique_ptr<PendingCalls> m_pending;  ///< last: ends before what its answers use
};

}  // namespace yard::client
