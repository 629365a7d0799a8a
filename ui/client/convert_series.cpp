#include "ui/client/convert_series.h"

#include <algorithm>

#include "ui/client/convert_cluster.h"

namespace yard::client {
namespace {

constexpr uint32_t kGpuKind = 0;
constexpr uint32_t kNodeKind = 1;

QVector<model::SeriesPoint> toPoints(const v1::Series& wire)
{
    // Columns of unequal length are cut to the shortest.
    const int count =
        std::min({wire.at_us_size(), wire.min_size(), wire.mean_size(), wire.max_size()});
    QVector<model::SeriesPoint> points;
    points.reserve(count);
    for (int i = 0; i < count; ++i)
        points.append({milliseconds(wire.at_us(i)), wire.min(i), wire.mean(i), wire.max(i)});
    return points;
}

}  // namespace

v1::SeriesRequest toWire(const model::SeriesRequest& request)
{
    v1::SeriesRequest wire;
    wire.set_kind(request.subject.isGpu() ? kGpuKind : kNodeKind);
    wire.set_node(request.subject.node.toStdString());
    if (request.subject.isGpu()) {
        wire.set_gpu(request.subject.gpu);
        wire.set_uuid(request.subject.uuid.toStdString());
    }
    for (const int metric : request.metrics)
        wire.add_metrics(uint32_t(metric));
    wire.set_from_us(request.from.toMSecsSinceEpoch() * 1000);
    wire.set_to_us(request.to.toMSecsSinceEpoch() * 1000);
    wire.set_max_points(uint32_t(std::max(request.maxPoints, 0)));
    return wire;
}

model::SeriesInfo toSeries(const v1::SeriesReply& wire)
{
    model::SeriesInfo info;
    for (const v1::Series& series : wire.series())
        info.metrics.append(toPoints(series));
    info.stepMs = qint64(wire.step_s()) * 1000;
    info.warnings = texts(wire.warnings());
    return info;
}

}  // namespace yard::client
