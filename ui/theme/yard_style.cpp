#include "ui/theme/yard_style.h"

#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTextEdit>

#include "ui/theme/theme.h"

namespace yard::theme {
namespace {

constexpr int kScrollBar = 10;

bool isField(const QWidget* widget)
{
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr;
}

void paintField(const QStyleOption* option, QPainter* painter)
{
    const bool focused = option->state & QStyle::State_HasFocus;
    const bool enabled = option->state & QStyle::State_Enabled;
    const QColor line = color(focused   ? Color::Accent
                              : enabled ? Color::LineControl
                                        : Color::LineSubtle);
    paintPanel(*painter, option->rect, color(Color::BgInset), line, px(Radius::Control));
    if (focused) {
        paintPanel(*painter, option->rect.adjusted(1, 1, -1, -1), Qt::transparent, line,
                   px(Radius::Control) - 1);
    }
}

}  // namespace

void paintPanel(QPainter& painter, const QRect& rect, const QColor& fill, const QColor& line,
                int radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal ratio = painter.device()->devicePixelRatioF();
    const qreal width = qMax(1.0, std::floor(ratio)) / ratio;
    const QRectF box = QRectF(rect).adjusted(width / 2, width / 2, -width / 2, -width / 2);
    painter.setBrush(fill.alpha() ? QBrush(fill) : Qt::NoBrush);
    painter.setPen(line.alpha() ? QPen(line, width) : QPen(Qt::NoPen));
    painter.drawRoundedRect(box, radius, radius);
    painter.restore();
}

void paintEmpty(QPainter& painter, const QRect& rect, const QString& title, const QString& detail)
{
    const int middle = rect.top() + qMin(rect.height() / 2, 160);
    const QRect line(rect.left() + 12, middle - 8, rect.width() - 24, 18);
    paintIcon(painter, QRectF(rect.center().x() - 12, middle - 42, 24, 24), QStringLiteral("empty"),
              color(Color::TextMuted));
    painter.setFont(font(Type::Body));
    painter.setPen(color(Color::TextPrimary));
    painter.drawText(line, Qt::AlignCenter, title);
    painter.setFont(font(Type::Caption));
    painter.setPen(color(Color::TextMuted));
    painter.drawText(line.translated(0, 22).adjusted(0, 0, 0, 30),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, detail);
}

void paintCheckBox(QPainter& painter, const QRect& rect, Qt::CheckState state, bool enabled)
{
    const bool on = state != Qt::Unchecked;
    const QColor line = color(!enabled ? Color::LineSubtle
                              : on     ? Color::Accent
                                       : Color::LineControl);
    paintPanel(painter, rect, on ? line : QColor(Qt::transparent), line, px(Radius::Chip));
    if (!on)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Color::AccentOn), 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPointF at = rect.topLeft();
    if (state == Qt::Checked)
        painter.drawPolyline(
            QPolygonF{at + QPointF(3.5, 7.2), at + QPointF(6, 9.7), at + QPointF(10.5, 4.6)});
    else
        painter.drawLine(at + QPointF(4, 7), at + QPointF(10, 7));
    painter.restore();
}

YardStyle::YardStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

int YardStyle::pixelMetric(PixelMetric metric, const QStyleOption* option,
                           const QWidget* widget) const
{
    switch (metric) {
        case PM_ScrollBarExtent:
            return kScrollBar;
        case PM_ScrollBarSliderMin:
            return 32;
        case PM_SmallIconSize:
        case PM_ButtonIconSize:
        case PM_TabBarIconSize:
        case PM_ListViewIconSize:
            return px(Size::Icon);
        case PM_DefaultFrameWidth:
            return isField(widget) ? 2 : 1;
        case PM_MenuPanelWidth:
            return 1;
        case PM_MenuVMargin:
            return 4;
        case PM_MenuHMargin:
            return 4;
        case PM_IndicatorWidth:
        case PM_IndicatorHeight:
            return 14;
        case PM_SplitterWidth:
            return 12;
        case PM_ToolTipLabelFrameWidth:
            return 7;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int YardStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* data) const
{
    switch (hint) {
        case SH_ScrollBar_Transient:
            return 0;
        case SH_EtchDisabledText:
        case SH_DitherDisabledText:
            return 0;
        case SH_ToolTipLabel_Opacity:
            return 255;
        case SH_Widget_Animate:
        case SH_Widget_Animation_Duration:
            return 0;
        case SH_ItemView_ShowDecorationSelected:
            return 1;
        case SH_ComboBox_Popup:
            return 0;
        case SH_ScrollView_FrameOnlyAroundContents:
            return 0;
        default:
            return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

void YardStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                              QPainter* painter, const QWidget* widget) const
{
    switch (element) {
        case PE_PanelLineEdit:
            if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
                frame != nullptr && frame->lineWidth > 0)
                paintField(option, painter);
            return;
        case PE_FrameLineEdit:
            return;
        case PE_Frame:
            if (isField(widget)) {
                paintField(option, painter);
                return;
            }
            break;
        case PE_FrameMenu:
        case PE_PanelMenu:
            painter->fillRect(option->rect, color(Color::BgRaised));
            paintPanel(*painter, option->rect, Qt::transparent, color(Color::LineStrong), 0);
            return;
        case PE_PanelTipLabel:
            painter->fillRect(option->rect, color(Color::BgRaised));
            paintPanel(*painter, option->rect, Qt::transparent, color(Color::LineStrong), 0);
            return;
        case PE_IndicatorCheckBox:
        case PE_IndicatorItemViewItemCheck:
            paintCheckBox(*painter, option->rect,
                          option->state & State_On         ? Qt::Checked
                          : option->state & State_NoChange ? Qt::PartiallyChecked
                                                           : Qt::Unchecked,
                          option->state & State_Enabled);
            return;
        case PE_FrameFocusRect:
            // Only keyboard focus earns a ring; buttons draw their own.
            if (option->state & State_KeyboardFocusChange)
                paintPanel(*painter, option->rect, Qt::transparent, color(Color::Accent),
                           px(Radius::Chip));
            return;
        case PE_PanelScrollAreaCorner:
            painter->fillRect(option->rect, color(Color::BgSurface));
            return;
        default:
            break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void YardStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const
{
    if (element == CE_MenuItem) {
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
            const bool active = (option->state & State_Selected) && (option->state & State_Enabled);
            if (item->menuItemType == QStyleOptionMenuItem::Separator) {
                painter->fillRect(option->rect.left() + 4, option->rect.center().y(),
                                  option->rect.width() - 8, 1, color(Color::LineSubtle));
                return;
            }
            if (active)
                paintPanel(*painter, option->rect, color(Color::AccentSoft), Qt::transparent,
                           px(Radius::Chip));
            QStyleOptionMenuItem plain(*item);
            plain.state &= ~State_Selected;
            const bool enabled = option->state & State_Enabled;
            plain.palette.setColor(QPalette::Text,
                                   color(enabled ? Color::TextPrimary : Color::TextDisabled));
            QProxyStyle::drawControl(element, &plain, painter, widget);
            return;
        }
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void YardStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const
{
    if (control == CC_ScrollBar) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider == nullptr || slider->minimum == slider->maximum)
            return;
        const bool hovered = option->state & State_MouseOver;
        QRect thumb = subControlRect(control, option, SC_ScrollBarSlider, widget);
        thumb = slider->orientation == Qt::Vertical ? thumb.adjusted(2, 1, -2, -1)
                                                    : thumb.adjusted(1, 2, -1, -2);
        paintPanel(*painter, thumb, color(hovered ? Color::LineControl : Color::LineStrong),
                   Qt::transparent, 3);
        return;
    }
    if (control == CC_ComboBox) {
        const bool focused = option->state & State_HasFocus;
        paintPanel(*painter, option->rect, color(Color::BgInset),
                   color(focused ? Color::Accent : Color::LineControl), px(Radius::Control));
        const QRect box(option->rect.right() - 22, option->rect.center().y() - 5, 12, 12);
        paintIcon(*painter, box, QStringLiteral("down"), color(Color::TextMuted));
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect YardStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                SubControl part, const QWidget* widget) const
{
    if (control == CC_ScrollBar) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine)
            return {};
        if (slider != nullptr && (part == SC_ScrollBarGroove || part == SC_ScrollBarSlider)) {
            if (part == SC_ScrollBarGroove)
                return option->rect;
            const bool vertical = slider->orientation == Qt::Vertical;
            const int length = vertical ? option->rect.height() : option->rect.width();
            const int range = slider->maximum - slider->minimum;
            int thumb = length;
            if (range > 0)
                thumb =
                    qBound(32, int(qint64(length) * slider->pageStep / (range + slider->pageStep)),
                           length);
            const int at =
                sliderPositionFromValue(slider->minimum, slider->maximum, slider->sliderPosition,
                                        length - thumb, slider->upsideDown);
            return vertical
                       ? QRect(option->rect.x(), option->rect.y() + at, option->rect.width(), thumb)
                       : QRect(option->rect.x() + at, option->rect.y(), thumb,
                               option->rect.height());
        }
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

QSize YardStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                  const QWidget* widget) const
{
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_LineEdit || type == CT_ComboBox)
        result.setHeight(px(Size::Control));
    if (type == CT_MenuItem) {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (item != nullptr && item->menuItemType != QStyleOptionMenuItem::Separator)
            result.setHeight(px(Size::Row));
    }
    return result;
}

void YardStyle::polish(QWidget* widget)
{
    QProxyStyle::polish(widget);
    if (qobject_cast<QScrollBar*>(widget) != nullptr)
        widget->setAttribute(Qt::WA_Hover);
    if (auto* menu = qobject_cast<QMenu*>(widget))
        menu->setFont(font(Type::Body));
}

}  // namespace yard::theme
