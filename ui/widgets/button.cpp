#include "ui/widgets/button.h"

#include <QKeyEvent>
#include <QPainter>
#include <cmath>

#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

struct Button::Look {
    QColor fill = Qt::transparent;
    QColor line = Qt::transparent;
    QColor text;
};

Button::Button(const QString& text, Kind kind, QWidget* parent)
    : QAbstractButton(parent)
    , m_kind(kind)
{
    setText(text);
    theme::wear(*this, theme::Type::Label);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    if (kind == Kind::Link)
        setCursor(Qt::PointingHandCursor);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

Button* Button::iconOnly(const QString& icon, const QString& name, QWidget* parent)
{
    auto* button = new Button({}, Kind::Ghost, parent);
    button->setIconName(icon);
    button->setToolTip(name);
    button->setAccessibleName(name);
    return button;
}

void Button::setIconName(const QString& name)
{
    m_icon = name;
    updateGeometry();
}

void Button::setSmall(bool small)
{
    m_small = small;
    updateGeometry();
}

void Button::setKind(Kind kind)
{
    m_kind = kind;
    update();
}

void Button::setRefusal(const QString& why)
{
    if (!m_refused && !why.isEmpty())
        m_usualToolTip = toolTip();
    const bool wasRefused = m_refused;
    m_refused = !why.isEmpty();
    setEnabled(!m_refused);
    if (m_refused)
        setToolTip(why);
    else if (wasRefused)
        setToolTip(m_usualToolTip);
}

QSize Button::sizeHint() const
{
    const int height = m_kind == Kind::Link
                           ? theme::lineHeight(theme::Type::Label)
                           : theme::px(m_small ? theme::Size::ControlSmall : theme::Size::Control);
    if (text().isEmpty())
        return {height, height};
    const int side = m_kind == Kind::Link ? 0 : m_small ? 9 : 12;
    const int words = int(std::ceil(QFontMetricsF(font()).horizontalAdvance(text())));
    return {words + 2 * side + (m_icon.isEmpty() ? 0 : 20), height};
}

Button::Look Button::look() const
{
    const auto get = [](Color value) { return theme::color(value); };
    const bool dark = theme::Theme::instance().isDark();
    if (!isEnabled()) {
        const bool bare = m_kind == Kind::Ghost || m_kind == Kind::Link;
        return {Qt::transparent, bare ? QColor(Qt::transparent) : get(Color::LineSubtle),
                get(Color::TextDisabled)};
    }
    const bool hot = underMouse();
    const QColor lift = hot ? theme::mix(get(Color::TextPrimary), get(Color::BgRaised), 0.07)
                            : get(Color::BgRaised);
    const auto filled = [hot, &get](const QColor& fill, const QColor& text) {
        const QColor shade = hot ? theme::mix(get(Color::TextPrimary), fill, 0.12) : fill;
        return Look{shade, shade, text};
    };
    const auto outlined = [hot, &get](Color line, Color text, Color soft) {
        return Look{hot ? get(soft) : QColor(Qt::transparent), get(line), get(text)};
    };
    switch (m_kind) {
        case Kind::Primary:
            return filled(get(Color::Accent), get(Color::AccentOn));
        case Kind::Plain:
            return {lift, get(Color::LineStrong), get(Color::TextPrimary)};
        case Kind::Ghost:
            return {hot ? get(Color::BgHover) : QColor(Qt::transparent), Qt::transparent,
                    get(Color::TextSecondary)};
        case Kind::Link:
            return {Qt::transparent, Qt::transparent, get(Color::AccentText)};
        case Kind::Danger1:
            return outlined(Color::Warn, Color::WarnText, Color::WarnSoft);
        case Kind::Danger1Filled:
            // Amber is too light to carry white, so the light theme fills with its text shade.
            return dark ? filled(get(Color::Warn), get(Color::BgWindow))
                        : filled(get(Color::WarnText), get(Color::BgSurface));
        case Kind::Danger2:
            return outlined(Color::Fault, Color::FaultText, Color::FaultSoft);
        case Kind::Danger2Filled:
            return filled(get(Color::Fault), get(Color::FaultOn));
    }
    Q_UNREACHABLE();
}

void Button::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Look style = look();
    QRect box = rect();
    if (hasFocus() && m_kind != Kind::Link) {
        theme::paintPanel(painter, box, Qt::transparent, theme::color(Color::Accent),
                          theme::px(theme::Radius::Control));
        theme::paintPanel(painter, box.adjusted(1, 1, -1, -1), Qt::transparent,
                          theme::color(Color::Accent), 3);
        theme::paintPanel(painter, box.adjusted(3, 3, -3, -3), style.fill, style.line, 2);
    } else {
        theme::paintPanel(painter, box, style.fill, style.line, theme::px(theme::Radius::Control));
    }
    painter.setPen(style.text);
    if (m_kind == Kind::Link && (underMouse() || hasFocus())) {
        QFont under = font();
        under.setUnderline(true);
        painter.setFont(under);
    }
    if (m_icon.isEmpty()) {
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextSingleLine, text());
        return;
    }
    const double words = text().isEmpty() ? 0 : QFontMetricsF(font()).horizontalAdvance(text()) + 6;
    const int left = int((width() - words - 14) / 2);
    theme::paintIcon(painter, QRectF(left, (height() - 14) / 2, 14, 14), m_icon, style.text);
    painter.drawText(QRectF(left + 20, 0, words, height()), Qt::AlignVCenter | Qt::TextSingleLine,
                     text());
}

void Button::enterEvent(QEnterEvent* event)
{
    QAbstractButton::enterEvent(event);
    update();
}

void Button::leaveEvent(QEvent* event)
{
    QAbstractButton::leaveEvent(event);
    update();
}

void Button::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

}  // namespace yard::widgets
