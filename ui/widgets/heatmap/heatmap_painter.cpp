#include "ui/widgets/heatmap/heatmap_painter.h"

#include <QPainter>
#include <cmath>
#include <cstring>

#include "ui/model/cluster_state.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/theme.h"
#include "ui/theme/wording.h"
#include "ui/widgets/hatch.h"
#include "ui/widgets/heatmap/state_bar.h"

namespace yard::widgets {

using model::GpuMap;
using model::NodeCategory;
using theme::Color;
using theme::Type;
using Detail = HeatmapLayout::Detail;

namespace {

bool isOut(NodeCategory category)
{
    return category == NodeCategory::Drained || category == NodeCategory::Maintenance ||
           category == NodeCategory::PoweredOff || category == NodeCategory::Reserved;
}

bool isPercent(model::GpuMetric metric)
{
    return metric == model::GpuMetric::MemoryUsed ||
           theme::quantity(metric, 0).unit == QLatin1String("%");
}

QRgb faint(QRgb color, QRgb ground)
{
    const auto channel = [](int a, int b) { return (a + b * 4) / 5; };
    return qRgb(channel(qRed(color), qRed(ground)), channel(qGreen(color), qGreen(ground)),
                channel(qBlue(color), qBlue(ground)));
}

}  // namespace

struct HeatmapPainter::Inks {
    const theme::HeatScale& scale;
    const theme::MetricScale& metric;
    QRgb ground = theme::color(Color::BgSurface).rgb();
    QRgb missing = theme::color(Color::Missing).rgb();
    QRgb window = theme::color(Color::BgWindow).rgb();
    QRgb line = theme::color(Color::LineStrong).rgb();
    QRgb primary = theme::color(Color::TextPrimary).rgb();
};

/// One row of cells: the GPUs of one index in one band of a group.
struct HeatmapPainter::Place {
    int group = 0;
    int first = 0;  ///< columns of the band
    int last = 0;
    int gpu = 0;
};

void HeatmapPainter::paintAll(const GpuMap& map, const HeatmapLayout& layout, double ratio)
{
    m_ratio = ratio;
    const QSize size = layout.contentSize().expandedTo({1, 1});
    if (m_image.size() != size)
        m_image = QImage(size, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(1);
    m_image.fill(theme::color(Color::BgSurface));
    m_medians.clear();
    paintLabels(map, layout, false);
    paintNumbers(map, layout);
    paintBars(map, layout);
    paintValues(map, layout);
}

void HeatmapPainter::paintValues(const GpuMap& map, const HeatmapLayout& layout)
{
    const theme::MetricScale& metric = theme::metricScale(map.metric());
    const Inks inks{theme::HeatScale::of(metric.scale), metric};
    for (int group = 0; group < layout.groupCount(); ++group)
        paintGroup(map, layout, group, inks);
    paintFaults(map, layout);
    paintLabels(map, layout, true);
}

void HeatmapPainter::paintGroup(const GpuMap& map, const HeatmapLayout& layout, int group,
                                const Inks& inks)
{
    const QVector<int>& nodes = map.groups()[group].nodes;
    int gpus = 0;
    for (int node : nodes)
        gpus = std::max(gpus, map.state().gpuOffset(node + 1) - map.state().gpuOffset(node));
    const int perBand = layout.columnsPerBand(group);
    for (int first = 0; first < nodes.size(); first += perBand) {
        const int last = std::min(int(nodes.size()), first + perBand);
        for (int gpu = 0; gpu < gpus; ++gpu) {
            const Place place{group, first, last, gpu};
            fillRow(map, layout, place, inks);
            paintMarks(map, layout, place, inks);
        }
    }
}

void HeatmapPainter::fillRow(const GpuMap& map, const HeatmapLayout& layout, const Place& place,
                             const Inks& inks)
{
    const QRect start = layout.cellRect(place.group, place.first, place.gpu);
    const int pitch = layout.pitch();
    const int cell = layout.cell();
    const bool separated = layout.detail() == Detail::Cells;
    auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(start.top())) + start.left();
    QRgb* at = line;
    const QVector<int>& nodes = map.groups()[place.group].nodes;
    const float* values = map.values().constData();
    const quint8* flags = map.flags().constData();
    const float scale = 255.0F / (inks.metric.high - inks.metric.low);
    for (int column = place.first; column < place.last; ++column, at += pitch) {
        const int position = map.state().gpuOffset(nodes[column]) + place.gpu;
        QRgb color = inks.ground;
        if (position < map.state().gpuOffset(nodes[column] + 1)) {
            const float value = values[position];
            if (std::isnan(value)) {
                color = inks.window;
            } else {
                const float slot = std::clamp((value - inks.metric.low) * scale, 0.0F, 255.0F);
                const auto& table =
                    flags[position] & GpuMap::Stale ? inks.scale.greys() : inks.scale.colors();
                color = table[size_t(slot + 0.5F)];
            }
            if (flags[position] & GpuMap::Hidden)
                color = faint(color, inks.ground);
        }
        std::fill(at, at + cell, color);
        std::fill(at + cell, at + (column + 1 < place.last ? pitch : cell), inks.ground);
        if (separated)
            at[cell - 1] = inks.ground;
    }
    const auto bytes = size_t((place.last - place.first) * pitch - layout.gap()) * sizeof(QRgb);
    for (int row = 1; row < cell; ++row) {
        auto* copy = reinterpret_cast<QRgb*>(m_image.scanLine(start.top() + row)) + start.left();
        std::memcpy(copy, line, bytes);
    }
    // Faults may reach over a point's edge; the gap below is cleaned with the row.
    for (int row = cell; row < pitch && start.top() + row < m_image.height(); ++row) {
        auto* gap = reinterpret_cast<QRgb*>(m_image.scanLine(start.top() + row)) + start.left();
        std::fill(gap, gap + bytes / sizeof(QRgb), inks.ground);
    }
}

void HeatmapPainter::paintMarks(const GpuMap& map, const HeatmapLayout& layout, const Place& place,
                                const Inks& inks)
{
    const QVector<int>& nodes = map.groups()[place.group].nodes;
    const bool large = layout.detail() == Detail::Full || layout.detail() == Detail::Marks;
    for (int column = place.first; column < place.last; ++column) {
        const int node = nodes[column];
        const int position = map.state().gpuOffset(node) + place.gpu;
        if (position >= map.state().gpuOffset(node + 1))
            continue;
        const quint8 flags = map.flags()[position];
        const float value = map.values()[position];
        if (std::isnan(value)) {
            if (!(flags & GpuMap::Hidden))
                hatch(layout.cellRect(place.group, column, place.gpu), inks, large);
            continue;
        }
        if (!large || flags & GpuMap::Hidden)
            continue;
        if (flags & GpuMap::Stale)
            corner(layout.cellRect(place.group, column, place.gpu), inks.ground,
                   std::max(3, layout.cell() * 3 / 10));
        else if (inks.metric.watch && value > *inks.metric.watch)
            corner(layout.cellRect(place.group, column, place.gpu), inks.primary,
                   std::max(3, layout.cell() / 3));
        if (isOut(map.state().nodes()[node].category))
            outline(layout.cellRect(place.group, column, place.gpu), inks.line);
    }
}

void HeatmapPainter::paintFaults(const GpuMap& map, const HeatmapLayout& layout)
{
    if (map.counts().faults == 0)
        return;
    QPainter painter(&m_image);
    for (int group = 0; group < layout.groupCount(); ++group) {
        const QVector<int>& nodes = map.groups()[group].nodes;
        for (int column = 0; column < nodes.size(); ++column) {
            const int first = map.state().gpuOffset(nodes[column]);
            for (int gpu = first; gpu < map.state().gpuOffset(nodes[column] + 1); ++gpu) {
                if (!(map.flags()[gpu] & GpuMap::HasFault))
                    continue;
                QRect rect = layout.cellRect(group, column, gpu - first);
                if (layout.detail() == Detail::Points)
                    rect = QRect(rect.center() - QPoint(1, 1), QSize(3, 3));
                paintFaultCell(painter, rect, theme::color(Color::BgSurface));
            }
        }
    }
}

void HeatmapPainter::paintLabels(const GpuMap& map, const HeatmapLayout& layout, bool onlyMedians)
{
    QPainter painter(&m_image);
    painter.scale(m_ratio, m_ratio);
    QFont title = theme::font(Type::Label, QFont::DemiBold);
    const QFont mono = theme::font(Type::MonoSmall);
    const QFontMetricsF titleMetrics(title);
    const QFontMetricsF monoMetrics(mono);
    m_medians.resize(layout.groupCount());
    const bool inPercent = isPercent(map.metric());
    const QString widest =
        inPercent ? QStringLiteral("100%")
                  : theme::quantity(map.metric(), theme::metricScale(map.metric()).high).text();
    for (int group = 0; group < layout.groupCount(); ++group) {
        const QRect device = layout.labelRect(group);
        const QRectF rect(device.left() / m_ratio, device.top() / m_ratio, device.width() / m_ratio,
                          device.height() / m_ratio);
        const float value = map.median(group);
        QString median;
        if (map.groupIsFree(group))
            median = QStringLiteral("free");
        else if (!std::isnan(value) && rect.width() >= 70)
            median = inPercent ? QStringLiteral("%1%").arg(qRound(double(value)))
                               : theme::quantity(map.metric(), value).text();
        const QString words = map.groups()[group].title;
        const double titleWidth = titleMetrics.horizontalAdvance(words);
        const double medianRoom = monoMetrics.horizontalAdvance(widest) + 4;
        const bool hasRoom = rect.width() - titleWidth > 40;
        if (onlyMedians) {
            if (m_medians[group] == median)
                continue;
            m_medians[group] = median;
            if (!hasRoom)
                continue;
            const QRectF room(std::max(rect.left() + titleWidth + 4, rect.right() - medianRoom),
                              rect.top(), std::min(medianRoom, rect.width() - titleWidth - 4),
                              rect.height());
            painter.fillRect(room, theme::color(Color::BgSurface));
            painter.setFont(mono);
            painter.setPen(theme::color(Color::TextSecondary));
            painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, median);
            continue;
        }
        painter.setFont(title);
        painter.setPen(theme::color(Color::TextPrimary));
        painter.drawText(rect, Qt::AlignVCenter | Qt::TextSingleLine,
                         titleMetrics.elidedText(words, Qt::ElideRight, rect.width()));
        const double room = rect.width() - titleWidth - 8 - medianRoom - 4;
        const QString hosts = map.groups()[group].hosts;
        if (room < 60)
            continue;
        painter.setFont(mono);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRectF(rect.left() + titleWidth + 8, rect.top(), room, rect.height()),
                         Qt::AlignVCenter | Qt::TextSingleLine,
                         theme::fittedHosts(hosts, mono, room));
    }
}

void HeatmapPainter::paintNumbers(const GpuMap& map, const HeatmapLayout& layout)
{
    if (!layout.hasNodeNumbers())
        return;
    QPainter painter(&m_image);
    painter.scale(m_ratio, m_ratio);
    painter.setFont(theme::font(Type::MonoSmall));
    painter.setPen(theme::color(Color::TextMuted));
    const QFontMetricsF metrics(painter.font());
    for (int group = 0; group < layout.groupCount(); ++group) {
        const QVector<int>& nodes = map.groups()[group].nodes;
        double free = -1;
        for (int column = 0; column < nodes.size(); ++column) {
            const QString& name = map.state().nodes()[nodes[column]].name;
            qsizetype digits = 0;
            while (digits < name.size() && name[name.size() - 1 - digits].isDigit())
                ++digits;
            const QString number = digits > 0 ? name.right(digits) : name;
            const QRect device = layout.columnRect(group, column);
            const double left = device.left() / m_ratio;
            const bool newBand = column % layout.columnsPerBand(group) == 0;
            const bool every = column % 4 == 0;
            if (!newBand && (!every || left < free))
                continue;
            painter.drawText(QRectF(left, (device.bottom() + 1) / m_ratio + 1, 80, 14),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, number);
            free = left + metrics.horizontalAdvance(number) + 8;
        }
    }
}

void HeatmapPainter::paintBars(const GpuMap& map, const HeatmapLayout& layout)
{
    if (layout.barHeight() == 0)
        return;
    for (int group = 0; group < layout.groupCount(); ++group) {
        const QVector<int>& nodes = map.groups()[group].nodes;
        for (int column = 0; column < nodes.size(); ++column) {
            const model::NodeInfo& node = map.state().nodes()[nodes[column]];
            const bool requested = map.state().openOperationOn(node.name) != nullptr;
            if (!requested && !hasStateBar(node.category))
                continue;
            QRect bar = layout.columnRect(group, column);
            bar.setHeight(layout.barHeight());
            const QRgb color = requested ? theme::color(Color::Accent).rgb()
                                         : theme::stateColor(node.category).rgb();
            const BarPattern pattern = requested ? BarPattern::Striped : barPattern(node.category);
            for (const QRect& part : barParts(bar, pattern, m_ratio))
                fill(part, color);
        }
    }
}

void HeatmapPainter::fill(const QRect& rect, QRgb color)
{
    const QRect inside = rect & m_image.rect();
    for (int y = inside.top(); y <= inside.bottom(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        std::fill(line + inside.left(), line + inside.right() + 1, color);
    }
}

void HeatmapPainter::hatch(const QRect& rect, const Inks& inks, bool outlined)
{
    // Every stripe runs through all cells of the map, whatever their place.
    const int period =
        std::max(3, int(std::lround((rect.width() >= 12 * m_ratio ? 5 : 4) * m_ratio)));
    const int stripe = std::max(1, int(std::lround(1.2 * m_ratio)));
    for (int y = rect.top(); y <= rect.bottom(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        for (int x = rect.left(); x <= rect.right(); ++x)
            line[x] = (x + y) % period < stripe ? inks.missing : inks.window;
    }
    if (outlined)
        outline(rect, inks.line);
}

void HeatmapPainter::outline(const QRect& rect, QRgb color)
{
    const int width = std::max(1, int(m_ratio));
    fill(QRect(rect.left(), rect.top(), rect.width(), width), color);
    fill(QRect(rect.left(), rect.bottom() + 1 - width, rect.width(), width), color);
    fill(QRect(rect.left(), rect.top(), width, rect.height()), color);
    fill(QRect(rect.right() + 1 - width, rect.top(), width, rect.height()), color);
}

void HeatmapPainter::corner(const QRect& rect, QRgb color, int size)
{
    for (int row = 0; row < size; ++row)
        fill(QRect(rect.right() + 1 - size + row, rect.top() + row, size - row, 1), color);
}

}  // namespace yard::widgets
