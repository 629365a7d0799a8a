#include "ui/widgets/segmented_switch.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

SegmentedSwitch::SegmentedSwitch(const QStringList& options, QWidget* parent)
    : QWidget(parent)
    , m_options(options)
{
    theme::wear(*this, theme::Type::Label);
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void SegmentedSwitch::setCurrent(int index)
{
    if (index == m_current || index < -1 || index >= m_options.size() ||
        (index >= 0 && !isEnabledOption(index)))
        return;
    m_current = index;
    update();
    Q_EMIT currentChanged(index);
}

void SegmentedSwitch::setSmall(bool small)
{
    m_small = small;
    updateGeometry();
}

void SegmentedSwitch::setEnabledOptions(const QVector<bool>& enabled, const QString& why)
{
    if (m_enabled == enabled && m_why == why)
        return;
    m_enabled = enabled;
    m_why = why;
    update();
}

QRect SegmentedSwitch::optionRect(int index) const
{
    const int side = m_small ? 9 : 11;
    int left = 0;
    for (int i = 0;; ++i) {
        const int width =
            int(std::ceil(QFontMetricsF(font()).horizontalAdvance(m_options[i]))) + 2 * side;
        if (i == index)
            return {left, 0, width, height()};
        left += width;
    }
}

QSize SegmentedSwitch::sizeHint() const
{
    const int height = theme::px(m_small ? theme::Size::ControlSmall : theme::Size::Control);
    return {m_options.isEmpty() ? 0 : optionRect(int(m_options.size()) - 1).right() + 1, height};
}

int SegmentedSwitch::optionAt(const QPoint& at) const
{
    for (int i = 0; i < m_options.size(); ++i) {
        if (optionRect(i).contains(at))
            return i;
    }
    return -1;
}

void SegmentedSwitch::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const int radius = theme::px(theme::Radius::Control);
    QPainterPath outline;
    outline.addRoundedRect(rect(), radius, radius);
    painter.save();
    painter.setClipPath(outline);
    for (int i = 0; i < m_options.size(); ++i) {
        const QRect box = optionRect(i);
        const bool on = i == m_current;
        if (on || i == m_hovered)
            painter.fillRect(box, theme::color(on ? Color::AccentSoft : Color::BgHover));
        if (i > 0)
            painter.fillRect(box.left(), 0, 1, height(), theme::color(Color::LineSubtle));
        painter.setPen(theme::color(!isEnabledOption(i) ? Color::TextDisabled
                                    : on                ? Color::AccentText
                                                        : Color::TextSecondary));
        painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, m_options[i]);
    }
    painter.restore();
    theme::paintPanel(painter, rect(), Qt::transparent,
                      theme::color(hasFocus() ? Color::Accent : Color::LineStrong), radius);
}

void SegmentedSwitch::mousePressEvent(QMouseEvent* event)
{
    const int at = optionAt(event->pos());
    if (event->button() == Qt::LeftButton && at >= 0)
        setCurrent(at);
}

void SegmentedSwitch::mouseMoveEvent(QMouseEvent* event)
{
    const int hovered = optionAt(event->pos());
    m_hovered = isEnabledOption(hovered) ? hovered : -1;
    update();
}

void SegmentedSwitch::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void SegmentedSwitch::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (step == 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    for (int i = m_current + step; i >= 0 && i < m_options.size(); i += step) {
        if (isEnabledOption(i)) {
            setCurrent(i);
            return;
        }
    }
}

bool SegmentedSwitch::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int at = optionAt(help->pos());
        if (at >= 0 && !isEnabledOption(at)) {
            QToolTip::showText(help->globalPos(), m_why, this);
            return true;
        }
    }
    return QWidget::event(event);
}

}  // namespace yard::widgets
