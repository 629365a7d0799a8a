#include "ui/widgets/actions/preview_parts.h"

#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/glyphs.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

namespace {

constexpr int kTileHeight = 76;
constexpr int kMarkSpace = 24;
constexpr int kLinePadding = 6;

}  // namespace

PreviewTiles::PreviewTiles(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(kTileHeight);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void PreviewTiles::setTiles(const QVector<PreviewTile>& tiles)
{
    m_tiles = tiles;
    QStringList words;
    for (const PreviewTile& tile : tiles)
        words << QStringLiteral("%1: %2 %3, %4")
                     .arg(tile.title, tile.figure, tile.unit, tile.caption);
    setAccessibleName(words.join(QStringLiteral("; ")));
    update();
}

void PreviewTiles::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(0, 0, width(), 1, theme::color(Color::LineSubtle));
    painter.fillRect(0, height() - 1, width(), 1, theme::color(Color::LineSubtle));
    for (int i = 0; i < m_tiles.size(); ++i) {
        const int left = width() * i / int(m_tiles.size());
        const int right = width() * (i + 1) / int(m_tiles.size());
        if (i > 0)
            painter.fillRect(left, 1, 1, height() - 2, theme::color(Color::LineSubtle));
        const PreviewTile& tile = m_tiles[i];
        const int room = right - left - 20;
        const auto line = [&](int top, int height, Type type, Color tone, const QString& text) {
            painter.setFont(theme::font(type));
            painter.setPen(theme::color(tone));
            painter.drawText(QRect(left + 12, top, room, height),
                             Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, room + 1));
        };
        line(9, 16, Type::Caption, Color::TextMuted, tile.title);
        line(26, 24, Type::FigureSmall, Color::TextPrimary, tile.figure);
        if (!tile.unit.isEmpty()) {
            const int used =
                QFontMetrics(theme::font(Type::FigureSmall)).horizontalAdvance(tile.figure);
            painter.setFont(theme::font(Type::Label));
            painter.setPen(theme::color(Color::TextMuted));
            painter.drawText(QRect(left + 12 + used + 5, 30, 60, 18),
                             Qt::AlignLeft | Qt::AlignVCenter, tile.unit);
        }
        line(52, 16, Type::Caption, Color::TextSecondary, tile.caption);
    }
}

WarningList::WarningList(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void WarningList::setLines(const QString& refusal, const QStringList& warnings,
                           const QStringList& notes)
{
    m_lines.clear();
    if (!refusal.isEmpty())
        m_lines.append({int(Severity::Fault), refusal});
    for (const QString& warning : warnings)
        m_lines.append({int(Severity::Warning), warning});
    for (const QString& note : notes)
        m_lines.append({int(Severity::Note), note});
    QStringList words;
    for (const Line& line : qAsConst(m_lines))
        words << line.text;
    setAccessibleName(words.join(QLatin1Char(' ')));
    setVisible(!m_lines.isEmpty());
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

int WarningList::lineHeight(const Line& line, int width) const
{
    const QRect room(0, 0, qMax(100, width - kMarkSpace), 2000);
    return QFontMetrics(theme::font(Type::Body))
               .boundingRect(room, Qt::TextWordWrap, line.text)
               .height() +
           kLinePadding;
}

int WarningList::heightForWidth(int width) const
{
    int height = 0;
    for (const Line& line : m_lines)
        height += lineHeight(line, width);
    return height;
}

QSize WarningList::sizeHint() const
{
    return {400, heightForWidth(qMax(400, width()))};
}

void WarningList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setFont(theme::font(Type::Body));
    int top = 0;
    for (const Line& line : qAsConst(m_lines)) {
        const int height = lineHeight(line, width());
        const auto severity = Severity(line.mark);
        paintSeverity(painter, QRectF(0, top + 4, 14, 14), severity);
        painter.setPen(theme::color(severity == Severity::Fault     ? Color::FaultText
                                    : severity == Severity::Warning ? Color::TextPrimary
                                                                    : Color::TextMuted));
        painter.drawText(QRect(kMarkSpace, top + 2, width() - kMarkSpace, height), Qt::TextWordWrap,
                         line.text);
        top += height;
    }
}

InsetBox::InsetBox(QWidget* parent)
    : QWidget(parent)
{
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void InsetBox::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgInset),
                      theme::color(Color::LineSubtle), theme::px(theme::Radius::Control));
}

}  // namespace yard::widgets
