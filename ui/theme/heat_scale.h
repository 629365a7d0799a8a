#pragma once

#include <QColor>
#include <array>
#include <optional>

#include "ui/theme/tokens.h"

namespace yard::theme {

/// Colours of a value by its share of a fixed domain: 256 of them, and as many greys of the same
/// lightness for stale readings.
class HeatScale {
public:
    HeatScale(Scale scale, Scheme scheme);

    /// `fraction` is clamped to [0, 1]; it must be a number.
    QRgb color(float fraction) const { return m_colors[slot(fraction)]; }
    QRgb stale(float fraction) const { return m_greys[slot(fraction)]; }
    const std::array<QRgb, 256>& colors() const { return m_colors; }
    const std::array<QRgb, 256>& greys() const { return m_greys; }

    static size_t slot(float fraction)
    {
        return fraction <= 0 ? 0 : fraction >= 1 ? 255 : size_t(fraction * 255.0F + 0.5F);
    }
    /// In the scheme in force; rebuilt on its change.
    static const HeatScale& of(Scale scale);

private:
    std::array<QRgb, 256> m_colors{};
    std::array<QRgb, 256> m_greys{};
};

/// How one metric is drawn: its scale and domain, where watch and alarm begin, and the ticks of its
/// legend.
struct MetricScale {
    Scale scale = Scale::Use;
    float low = 0;
    float high = 100;
    std::optional<float> watch;
    QVector<QPair<double, QString>> ticks;  ///< value, words

    float fraction(float value) const { return (value - low) / (high - low); }
};

const MetricScale& metricScale(model::GpuMetric metric);

/// WCAG 2.1 relative luminance and contrast.
double luminance(const QColor& color);
double contrast(const QColor& a, const QColor& b);

}  // namespace yard::theme
