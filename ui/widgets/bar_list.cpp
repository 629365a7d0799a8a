#include "ui/widgets/bar_list.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kRow = 22;
constexpr int kGap = 10;

BarList::BarList(QWidget* parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void BarList::setRows(const QVector<Row>& rows)
{
    const bool resized = rows.size() != m_rows.size();
    m_rows = rows;
    if (resized)
        updateGeometry();
    update();
}

void BarList::setNameWidth(int width)
{
    m_nameWidth = width;
    update();
}

void BarList::setMono(bool mono)
{
    m_mono = mono;
    update();
}

QSize BarList::sizeHint() const
{
    return {320, int(m_rows.size()) * kRow};
}

QSize BarList::minimumSizeHint() const
{
    return {m_nameWidth + 140, int(m_rows.size()) * kRow};
}

void BarList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QFont name = m_mono ? theme::font(Type::Mono) : theme::font(Type::Label, QFont::Normal);
    const QFont mono = theme::font(Type::Mono);
    const QFontMetricsF metrics(mono);
    int valueWidth = 0;
    int asideWidth = 0;
    for (const Row& row : std::as_const(m_rows)) {
        valueWidth = std::max(valueWidth, int(std::ceil(metrics.horizontalAdvance(row.value))));
        asideWidth = std::max(asideWidth, int(std::ceil(metrics.horizontalAdvance(row.aside))));
    }
    const int numbers = valueWidth + (asideWidth ? asideWidth + kGap + 4 : 0) + kGap;
    const int barWidth = qBound(24, width() - m_nameWidth - numbers - kGap, 320);
    int top = 0;
    for (const Row& row : std::as_const(m_rows)) {
        int left = 0;
        if (row.glyph) {
            row.glyph(painter, QRectF(0, top + 5, 12, 12));
            left = 19;
        }
        painter.setFont(name);
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(
            QRect(left, top, m_nameWidth - left, kRow), Qt::AlignVCenter | Qt::TextSingleLine,
            QFontMetrics(name).elidedText(row.name, m_mono ? Qt::ElideMiddle : Qt::ElideRight,
                                          m_nameWidth - left - 4));
        const QRect track(m_nameWidth, top + 6, barWidth, 10);
        painter.fillRect(track, theme::color(Color::Grid));
        if (row.color && row.share > 0) {
            const int length = qBound(1, qRound(row.share * track.width()), track.width());
            painter.fillRect(track.left(), track.top(), length, track.height(), row.color());
        }
        painter.setFont(mono);
        painter.setPen(theme::color(Color::TextPrimary));
        const int right = width() - (asideWidth ? asideWidth + kGap + 4 : 0);
        painter.drawText(QRect(0, top, right, kRow), Qt::AlignRight | Qt::AlignVCenter, row.value);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(0, top, width(), kRow), Qt::AlignRight | Qt::AlignVCenter,
                         row.aside);
        top += kRow;
    }
}

void BarList::mouseReleaseEvent(QMouseEvent* event)
{
    const int row = int(event->position().y()) / kRow;
    if (event->button() == Qt::LeftButton && row >= 0 && row < m_rows.size())
        Q_EMIT rowClicked(row);
}

bool BarList::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = help->pos().y() / kRow;
        if (row >= 0 && row < m_rows.size())
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("%1: %2").arg(m_rows[row].name, m_rows[row].value),
                               this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace yard::widgets
