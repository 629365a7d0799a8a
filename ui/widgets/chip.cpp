#include "ui/widgets/chip.h"

#include <QPainter>
#include <cmath>

#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

Chip::Chip(const QString& text, Kind kind, QWidget* parent)
    : QAbstractButton(parent)
    , m_kind(kind)
{
    setText(text);
    theme::wear(*this, theme::Type::Label);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setKind(kind);
    connect(this, &QAbstractButton::clicked, this, [this] {
        if (m_kind == Kind::Active)
            Q_EMIT removeRequested();
    });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void Chip::setKind(Kind kind)
{
    m_kind = kind;
    setFocusPolicy(isFact() ? Qt::NoFocus : Qt::TabFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents, isFact());
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    const int words = int(std::ceil(QFontMetricsF(font()).horizontalAdvance(text())));
    return {words + 16 + (isFact() ? 0 : 16), theme::px(theme::Size::Chip)};
}

void Chip::paintEvent(QPaintEvent*)
{
    struct Tones {
        Color fill, text;
    };
    const auto tones = [this]() -> Tones {
        switch (m_kind) {
            case Kind::Active:
            case Kind::AccentFact:
                return {Color::AccentSoft, Color::AccentText};
            case Kind::FaultFact:
                return {Color::FaultSoft, Color::FaultText};
            case Kind::WarnFact:
                return {Color::WarnSoft, Color::WarnText};
            case Kind::GoodFact:
                return {Color::GoodSoft, Color::GoodText};
            default:
                return {Color::BgRaised, Color::TextSecondary};
        }
    }();
    QPainter painter(this);
    const bool neutral = m_kind == Kind::Menu || m_kind == Kind::Fact;
    const QColor line = hasFocus() ? theme::color(Color::Accent)
                        : neutral
                            ? theme::color(underMouse() ? Color::LineStrong : Color::LineSubtle)
                            : QColor(Qt::transparent);
    theme::paintPanel(painter, rect(), theme::color(tones.fill), line,
                      theme::px(theme::Radius::Chip));
    painter.setPen(theme::color(tones.text));
    painter.drawText(rect().adjusted(8, 0, -8, 0), Qt::AlignVCenter | Qt::TextSingleLine, text());
    if (isFact())
        return;
    const QRectF mark(width() - 19, (height() - 11) / 2.0, 11, 11);
    theme::paintIcon(painter, mark,
                     m_kind == Kind::Menu ? QStringLiteral("down") : QStringLiteral("close"),
                     theme::color(underMouse() ? Color::TextPrimary : Color::TextMuted));
}

void paintBadge(QPainter& painter, const QRect& rect, const QString& text, Color fill, Color words)
{
    theme::paintPanel(painter, rect, theme::color(fill), Qt::transparent,
                      theme::px(theme::Radius::Chip));
    painter.setFont(theme::font(theme::Type::MonoSmall));
    painter.setPen(theme::color(words));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, text);
}

}  // namespace yard::widgets
