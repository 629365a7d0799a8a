#include "ui/pages/analytics/figure_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

namespace yard::pages {

using theme::Color;
using theme::Type;

constexpr int kRow = 74;
constexpr int kLeastTile = 128;
constexpr int kSide = 12;

FigureStrip::FigureStrip(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("figureStrip"));
    setFixedHeight(kRow);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void FigureStrip::setTiles(const QVector<Tile>& tiles)
{
    m_tiles = tiles;
    QStringList words;
    for (const Tile& tile : tiles)
        words << tile.title + QLatin1Char(' ') + tile.value;
    setAccessibleName(words.join(QStringLiteral(", ")));
    resizeEvent(nullptr);
    update();
}

int FigureStrip::columns() const
{
    const auto all = int(m_tiles.size());
    return all * kLeastTile <= width() ? qMax(all, 1) : qMax((all + 1) / 2, 1);
}

QRect FigureStrip::tileRect(int index) const
{
    const int wide = width() / columns();
    return {index % columns() * wide, index / columns() * kRow, wide, kRow};
}

void FigureStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgSurface),
                      theme::color(Color::LineSubtle), theme::px(theme::Radius::Card));
    for (int i = 0; i < m_tiles.size(); ++i) {
        const Tile& tile = m_tiles[i];
        const QRect box = tileRect(i);
        const QRect words = box.adjusted(kSide, 0, -6, 0);
        if (i % columns() > 0)
            painter.fillRect(box.left(), box.top() + 14, 1, kRow - 28,
                             theme::color(Color::LineSubtle));
        const auto line = [&](Type type, Color tone, int top, int height, const QString& text) {
            painter.setFont(theme::font(type));
            painter.setPen(theme::color(tone));
            painter.drawText(
                QRect(words.left(), words.top() + top, words.width(), height),
                Qt::AlignLeft | Qt::AlignVCenter,
                QFontMetrics(painter.font()).elidedText(text, Qt::ElideRight, words.width()));
        };
        line(Type::Caption, Color::TextMuted, 9, 14, tile.title);
        line(Type::FigureSmall, tile.quiet ? Color::TextMuted : Color::TextPrimary, 25, 24,
             tile.value);
        line(Type::Caption, Color::TextMuted, 51, 14, tile.caption);
    }
}

void FigureStrip::resizeEvent(QResizeEvent*)
{
    const auto all = int(m_tiles.size());
    setFixedHeight(all > columns() ? 2 * kRow : kRow);
}

bool FigureStrip::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (int i = 0; i < m_tiles.size(); ++i) {
        if (tileRect(i).contains(help->pos()))
            QToolTip::showText(help->globalPos(), m_tiles[i].help, this, tileRect(i));
    }
    return true;
}

}  // namespace yard::pages
