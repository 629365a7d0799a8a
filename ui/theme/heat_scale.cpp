#include "ui/theme/heat_scale.h"

#include <cmath>

#include "ui/theme/theme.h"

namespace yard::theme {
namespace {

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double companded(double value)
{
    return value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
}

QRgb greyOf(const QColor& color)
{
    const int level = qRound(companded(luminance(color)) * 255);
    return qRgb(level, level, level);
}

MetricScale fromDomain(Scale scale, const QString& name, const QString& unit)
{
    const Domain domain = Tokens::instance().domain(name);
    MetricScale result;
    result.scale = scale;
    result.low = float(domain.low);
    result.high = float(domain.high);
    if (const auto watch = domain.mark(QStringLiteral("watch")))
        result.watch = float(*watch);
    result.ticks.push_back({domain.low, QString::number(domain.low)});
    for (const auto& [word, value] : domain.marks) {
        // The ends carry their own number; a mark there would stand on top of it.
        if (value > domain.low && value < domain.high && word != QLatin1String("alarm"))
            result.ticks.push_back({value, QStringLiteral("%1 %2").arg(word).arg(value)});
    }
    result.ticks.push_back({domain.high, QStringLiteral("%1 %2").arg(domain.high).arg(unit)});
    return result;
}

MetricScale percent()
{
    MetricScale result;
    for (int tick : {0, 25, 50, 75})
        result.ticks.push_back({double(tick), QString::number(tick)});
    result.ticks.push_back({100, QStringLiteral("100 %")});
    return result;
}

MetricScale amount(float high, const QString& last, const QString& half)
{
    MetricScale result;
    result.high = high;
    result.ticks = {{0, QStringLiteral("0")}, {high / 2, half}, {high, last}};
    return result;
}

MetricScale build(model::GpuMetric metric)
{
    using model::GpuMetric;
    switch (metric) {
        case GpuMetric::Power:
            return fromDomain(Scale::Heat, QStringLiteral("gpu_power_w"), QStringLiteral("W"));
        case GpuMetric::CoreTemperature:
            return fromDomain(Scale::Heat, QStringLiteral("core_temperature_c"),
                              QStringLiteral("°C"));
        case GpuMetric::MemoryTemperature:
            return fromDomain(Scale::Heat, QStringLiteral("memory_temperature_c"),
                              QStringLiteral("°C"));
        case GpuMetric::SmClock:
            return amount(1980, QStringLiteral("1,980 MHz"), QStringLiteral("990"));
        case GpuMetric::NvlinkBandwidth:
            return amount(6e11F, QStringLiteral("600 GB/s"), QStringLiteral("300"));
        default:
            return percent();
    }
}

}  // namespace

HeatScale::HeatScale(Scale scale, Scheme scheme)
{
    const QVector<ScaleStop> stops = Tokens::instance().scale(scale, scheme);
    for (int i = 0; i < 256; ++i) {
        const double at = i / 255.0;
        qsizetype upper = 1;
        while (upper < stops.size() - 1 && at > stops[upper].at)
            ++upper;
        const ScaleStop& a = stops[upper - 1];
        const ScaleStop& b = stops[upper];
        const QColor color = mix(b.color, a.color, (at - a.at) / (b.at - a.at));
        m_colors[size_t(i)] = color.rgb();
        m_greys[size_t(i)] = greyOf(color);
    }
}

const HeatScale& HeatScale::of(Scale scale)
{
    static const std::array<HeatScale, 4> scales = {
        HeatScale(Scale::Use, Scheme::Dark), HeatScale(Scale::Use, Scheme::Light),
        HeatScale(Scale::Heat, Scheme::Dark), HeatScale(Scale::Heat, Scheme::Light)};
    return scales[size_t(scale) * 2 + size_t(Theme::instance().scheme())];
}

const MetricScale& metricScale(model::GpuMetric metric)
{
    static const auto scales = [] {
        std::array<MetricScale, model::kGpuMetricCount> all;
        for (int i = 0; i < model::kGpuMetricCount; ++i)
            all[size_t(i)] = build(model::GpuMetric(i));
        return all;
    }();
    return scales[size_t(metric)];
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b)
{
    const double la = luminance(a);
    const double lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace yard::theme
