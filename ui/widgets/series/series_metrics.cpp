#include "ui/widgets/series/series_metrics.h"

#include "ui/model/cluster.h"
#include "ui/theme/wording.h"

namespace yard::widgets {

using model::GpuMetric;
using model::NodeMetric;

namespace {

template <typename Metric>
SeriesMetric metric(Metric which, const QString& unit, double factor, int decimals, double top = 0,
                    bool fromZero = true)
{
    return {int(which), theme::metricName(which), unit, factor, decimals, top, fromZero};
}

}  // namespace

QString SeriesMetric::words(double value) const
{
    const QString text = theme::number(value, decimals);
    if (unit.isEmpty())
        return text;
    return unit == QLatin1String("%") ? text + unit : text + QChar(0x2009) + unit;
}

const QVector<SeriesMetric>& gpuSeriesMetrics()
{
    const auto celsius = QStringLiteral("°C");
    static const QVector<SeriesMetric> all{
        metric(GpuMetric::SmActivity, QStringLiteral("%"), 1, 1, 100),
        metric(GpuMetric::GpuUtilization, QStringLiteral("%"), 1, 1, 100),
        metric(GpuMetric::TensorActivity, QStringLiteral("%"), 1, 1, 100),
        metric(GpuMetric::MemoryUsed, QStringLiteral("GiB"), 1.0 / 1024, 1),
        metric(GpuMetric::Power, QStringLiteral("W"), 1, 0),
        metric(GpuMetric::CoreTemperature, celsius, 1, 0, 0, false),
        metric(GpuMetric::MemoryTemperature, celsius, 1, 0, 0, false),
        metric(GpuMetric::SmClock, QStringLiteral("MHz"), 1, 0),
        metric(GpuMetric::NvlinkBandwidth, QStringLiteral("GB/s"), 1e-9, 1)};
    return all;
}

const QVector<SeriesMetric>& nodeSeriesMetrics()
{
    static const QVector<SeriesMetric> all{
        metric(NodeMetric::CpuUtilization, QStringLiteral("%"), 1, 1, 100),
        metric(NodeMetric::MemoryUsed, QStringLiteral("GiB"), 1.0 / 1024, 1),
        metric(NodeMetric::Load, QString(), 1, 1),
        metric(NodeMetric::Power, QStringLiteral("kW"), 1e-3, 2),
        metric(NodeMetric::InletTemperature, QStringLiteral("°C"), 1, 0, 0, false),
        metric(NodeMetric::InfinibandReceive, QStringLiteral("Gb/s"), 8e-9, 1),
        metric(NodeMetric::InfinibandTransmit, QStringLiteral("Gb/s"), 8e-9, 1)};
    return all;
}

}  // namespace yard::widgets
