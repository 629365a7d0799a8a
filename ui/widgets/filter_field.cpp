#include "ui/widgets/filter_field.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTimer>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kTypingPauseMs = 120;
constexpr int kIconSpace = 26;

FilterField::FilterField(const QString& placeholder, QWidget* parent)
    : QLineEdit(parent)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    theme::wear(*this, Type::Body);
    setTextMargins(kIconSpace, 0, 30, 0);
    auto* pause = new QTimer(this);
    pause->setSingleShot(true);
    pause->setInterval(kTypingPauseMs);
    connect(this, &QLineEdit::textChanged, pause, qOverload<>(&QTimer::start));
    connect(pause, &QTimer::timeout, this, [this] { Q_EMIT filterChanged(text()); });
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void FilterField::setHint(const QString& hint)
{
    m_hint = hint;
    const int width =
        hint.isEmpty() ? 0 : QFontMetrics(theme::font(Type::Caption)).horizontalAdvance(hint);
    setTextMargins(kIconSpace, 0, qMax(30, width + 14), 0);
    update();
}

void FilterField::setProblem(const QString& sentence)
{
    m_problem = sentence;
    setToolTip(sentence);
    update();
}

void FilterField::setMono(bool mono)
{
    theme::wear(*this, mono ? Type::Mono : Type::Body);
}

QSize FilterField::sizeHint() const
{
    return {320, theme::px(theme::Size::Control)};
}

void FilterField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    if (!m_problem.isEmpty())
        theme::paintPanel(painter, rect(), Qt::transparent, theme::color(Color::Fault),
                          theme::px(theme::Radius::Control));
    theme::paintIcon(painter, QRectF(9, (height() - 14) / 2.0, 14, 14), QStringLiteral("filter"),
                     theme::color(Color::TextMuted));
    if (text().isEmpty() && !hasFocus()) {
        const int width = keyWidth(QStringLiteral("/"));
        paintKey(painter, QRect(this->width() - width - 7, (height() - 18) / 2, width, 18),
                 QStringLiteral("/"));
    } else if (!text().isEmpty() && !m_hint.isEmpty()) {
        painter.setFont(theme::font(Type::Caption));
        painter.setPen(theme::color(m_problem.isEmpty() ? Color::TextMuted : Color::FaultText));
        painter.drawText(rect().adjusted(0, 0, -9, 0), Qt::AlignRight | Qt::AlignVCenter, m_hint);
    }
}

void FilterField::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        if (text().isEmpty())
            clearFocus();
        else
            clear();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

int keyWidth(const QString& key)
{
    return qMax(
        18,
        int(std::ceil(QFontMetricsF(theme::font(Type::MonoSmall)).horizontalAdvance(key))) + 10);
}

void paintKey(QPainter& painter, const QRect& rect, const QString& key)
{
    theme::paintPanel(painter, rect, theme::color(Color::BgSurface),
                      theme::color(Color::LineStrong), theme::px(theme::Radius::Chip));
    painter.setFont(theme::font(Type::MonoSmall));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(rect, Qt::AlignCenter | Qt::TextSingleLine, key);
}

}  // namespace yard::widgets
