#include "ui/widgets/scale_legend.h"

#include <QPainter>
#include <cmath>
#include <functional>

#include "ui/theme/heat_scale.h"
#include "ui/theme/theme.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/hatch.h"
#include "ui/widgets/heatmap/state_bar.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kSwatch = 14;
constexpr int kBarSwatch = 22;

ScaleLegend::ScaleLegend(int barWidth, int barHeight, QWidget* parent)
    : QWidget(parent)
    , m_barWidth(barWidth)
    , m_barHeight(barHeight)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void ScaleLegend::setMetric(model::GpuMetric metric)
{
    m_metric = metric;
    setAccessibleName(theme::metricName(metric));
    update();
}

QSize ScaleLegend::sizeHint() const
{
    return {m_barWidth, m_barHeight + 19};
}

void ScaleLegend::paintEvent(QPaintEvent*)
{
    const theme::MetricScale& metric = theme::metricScale(m_metric);
    const theme::HeatScale& scale = theme::HeatScale::of(metric.scale);
    QPainter painter(this);
    const qreal ratio = devicePixelRatioF();
    QImage bar(int(m_barWidth * ratio), 1, QImage::Format_RGB32);
    for (int x = 0; x < bar.width(); ++x)
        bar.setPixel(x, 0, scale.color(float(x) / float(bar.width() - 1)));
    painter.drawImage(QRect(0, 0, m_barWidth, m_barHeight), bar);
    painter.setFont(theme::font(Type::MonoSmall));
    const QFontMetricsF words(painter.font());
    for (qsizetype i = 0; i < metric.ticks.size(); ++i) {
        const auto& [value, text] = metric.ticks[i];
        const double at = double(metric.fraction(float(value))) * (m_barWidth - 1);
        painter.fillRect(QRectF(std::floor(at), m_barHeight, 1, 3), theme::color(Color::TextMuted));
        const double width = words.horizontalAdvance(text);
        const double left = i == 0                         ? 0
                            : i + 1 == metric.ticks.size() ? m_barWidth - width
                                                           : at - width / 2;
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRectF(left, m_barHeight + 4, width + 2, 14),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    }
}

struct MapKey::Entry {
    QString words;
    int width = kSwatch;
    std::function<void(QPainter&, const QRect&)> paint;
};

MapKey::MapKey(bool withBars, QWidget* parent)
    : QWidget(parent)
    , m_withBars(withBars)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void MapKey::setCounts(const Counts& counts)
{
    if (m_counts == counts)
        return;
    m_counts = counts;
    updateGeometry();
    update();
}

void MapKey::setBars(const QVector<model::NodeCategory>& bars, bool requested)
{
    if (m_bars == bars && m_requested == requested)
        return;
    m_bars = bars;
    m_requested = requested;
    updateGeometry();
    update();
}

/// As the map draws it above a column.
static void paintBar(QPainter& painter, const QRect& rect, const QColor& color, BarPattern pattern)
{
    const QRect bar(rect.left(), rect.center().y() - 1, rect.width(), 4);
    for (const QRect& part : barParts(bar, pattern, 1))
        painter.fillRect(part, color);
}

QVector<MapKey::Entry> MapKey::entries() const
{
    const auto counted = [](const QString& word, int count) {
        return count > 0 ? word + QLatin1Char(' ') + theme::number(qint64(count)) : word;
    };
    QVector<Entry> all;
    all.push_back({counted(theme::noReading(), m_counts.missing), kSwatch,
                   [](QPainter& painter, const QRect& rect) { paintMissing(painter, rect); }});
    all.push_back({counted(QStringLiteral("stale"), m_counts.stale), kSwatch,
                   [](QPainter& painter, const QRect& rect) {
                       const QRgb grey = theme::HeatScale::of(theme::Scale::Use).stale(0.45F);
                       paintStaleCell(painter, rect, QColor::fromRgb(grey),
                                      theme::color(Color::BgSurface));
                   }});
    all.push_back({counted(QStringLiteral("fault"), m_counts.faults), kSwatch,
                   [](QPainter& painter, const QRect& rect) {
                       paintFaultCell(painter, rect, theme::color(Color::BgSurface));
                   }});
    if (!m_withBars)
        return all;
    using model::NodeCategory;
    for (const NodeCategory category : m_bars) {
        all.push_back({theme::categoryName(category), kBarSwatch,
                       [category](QPainter& painter, const QRect& rect) {
                           paintBar(painter, rect, theme::stateColor(category),
                                    barPattern(category));
                       }});
    }
    if (m_requested)
        all.push_back(
            {QStringLiteral("requested"), kBarSwatch, [](QPainter& painter, const QRect& rect) {
                 paintBar(painter, rect, theme::color(Color::Accent), BarPattern::Striped);
             }});
    all.push_back({QStringLiteral("same job"), kSwatch, [](QPainter& painter, const QRect& rect) {
                       theme::paintPanel(painter, rect, Qt::transparent,
                                         theme::color(Color::TextSecondary), 0);
                   }});
    return all;
}

QSize MapKey::sizeHint() const
{
    const QFontMetricsF words(theme::font(Type::Caption));
    double width = -14;
    for (const Entry& entry : entries())
        width += entry.width + 6 + std::ceil(words.horizontalAdvance(entry.words)) + 14;
    return {int(width) + 2, 18};
}

void MapKey::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(theme::font(Type::Caption));
    const QFontMetricsF words(painter.font());
    int left = 0;
    for (const Entry& entry : entries()) {
        entry.paint(painter, QRect(left, 2, entry.width, kSwatch));
        left += entry.width + 6;
        const int width = int(std::ceil(words.horizontalAdvance(entry.words)));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(left, 0, width + 2, 18), Qt::AlignVCenter | Qt::TextSingleLine,
                         entry.words);
        left += width + 14;
    }
}

}  // namespace yard::widgets
