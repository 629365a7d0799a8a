#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/line_chart.h"

// How a LineChart looks.

namespace yard::widgets {
namespace {

using theme::Color;
using theme::Type;

constexpr double kLineWidth = 1.5;
constexpr double kPaperWidth = 1.25;
constexpr float kPaperOpacity = 0.75F;
constexpr float kBandOpacity = 0.35F;
constexpr int kBoxRow = 18;
constexpr int kBoxPadding = 8;

QPen penOf(const LineChart::Line& line)
{
    QColor color = line.color();
    if (line.dashed)
        color.setAlphaF(kPaperOpacity);
    QPen pen(color, line.dashed ? kPaperWidth : kLineWidth, Qt::SolidLine, Qt::FlatCap,
             Qt::RoundJoin);
    if (line.dashed)
        pen.setDashPattern({4, 3});
    return pen;
}

/// The point at x, or null if x lies in a gap or beside the line.
const LineChart::Point* pointAt(const LineChart::Line& line, double x)
{
    if (line.points.isEmpty())
        return nullptr;
    const auto next =
        std::lower_bound(line.points.begin(), line.points.end(), x,
                         [](const LineChart::Point& point, double at) { return point.x < at; });
    const LineChart::Point* best = nullptr;
    for (const auto candidate : {next, next == line.points.begin() ? next : next - 1}) {
        if (candidate == line.points.end())
            continue;
        if (!best || std::abs(candidate->x - x) < std::abs(best->x - x))
            best = &*candidate;
    }
    return best && (line.gap <= 0 || std::abs(best->x - x) <= line.gap) ? best : nullptr;
}

}  // namespace

void LineChart::paintLine(QPainter& painter, const QRectF& plot, const Line& line) const
{
    const auto pixel = [&](const Point& point, double value) {
        const double share = (value - m_yLow) / (m_yHigh - m_yLow);
        return QPointF(pixelOf(point.x), plot.bottom() - share * plot.height());
    };
    QPolygonF run;
    QPolygonF upper;
    QPolygonF lower;
    const auto flush = [&] {
        if (line.band && upper.size() > 1) {
            QColor fill = line.color();
            fill.setAlphaF(kBandOpacity);
            std::reverse(lower.begin(), lower.end());
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            painter.drawPolygon(upper + lower);
        }
        if (run.size() > 1) {
            painter.setPen(penOf(line));
            painter.setBrush(Qt::NoBrush);
            painter.drawPolyline(run);
        } else if (run.size() == 1) {
            // One reading between two gaps is no line, but it is there.
            painter.setPen(Qt::NoPen);
            painter.setBrush(line.color());
            painter.drawEllipse(run.first(), kLineWidth, kLineWidth);
        }
        run.clear();
        upper.clear();
        lower.clear();
    };
    const Point* before = nullptr;
    for (const Point& point : line.points) {
        if (std::isnan(point.y) || (before && line.gap > 0 && point.x - before->x > line.gap))
            flush();
        before = &point;
        if (std::isnan(point.y))
            continue;
        run << pixel(point, point.y);
        if (line.band) {
            upper << pixel(point, point.high);
            lower << pixel(point, point.low);
        }
    }
    flush();
}

QVector<LineChart::Row> LineChart::rows() const
{
    QVector<Row> rows;
    if (!m_crosshair || !m_yWords)
        return rows;
    for (const Line& line : m_lines) {
        const Point* point = pointAt(line, *m_crosshair);
        QString value = theme::noReading();
        if (point && !std::isnan(point->y)) {
            value = m_yWords(point->y);
            if (line.band && point->low < point->high)
                value +=
                    QStringLiteral("  (%1 to %2)").arg(m_yWords(point->low), m_yWords(point->high));
        }
        rows.append({line.name, value, &line});
    }
    return rows;
}

QStringList LineChart::crosshairWords() const
{
    QStringList words;
    const QVector<Row> all = rows();
    if (all.isEmpty())
        return words;
    if (m_x.words)
        words << m_x.words(*m_crosshair);
    for (const Row& row : all)
        words << row.name + QLatin1Char(' ') + row.value;
    return words;
}

void LineChart::paintCrosshair(QPainter& painter, const QRectF& plot) const
{
    const double x = std::round(pixelOf(*m_crosshair)) + 0.5;
    QPen dotted(theme::color(Color::TextPrimary), 1);
    dotted.setDashPattern({1, 3});
    painter.setPen(dotted);
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const QVector<Row> all = rows();
    if (all.isEmpty())
        return;
    const QFontMetricsF names(theme::font(Type::Label));
    const QFontMetricsF values(theme::font(Type::Mono));
    const QString title = m_x.words ? m_x.words(*m_crosshair) : QString();
    double nameWidth = 0;
    double valueWidth = 0;
    for (const Row& row : all) {
        nameWidth = std::max(nameWidth, names.horizontalAdvance(row.name));
        valueWidth = std::max(valueWidth, values.horizontalAdvance(row.value));
    }
    const double wanted =
        std::max(values.horizontalAdvance(title), 15 + nameWidth + 12 + valueWidth);
    const QSizeF size(wanted + 2 * kBoxPadding, kBoxRow * double(all.size() + 1) + 10);
    // In the free part: away from the hand.
    const bool left = x > plot.center().x();
    const double at = left ? std::max(plot.left() + 4, x - 10 - size.width())
                           : std::min(plot.right() - 4 - size.width(), x + 10);
    const QRect box(QPoint(int(at), int(plot.top()) + 2), size.toSize());
    theme::paintPanel(painter, box, theme::color(Color::BgRaised), theme::color(Color::LineStrong),
                      theme::px(theme::Radius::Control));
    QRectF line(box.left() + kBoxPadding, box.top() + 4, wanted, kBoxRow);
    painter.setFont(theme::font(Type::Mono));
    painter.setPen(theme::color(Color::TextSecondary));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    for (const Row& row : all) {
        line.translate(0, kBoxRow);
        painter.setPen(penOf(*row.line));
        painter.drawLine(QPointF(line.left(), line.center().y()),
                         QPointF(line.left() + 10, line.center().y()));
        painter.setFont(theme::font(Type::Label));
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(line.adjusted(15, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, row.name);
        painter.setFont(theme::font(Type::Mono));
        painter.setPen(theme::color(Color::TextPrimary));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, row.value);
    }
}

void LineChart::paintOver(QPainter& painter, const QRectF& plot)
{
    painter.save();
    if (m_verticalGrid) {
        QColor grid = theme::color(Color::TextPrimary);
        grid.setAlphaF(0.08F);
        for (const Tick& tick : std::as_const(m_xTicks))
            painter.fillRect(QRectF(std::round(plot.left() + tick.at * plot.width()), plot.top(), 1,
                                    plot.height()),
                             grid);
    }
    painter.setClipRect(plot.adjusted(0, -2, 0, 1));
    for (const double mark : std::as_const(m_marks))
        painter.fillRect(QRectF(std::round(pixelOf(mark)), plot.top(), 1, plot.height()),
                         theme::color(Color::LineStrong));
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Line& line : std::as_const(m_lines))
        paintLine(painter, plot, line);
    if (m_pressed && std::abs(pixelOf(m_dragged) - pixelOf(*m_pressed)) > 1) {
        QColor chosen = theme::color(Color::Accent);
        chosen.setAlphaF(0.18F);
        painter.fillRect(QRectF(QPointF(pixelOf(*m_pressed), plot.top()),
                                QPointF(pixelOf(m_dragged), plot.bottom()))
                             .normalized(),
                         chosen);
    }
    painter.setClipping(false);
    if (m_crosshair && *m_crosshair >= m_low && *m_crosshair <= m_high)
        paintCrosshair(painter, plot);
    if (hasFocus()) {
        painter.setPen(QPen(theme::color(Color::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    painter.restore();
}

AmountAxis amountAxis(double most, const QString& unit)
{
    constexpr int kSteps = 4;
    const double raw = (most > 0 ? most : 1) / kSteps;
    const double decade = std::pow(10, std::floor(std::log10(raw)));
    double step = 10 * decade;
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        if (factor * decade >= raw * 0.9999) {
            step = factor * decade;
            break;
        }
    }
    int decimals = 0;
    while (decimals < 6 && std::abs(step * std::pow(10, decimals) -
                                    std::round(step * std::pow(10, decimals))) > 1e-6)
        ++decimals;
    AmountAxis axis;
    axis.top = step * kSteps;
    for (int i = 0; i <= kSteps; ++i) {
        QString text = theme::number(step * i, decimals);
        if (i == kSteps && !unit.isEmpty())
            text += unit == QLatin1String("%") ? unit : QChar(0x2009) + unit;
        axis.ticks.append({double(i) / kSteps, text});
    }
    return axis;
}

QVector<LineChart::Tick> timeTicks(qint64 fromMs, qint64 toMs, const QTimeZone& zone, int most)
{
    static constexpr qint64 kRound[] = {1,          5,          10,         30,         60,
                                        300,        600,        1800,       3600,       3 * 3600,
                                        6 * 3600,   12 * 3600,  86'400,     2 * 86400,  7 * 86400,
                                        14 * 86400, 30 * 86400, 91 * 86400, 365 * 86400};
    const qint64 span = std::max<qint64>(1, toMs - fromMs);
    qint64 step = kRound[std::size(kRound) - 1];
    for (const qint64 round : kRound) {
        if (span / (round * 1000) <= std::max(most, 1)) {
            step = round;
            break;
        }
    }
    const QTimeZone in = zone.isValid() ? zone : QTimeZone::utc();
    const qint64 offset = in.offsetFromUtc(QDateTime::fromMSecsSinceEpoch(fromMs, Qt::UTC));
    QVector<LineChart::Tick> ticks;
    qint64 second = ((fromMs / 1000 + offset) / step + 1) * step - offset;
    if ((fromMs / 1000 + offset) % step == 0 && fromMs % 1000 == 0)
        second -= step;
    for (; second * 1000 <= toMs; second += step) {
        const QDateTime at = QDateTime::fromMSecsSinceEpoch(second * 1000, Qt::UTC).toTimeZone(in);
        const bool midnight = at.time() == QTime(0, 0);
        const QString words =
            midnight || step >= 86400
                ? QLocale::c().toString(at.date(), QStringLiteral("MMM d"))
                : at.toString(step < 60 ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
        ticks.append({double(second * 1000 - fromMs) / double(span), words});
    }
    return ticks;
}

}  // namespace yard::widgets
