#include "ui/widgets/headline_tile.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/theme/word_cut.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/sparkline.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kSide = 12;
constexpr int kTall = 96;
constexpr int kCompact = 72;

HeadlineTile::HeadlineTile(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_value(QStringLiteral("-"))
    , m_spark(new Sparkline(this))
{
    setFixedHeight(kTall);
    setMinimumWidth(160);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void HeadlineTile::setFigure(const QString& value, const QString& unit)
{
    m_value = value;
    m_unit = unit;
    setAccessibleName(QStringLiteral("%1: %2 %3").arg(m_title, value, unit));
    update();
}

void HeadlineTile::setCaption(const QString& caption)
{
    m_caption = caption;
    update();
}

void HeadlineTile::setTone(Color tone)
{
    m_tone = tone;
    update();
}

void HeadlineTile::setHistory(const QVector<double>& values, const QString& missing)
{
    m_spark->setValues(values);
    if (missing == m_missingHistory)
        return;
    m_missingHistory = missing;
    update();
}

void HeadlineTile::setCompact(bool compact)
{
    m_compact = compact;
    setFixedHeight(compact ? kCompact : kTall);
}

int HeadlineTile::figureTop() const
{
    return m_compact ? 22 : 30;
}

void HeadlineTile::resizeEvent(QResizeEvent*)
{
    m_spark->move(width() - kSide - m_spark->width(), m_compact ? 20 : 30);
    m_spark->setVisible(width() >= 210);
}

double HeadlineTile::paintFigure(QPainter& painter, const QFont& font, QPointF baseline) const
{
    const QFontMetricsF metrics(font);
    const double digit = metrics.horizontalAdvance(QLatin1Char('0'));
    painter.setFont(font);
    for (const QChar& character : m_value) {
        const double natural = metrics.horizontalAdvance(character);
        const double room = character.isDigit() ? digit : natural;
        painter.drawText(QPointF(baseline.x() + (room - natural) / 2, baseline.y()),
                         QString(character));
        baseline.rx() += room;
    }
    return baseline.x();
}

void HeadlineTile::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgSurface),
                      theme::color(Color::LineSubtle), theme::px(theme::Radius::Card));
    painter.setRenderHint(QPainter::TextAntialiasing);
    painter.setFont(theme::font(Type::Label));
    painter.setPen(theme::color(Color::TextSecondary));
    const int head = m_compact ? 6 : 10;
    painter.drawText(QRect(kSide, head, width() - 2 * kSide, 16),
                     Qt::AlignVCenter | Qt::TextSingleLine, m_title);
    const bool words = m_value.size() > 1 && m_value.at(0).isLetter();
    QFont figure = theme::font(words || m_compact ? Type::FigureSmall : Type::Figure);
    const int line = m_compact ? 24 : 32;
    const double baseline = figureTop() + line * 0.5 + QFontMetricsF(figure).capHeight() / 2;
    painter.setPen(theme::color(m_tone));
    const double end = paintFigure(painter, figure, QPointF(kSide, baseline));
    QFont unit = theme::font(Type::Body);
    painter.setFont(unit);
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(QPointF(end + 4, baseline), m_unit);
    painter.setFont(theme::font(Type::Caption));
    if (m_spark->isVisibleTo(this))
        painter.drawText(m_spark->geometry(), Qt::AlignRight | Qt::AlignVCenter, m_missingHistory);
    const QRect foot(kSide, height() - (m_compact ? 21 : 26), width() - 2 * kSide, 14);
    painter.drawText(foot, Qt::AlignVCenter | Qt::TextSingleLine,
                     theme::cutAtWord(m_caption, QFontMetricsF(painter.font()), foot.width()));
}

void HeadlineTile::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT clicked();
}

bool HeadlineTile::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip &&
        QFontMetrics(theme::font(Type::Caption)).horizontalAdvance(m_caption) >
            width() - 2 * kSide) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), m_caption, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace yard::widgets
