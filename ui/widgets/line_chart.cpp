#include "ui/widgets/line_chart.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace yard::widgets {
namespace {

constexpr double kLeastDrag = 4;   ///< pixels; less is a click
constexpr double kClosest = 1e-6;  ///< share of the whole that can still be zoomed to
constexpr int kKeySteps = 100;
constexpr double kZoomStep = 1.5;

}  // namespace

LineChart::LineChart(const QString& name, QWidget* parent)
    : Chart(parent)
{
    setAccessibleName(name);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
}

void LineChart::setLines(const QVector<Line>& lines)
{
    m_lines = lines;
    viewport()->update();
}

void LineChart::setX(double low, double high, const Axis& axis)
{
    const bool was = isZoomed();
    m_x = axis;
    m_allLow = low;
    m_allHigh = std::max(high, low + 1e-9);
    if (!was) {
        m_low = m_allLow;
        m_high = m_allHigh;
    }
    refreshTicks();
}

void LineChart::setY(double low, double high, const QVector<Tick>& ticks,
                     std::function<QString(double)> words)
{
    m_yLow = low;
    m_yHigh = std::max(high, low + 1e-9);
    m_yWords = std::move(words);
    setYTicks(ticks);
}

void LineChart::setMarks(const QVector<double>& marks)
{
    m_marks = marks;
    viewport()->update();
}

void LineChart::refreshTicks()
{
    m_xTicks = m_x.ticks ? m_x.ticks(m_low, m_high) : QVector<Tick>();
    setXTicks(m_xTicks);
}

void LineChart::setView(double low, double high)
{
    m_low = low;
    m_high = std::max(high, low + 1e-9);
    refreshTicks();
}

void LineChart::zoomTo(double low, double high)
{
    const double least = (m_allHigh - m_allLow) * kClosest;
    low = std::clamp(low, m_allLow, m_allHigh);
    high = std::clamp(high, m_allLow, m_allHigh);
    if (high - low < least || (low == m_low && high == m_high))
        return;
    setView(low, high);
    Q_EMIT viewChanged(m_low, m_high);
}

void LineChart::zoomAround(double x, double factor)
{
    const double span = (m_high - m_low) * factor;
    const double low = x - (x - m_low) * factor;
    zoomTo(low, low + span);
}

double LineChart::pixelOf(double x) const
{
    const QRectF plot = chart()->plotArea();
    return plot.left() + (x - m_low) / (m_high - m_low) * plot.width();
}

double LineChart::valueAt(double pixel) const
{
    const QRectF plot = chart()->plotArea();
    const double share = (pixel - plot.left()) / std::max(1.0, plot.width());
    return m_low + std::clamp(share, 0.0, 1.0) * (m_high - m_low);
}

void LineChart::setCrosshair(std::optional<double> x)
{
    if (m_crosshair == x)
        return;
    m_crosshair = x;
    setAccessibleDescription(crosshairWords().join(QStringLiteral(", ")));
    viewport()->update();
}

void LineChart::moveCrosshair(double x)
{
    setCrosshair(std::clamp(x, m_low, m_high));
    Q_EMIT crosshairChanged(m_crosshair);
}

// -- hands --

void LineChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    m_pressed = valueAt(event->position().x());
    m_dragged = *m_pressed;
}

void LineChart::mouseMoveEvent(QMouseEvent* event)
{
    const double x = valueAt(event->position().x());
    if (m_pressed)
        m_dragged = x;
    moveCrosshair(x);
    viewport()->update();
}

void LineChart::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return event->ignore();
    const double from = *std::exchange(m_pressed, std::nullopt);
    const double to = valueAt(event->position().x());
    viewport()->update();
    if (std::abs(pixelOf(to) - pixelOf(from)) >= kLeastDrag)
        zoomTo(std::min(from, to), std::max(from, to));
}

void LineChart::mouseDoubleClickEvent(QMouseEvent* event)
{
    m_pressed.reset();
    if (event->button() == Qt::LeftButton)
        showAll();
}

void LineChart::leaveEvent(QEvent*)
{
    setCrosshair(std::nullopt);
    Q_EMIT crosshairChanged(std::nullopt);
}

void LineChart::wheelEvent(QWheelEvent* event)
{
    // Without Ctrl the wheel belongs to what the chart stands in.
    if (!(event->modifiers() & Qt::ControlModifier))
        return event->ignore();
    zoomAround(valueAt(event->position().x()),
               event->angleDelta().y() > 0 ? 1 / kZoomStep : kZoomStep);
    event->accept();
}

void LineChart::keyPressEvent(QKeyEvent* event)
{
    const double here = m_crosshair.value_or((m_low + m_high) / 2);
    const double step =
        (m_high - m_low) / kKeySteps * (event->modifiers() & Qt::ShiftModifier ? 10 : 1);
    switch (event->key()) {
        case Qt::Key_Left:
            return moveCrosshair(here - step);
        case Qt::Key_Right:
            return moveCrosshair(here + step);
        case Qt::Key_Home:
            return moveCrosshair(m_low);
        case Qt::Key_End:
            return moveCrosshair(m_high);
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return zoomAround(here, 1 / kZoomStep);
        case Qt::Key_Minus:
            return zoomAround(here, kZoomStep);
        case Qt::Key_0:
        case Qt::Key_Backspace:
            return showAll();
        case Qt::Key_Escape:
            if (isZoomed())
                return showAll();
            break;
        default:
            break;
    }
    // Not the view's own: it would scroll.
    event->ignore();
}

void LineChart::focusInEvent(QFocusEvent* event)
{
    Chart::focusInEvent(event);
    viewport()->update();
}

void LineChart::focusOutEvent(QFocusEvent* event)
{
    Chart::focusOutEvent(event);
    setCrosshair(std::nullopt);
    viewport()->update();
}

}  // namespace yard::widgets
