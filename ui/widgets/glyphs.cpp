#include "ui/widgets/glyphs.h"

#include <QPainter>
#include <QPainterPath>

namespace yard::widgets {
namespace {

using model::JobState;
using model::NodeCategory;
using theme::Color;

QPen pen(const QColor& color, double width)
{
    return QPen(color, width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
}

QPen dashes(const QColor& color, double width, double on, double off)
{
    QPen result = pen(color, width);
    result.setDashPattern({on / width, off / width});
    return result;
}

void ring(QPainter& painter, double radius, const QPen& line)
{
    painter.setPen(line);
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(6, 6), radius, radius);
}

void fill(QPainter& painter, const QPainterPath& path, const QColor& color)
{
    painter.fillPath(path, color);
}

QPainterPath roundedBox(double at, double size, double radius)
{
    QPainterPath path;
    path.addRoundedRect(QRectF(at, at, size, size), radius, radius);
    return path;
}

QPainterPath diamond(double inset)
{
    QPainterPath path;
    path.addPolygon(
        QPolygonF{{6, inset}, {12 - inset, 6}, {6, 12 - inset}, {inset, 6}, {6, inset}});
    return path;
}

/// Cut out, so that the ground shows through whatever it is.
void crossedBox(QPainter& painter, const QColor& color)
{
    QPainterPath cross;
    cross.moveTo(3.6, 3.6);
    cross.lineTo(8.4, 8.4);
    cross.moveTo(8.4, 3.6);
    cross.lineTo(3.6, 8.4);
    QPainterPathStroker stroker(QPen(color, 1.8));
    fill(painter, roundedBox(0.5, 11, 1.5).subtracted(stroker.createStroke(cross)), color);
}

void disc(QPainter& painter, const QColor& color)
{
    QPainterPath path;
    path.addEllipse(QPointF(6, 6), 5, 5);
    fill(painter, path, color);
}

void halfDisc(QPainter& painter, const QColor& color)
{
    ring(painter, 4.25, pen(color, 1.5));
    QPainterPath half;
    half.moveTo(1.75, 6);
    half.arcTo(QRectF(1.75, 1.75, 8.5, 8.5), 180, 180);
    half.closeSubpath();
    fill(painter, half, color);
}

void stripedBox(QPainter& painter, const QColor& color)
{
    painter.save();
    painter.setClipPath(roundedBox(1.5, 9, 1));
    painter.setPen(pen(color, 1.4));
    for (double at : {2.0, 6.0, 10.0, 14.0, 18.0})
        painter.drawLine(QPointF(at - 8, 8), QPointF(at, 0)),
            painter.drawLine(QPointF(at - 12, 12), QPointF(at - 6, 6));
    painter.restore();
    painter.setPen(pen(color, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(roundedBox(1.5, 9, 1));
}

void openArrow(QPainter& painter, const QColor& color)
{
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(QRectF(2, 2.2, 8, 8), 55 * 16, 305 * 16);
    painter.drawPolyline(QPolygonF{{8.9, 0.7}, {8.9, 3.1}, {6.5, 3.1}});
}

void drawCategory(QPainter& painter, NodeCategory category, const QColor& color)
{
    switch (category) {
        case NodeCategory::Idle:
            ring(painter, 4, pen(color, 1.8));
            return;
        case NodeCategory::Mixed:
            halfDisc(painter, color);
            return;
        case NodeCategory::Allocated:
            disc(painter, color);
            return;
        case NodeCategory::Completing:
            ring(painter, 4.6, pen(color, 1.2));
            painter.setBrush(color);
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(QPointF(6, 6), 2.2, 2.2);
            return;
        case NodeCategory::Draining:
            stripedBox(painter, color);
            return;
        case NodeCategory::Drained:
            fill(painter, roundedBox(1, 10, 1), color);
            return;
        case NodeCategory::Down:
        case NodeCategory::Fail:
            crossedBox(painter, color);
            return;
        case NodeCategory::Maintenance:
            fill(painter, diamond(0.5), color);
            return;
        case NodeCategory::Reserved:
        case NodeCategory::Planned:
            painter.setPen(category == NodeCategory::Reserved ? pen(color, 1.5)
                                                              : dashes(color, 1.4, 1.6, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(diamond(1.4));
            return;
        case NodeCategory::Rebooting:
            openArrow(painter, color);
            return;
        case NodeCategory::PoweredOff:
            ring(painter, 4.4, pen(color, 1.5));
            painter.drawLine(QPointF(6, 3.2), QPointF(6, 8.8));
            return;
        case NodeCategory::Invalid:
        case NodeCategory::Future:
        case NodeCategory::Unknown:
            ring(painter, 4.6, dashes(color, 1.5, 2.2, 1.4));
            painter.setPen(pen(color, 1.3));
            if (category != NodeCategory::Future)
                painter.drawLine(QPointF(4, 8), QPointF(8, 4));
            if (category == NodeCategory::Invalid)
                painter.drawLine(QPointF(4, 4), QPointF(8, 8));
            return;
    }
}

QPainterPath octagon()
{
    QPainterPath path;
    path.addPolygon(QPolygonF{
        {4.2, 1}, {9.8, 1}, {13, 4.2}, {13, 9.8}, {9.8, 13}, {4.2, 13}, {1, 9.8}, {1, 4.2}});
    path.closeSubpath();
    return path;
}

void exclamation(QPainter& painter, const QColor& color, double shift)
{
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(QPointF(7, 4.2 + shift), QPointF(7, 7.4 + shift));
    painter.drawPoint(QPointF(7, 9.7 + shift));
}

void begin(QPainter& painter, const QRectF& rect, double unit)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / unit, rect.height() / unit);
}

}  // namespace

void paintNodeGlyph(QPainter& painter, const QRectF& rect, NodeCategory category, bool requested)
{
    begin(painter, rect, 12);
    if (requested) {
        ring(painter, 5.2, dashes(theme::color(Color::Accent), 1.4, 1.2, 1.6));
        painter.translate(6, 6);
        painter.scale(0.5, 0.5);
        painter.translate(-6, -6);
    }
    drawCategory(painter, category, theme::stateColor(category));
    painter.restore();
}

void paintJobGlyph(QPainter& painter, const QRectF& rect, JobState state, bool infrastructure)
{
    const QColor quiet = theme::color(Color::TextMuted);
    begin(painter, rect, 12);
    painter.setPen(QPen(quiet, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    switch (state) {
        case JobState::Running:
            disc(painter, theme::stateColor(NodeCategory::Allocated));
            break;
        case JobState::Suspended:
            halfDisc(painter, theme::stateColor(NodeCategory::Mixed));
            break;
        case JobState::Pending:
            painter.drawEllipse(QPointF(6, 6), 4.4, 4.4);
            painter.drawPolyline(QPolygonF{{6, 3.6}, {6, 6.2}, {7.6, 7.2}});
            break;
        case JobState::Completed:
            painter.drawPolyline(QPolygonF{{2.2, 6.6}, {4.8, 9.2}, {9.8, 3.4}});
            break;
        case JobState::NodeFail:
        case JobState::BootFail:
            crossedBox(painter, theme::color(Color::Fault));
            break;
        case JobState::Failed:
        case JobState::OutOfMemory:
            // A user's own failed script is grey; red is for the infrastructure's faults.
            if (infrastructure) {
                crossedBox(painter, theme::color(Color::Fault));
                break;
            }
            painter.drawPath(roundedBox(1.2, 9.6, 1.2));
            painter.drawLine(QPointF(4, 4), QPointF(8, 8));
            painter.drawLine(QPointF(8, 4), QPointF(4, 8));
            break;
        case JobState::Cancelled:
        case JobState::Timeout:
        case JobState::Preempted:
        case JobState::Deadline:
            painter.drawLine(QPointF(3, 3), QPointF(9, 9));
            painter.drawLine(QPointF(9, 3), QPointF(3, 9));
            break;
        case JobState::Unknown:
            drawCategory(painter, NodeCategory::Unknown, quiet);
            break;
    }
    painter.restore();
}

void paintSeverity(QPainter& painter, const QRectF& rect, Severity severity)
{
    begin(painter, rect, 14);
    const auto outline = [&painter](const QPainterPath& path, Color tone) {
        painter.setPen(QPen(theme::color(tone), 1.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        exclamation(painter, theme::color(tone), 0);
    };
    switch (severity) {
        case Severity::Critical:
            painter.setPen(
                QPen(theme::color(Color::Fault), 1.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.setBrush(theme::color(Color::Fault));
            painter.drawPath(octagon());
            exclamation(painter, theme::color(Color::BgSurface), 0);
            break;
        case Severity::Fault:
            outline(octagon(), Color::Fault);
            break;
        case Severity::Warning: {
            QPainterPath path;
            path.addPolygon(QPolygonF{{7, 1.5}, {13, 12.5}, {1, 12.5}});
            path.closeSubpath();
            painter.setPen(
                QPen(theme::color(Color::Warn), 1.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.setBrush(Qt::NoBrush);
            painter.drawPath(path);
            exclamation(painter, theme::color(Color::Warn), 1.1);
            break;
        }
        case Severity::Question: {
            QPainterPath path;
            path.addPolygon(QPolygonF{
                {1.5, 2}, {12.5, 2}, {12.5, 10}, {7.5, 10}, {4.5, 12.5}, {4.5, 10}, {1.5, 10}});
            path.closeSubpath();
            painter.setPen(
                QPen(theme::color(Color::Accent), 1.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.drawPath(path);
            exclamation(painter, theme::color(Color::Accent), -1.2);
            break;
        }
        case Severity::Note:
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme::color(Color::TextSecondary));
            painter.drawEllipse(QPointF(7, 7), 2.5, 2.5);
            break;
    }
    painter.restore();
}

QString severityName(Severity severity)
{
    switch (severity) {
        case Severity::Critical:
            return QStringLiteral("Critical");
        case Severity::Fault:
            return QStringLiteral("Fault");
        case Severity::Warning:
            return QStringLiteral("Warning");
        case Severity::Question:
            return QStringLiteral("Needs an answer");
        case Severity::Note:
            return QStringLiteral("Note");
    }
    Q_UNREACHABLE();
}

Glyph::Glyph(int size, Painter paint, QWidget* parent)
    : QWidget(parent)
    , m_paint(std::move(paint))
{
    setFixedSize(size, size);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void Glyph::setPainter(Painter paint)
{
    m_paint = std::move(paint);
    update();
}

Glyph* Glyph::node(NodeCategory category, int size)
{
    return new Glyph(size, [category](QPainter& painter, const QRectF& rect) {
        paintNodeGlyph(painter, rect, category);
    });
}

Glyph* Glyph::severity(Severity severity, int size)
{
    return new Glyph(size, [severity](QPainter& painter, const QRectF& rect) {
        paintSeverity(painter, rect, severity);
    });
}

Glyph* Glyph::icon(const QString& name, Color tone, int size)
{
    return new Glyph(size, [name, tone](QPainter& painter, const QRectF& rect) {
        theme::paintIcon(painter, rect, name, theme::color(tone));
    });
}

Glyph* Glyph::dot(Color tone, int size)
{
    return new Glyph(size, [tone](QPainter& painter, const QRectF& rect) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme::color(tone));
        painter.drawEllipse(rect);
    });
}

Glyph* Glyph::square(std::function<QColor()> color, int size)
{
    return new Glyph(size, [color = std::move(color)](QPainter& painter, const QRectF& rect) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color());
        painter.drawRoundedRect(rect, 1, 1);
    });
}

void Glyph::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    m_paint(painter, rect());
}

}  // namespace yard::widgets
