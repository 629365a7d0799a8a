#include "backend/rpc/past_service.h"

#include "backend/rpc/answer.h"
#include "backend/rpc/convert_characterization.h"
#include "backend/rpc/convert_cluster.h"
#include "backend/rpc/convert_operation.h"
#include "backend/rpc/convert_request.h"
#include "backend/rpc/convert_time.h"
#include "backend/rpc/wire_text.h"

namespace yard::rpc {
namespace {

constexpr uint32_t kFewestBuckets = 1;
constexpr uint32_t kMostBuckets = 10'000;

void toProto(const store::KnownSpan& span, v1::KnownSpan* out)
{
    out->set_from_us(microseconds(span.from));
    out->set_to_us(microseconds(span.to));
}

void fillMoment(const control::PastMoment& moment, v1::MomentReply* reply)
{
    rpc::toProto(*moment.cluster, reply->mutable_update());
    reply->set_known(moment.known);
    if (moment.lastKnown)
        reply->set_last_known_us(microseconds(*moment.lastKnown));
    reply->set_readings_kept(moment.readingsKept);
    for (const std::string& warning : moment.warnings)
        reply->add_warnings(warning);
}

void fillSeries(const domain::SeriesAnswer& found, const std::vector<uint32_t>& metrics,
                v1::SeriesReply* reply)
{
    for (size_t i = 0; i < found.series.size() && i < metrics.size(); ++i) {
        v1::Series* series = reply->add_series();
        series->set_metric(metrics[i]);
        for (const domain::SeriesPoint& point : found.series[i]) {
            series->add_at_us(microseconds(point.at));
            series->add_min(point.min);
            series->add_mean(point.mean);
            series->add_max(point.max);
        }
    }
    reply->set_step_s(uint32_t(found.step.count()));
    for (const std::string& warning : found.warnings)
        reply->add_warnings(warning);
}

void fillTimeline(const store::Timeline& line, Time now, v1::TimelineReply* reply)
{
    if (line.extent)
        toProto(*line.extent, reply->mutable_extent());
    for (const store::KnownSpan& span : line.known)
        toProto(span, reply->add_known());
    reply->set_from_us(microseconds(line.from));
    reply->set_to_us(microseconds(line.to));
    for (const store::TimelineBucket& bucket : line.buckets) {
        reply->add_faults(bucket.faults);
        reply->add_failed_jobs(bucket.failedJobs);
        reply->add_operations(bucket.operations);
    }
    reply->set_now_us(microseconds(now));
}

}  // namespace

PastService::PastService(control::Past& past, const Clock& clock, TaskLoop& worker)
    : m_past(past)
    , m_clock(clock)
    , m_worker(worker)
{
}

void PastService::getMoment(const domain::Identity& by, const v1::MomentRequest& request,
                            v1::MomentReply* reply, PendingCallPtr call)
{
    auto wanted = wantedFrom(request);
    if (!wanted.ok())
        return call->finish(wanted.status());
    m_past.moment(Time(std::chrono::microseconds(request.at_us())), *std::move(wanted),
                  answerOn<control::PastMoment>(
                      m_worker, call, [by, reply](const control::PastMoment& moment) {
                          fillMoment(moment, reply);
                          rpc::toProto(by, reply->mutable_update()->mutable_you());
                          repairStrings(*reply);
                      }));
}

void PastService::getSeries(const v1::SeriesRequest& wire, v1::SeriesReply* reply,
                            PendingCallPtr call)
{
    auto request = seriesFrom(wire);
    if (!request.ok())
        return call->finish(request.status());
    const std::vector<uint32_t> metrics = request->metrics;
    m_past.series(*std::move(request),
                  answerOn<domain::SeriesAnswer>(
                      m_worker, call, [metrics, reply](const domain::SeriesAnswer& found) {
                          fillSeries(found, metrics, reply);
                          repairStrings(*reply);
                      }));
}

void PastService::getTimeline(const v1::TimelineRequest& request, v1::TimelineReply* reply,
                              PendingCallPtr call)
{
    const uint32_t buckets = std::clamp(request.buckets(), kFewestBuckets, kMostBuckets);
    const Time from = Time(std::chrono::microseconds(request.from_us()));
    const Time to = Time(std::chrono::microseconds(request.to_us()));
    if (request.from_us() != 0 || request.to_us() != 0)
        return ask(from, to, buckets, reply, std::move(call));
    // All there is: first how far that reaches.
    m_past.timeline(from, to, 1, [=, this](const StatusOr<store::Timeline>& line) {
        if (!line.ok())
            return call->finish(line.status());
        const Time now = m_clock.now();
        ask(line->extent ? line->extent->from : now, now, buckets, reply, call);
    });
}

void PastService::ask(Time from, Time to, uint32_t buckets, v1::TimelineReply* reply,
                      PendingCallPtr call)
{
    m_past.timeline(
        from, to, buckets,
        answerOn<store::Timeline>(m_worker, call, [this, reply](const store::Timeline& line) {
            fillTimeline(line, m_clock.now(), reply);
            repairStrings(*reply);
        }));
}

void PastService::characterize(const v1::CharacterizeRequest& request, v1::CharacterizeReply* reply,
                               PendingCallPtr call)
{
    control::Characterizer::Span span;
    span.from = Time(std::chrono::microseconds(request.from_us()));
    span.to =
        request.to_us() == 0 ? m_clock.now() : Time(std::chrono::microseconds(request.to_us()));
    if (span.from >= span.to)
        return call->finish(absl::InvalidArgumentError("The field from_us must lie before to_us."));
    m_past.characterize(
        span, answerOn<control::Characterizer::Result>(
                  m_worker, call, [span, reply](const control::Characterizer::Result& result) {
                      fillCharacterization(span, result, reply);
                      repairStrings(*reply);
                  }));
}

}  // namespace yard::rpc
