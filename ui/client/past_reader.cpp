#include "ui/client/past_reader.h"

#include "ui/client/channel.h"
#include "ui/client/convert.h"
#include "ui/client/convert_cluster.h"
#include "ui/client/pending_calls.h"

namespace yard::client {
namespace {

QVector<int> counts(const google::protobuf::RepeatedField<uint32_t>& wire)
{
    return QVector<int>(wire.begin(), wire.end());
}

model::TimelineInfo toTimeline(const v1::TimelineReply& wire)
{
    model::TimelineInfo line;
    if (wire.has_extent())
        line.first = time(wire.extent().from_us());
    line.from = time(wire.from_us());
    line.to = time(wire.to_us());
    for (const v1::KnownSpan& span : wire.known())
        line.known.append({time(span.from_us()), time(span.to_us())});
    line.faults = counts(wire.faults());
    line.failedJobs = counts(wire.failed_jobs());
    line.operations = counts(wire.operations());
    line.now = time(wire.now_us());
    return line;
}

}  // namespace

PastReader::PastReader(Channel& channel, QString address, int deadlineMs, QObject* parent)
    : QObject(parent)
    , m_channel(channel)
    , m_address(std::move(address))
    , m_deadlineMs(deadlineMs)
    , m_pending(std::make_unique<PendingCalls>())
{
}

PastReader::~PastReader() = default;

void PastReader::askMoment(const QDateTime& at, const QVector<model::GpuMetric>& metrics)
{
    const Wish wish{at, metrics};
    if (m_asking)
        m_next = wish;
    else
        ask(wish);
}

void PastReader::forgetMoments()
{
    ++m_turn;
    m_next.reset();
    m_asking = false;
}

void PastReader::ask(const Wish& wish)
{
    v1::MomentRequest wire;
    wire.set_at_us(wish.at.toMSecsSinceEpoch() * 1000);
    for (const model::GpuMetric metric : wish.metrics)
        wire.add_gpu_metrics(uint32_t(metric));
    m_asking = true;
    m_pending->start<v1::MomentRequest, v1::MomentReply>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->GetMoment(std::move(call)...); },
        [this, turn = m_turn](const grpc::Status& status, const v1::MomentReply& reply) {
            if (turn != m_turn)
                return;
            m_asking = false;
            // Before the answer is shown: showing it takes its time.
            if (const auto next = std::exchange(m_next, std::nullopt))
                ask(*next);
            if (status.ok())
                Q_EMIT momentRead(toUpdate(reply));
            else
                Q_EMIT failed(sentenceFor(status, m_address));
        });
}

model::ClusterUpdate PastReader::toUpdate(const v1::MomentReply& wire)
{
    model::ClusterUpdate update = client::toUpdate(wire.update(), m_pool);
    update.isPast = true;
    update.pastKnown = wire.known();
    if (wire.has_last_known_us())
        update.lastKnown = time(wire.last_known_us());
    update.readingsKept = wire.readings_kept();
    update.pastWarnings = texts(wire.warnings());
    return update;
}

void PastReader::askTimeline(const QDateTime& from, const QDateTime& to, int buckets)
{
    if (m_timelineAsked)
        return;
    v1::TimelineRequest wire;
    if (from.isValid() && to.isValid()) {
        wire.set_from_us(from.toMSecsSinceEpoch() * 1000);
        wire.set_to_us(to.toMSecsSinceEpoch() * 1000);
    }
    wire.set_buckets(uint32_t(std::max(buckets, 1)));
    m_timelineAsked = true;
    m_pending->start<v1::TimelineRequest, v1::TimelineReply>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->GetTimeline(std::move(call)...); },
        [this](const grpc::Status& status, const v1::TimelineReply& reply) {
            m_timelineAsked = false;
            if (status.ok())
                Q_EMIT timelineRead(toTimeline(reply));
        });
}

}  // namespace yard::client
