#include "ui/pages/overview/attention_list.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "ui/theme/word_cut.h"
#include "ui/theme/wording.h"

namespace yard::pages {

using theme::Color;
using theme::Type;

constexpr int kRow = 57;

namespace {

QString linkWords(const AttentionItem& item)
{
    switch (item.target) {
        case AttentionItem::Target::Nodes:
            return item.name.contains(QLatin1Char('[')) || item.name.contains(QLatin1Char(','))
                       ? QStringLiteral("Open nodes")
                       : QStringLiteral("Open node");
        case AttentionItem::Target::Job:
            return QStringLiteral("Open job");
        case AttentionItem::Target::Audit:
            return QStringLiteral("Open audit");
        case AttentionItem::Target::None:
            return {};
    }
    Q_UNREACHABLE();
}

}  // namespace

AttentionList::AttentionList(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::TabFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(QStringLiteral("Needs attention"));
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    verticalScrollBar()->setSingleStep(kRow);
    connect(&theme::Theme::instance(), &theme::Theme::changed, viewport(),
            qOverload<>(&QWidget::update));
}

void AttentionList::setItems(const QVector<AttentionItem>& items)
{
    m_items = items;
    m_current = qBound(0, m_current, qMax(0, int(items.size()) - 1));
    updateRange();
    viewport()->update();
}

void AttentionList::updateRange()
{
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, qMax(0, int(m_items.size()) * kRow - viewport()->height()));
}

int AttentionList::rowAt(int y) const
{
    const int row = (y + verticalScrollBar()->value()) / kRow;
    return row >= 0 && row < m_items.size() ? row : -1;
}

void AttentionList::paintItem(QPainter& painter, const QRect& rect, const AttentionItem& item,
                              bool hovered) const
{
    if (hovered)
        painter.fillRect(rect.adjusted(0, 0, 0, -1), theme::color(Color::BgHover));
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme::color(Color::Grid));
    widgets::paintSeverity(painter, QRectF(rect.left() + 12, rect.top() + 11, 14, 14),
                           item.severity);
    const QString age = item.ageSeconds < 0 ? QString() : theme::age(item.ageSeconds);
    const QString link = linkWords(item);
    painter.setFont(theme::font(Type::MonoSmall));
    painter.setPen(theme::color(Color::TextMuted));
    const QRect right = rect.adjusted(0, 9, -12, 0);
    painter.drawText(QRect(right.left(), right.top(), right.width(), 18),
                     Qt::AlignRight | Qt::AlignVCenter, age);
    const int ageWidth = QFontMetrics(painter.font()).horizontalAdvance(age);
    painter.setFont(theme::font(Type::Label));
    painter.setPen(theme::color(Color::AccentText));
    painter.drawText(QRect(right.left(), right.top() + 19, right.width(), 18),
                     Qt::AlignRight | Qt::AlignVCenter, link);
    const int linkWidth = QFontMetrics(painter.font()).horizontalAdvance(link);
    const int left = rect.left() + 34;
    QFont title = theme::font(Type::Body, QFont::Medium);
    painter.setFont(title);
    painter.setPen(theme::color(Color::TextPrimary));
    const int titleRoom = rect.width() - 34 - 12 - ageWidth - 12;
    painter.drawText(QRect(left, rect.top() + 9, titleRoom, 18),
                     Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(title).elidedText(item.title, Qt::ElideMiddle, titleRoom));
    QFont detail = theme::font(Type::Label, QFont::Normal);
    painter.setFont(detail);
    painter.setPen(theme::color(Color::TextSecondary));
    const int detailRoom = rect.width() - 34 - 12 - linkWidth - 12;
    painter.drawText(QRect(left, rect.top() + 28, detailRoom, 18),
                     Qt::AlignVCenter | Qt::TextSingleLine,
                     theme::cutAtWord(item.detail, QFontMetricsF(detail), detailRoom));
}

void AttentionList::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_items.isEmpty()) {
        const bool waiting = !m_unknown.isEmpty();
        const int middle = qMin(viewport()->height() / 2, 140);
        theme::paintIcon(painter, QRectF(viewport()->width() / 2.0 - 12, middle - 40, 24, 24),
                         waiting ? QStringLiteral("clock") : QStringLiteral("check"),
                         theme::color(Color::TextMuted));
        painter.setFont(theme::font(Type::Body));
        painter.setPen(theme::color(Color::TextPrimary));
        painter.drawText(
            QRect(0, middle - 6, viewport()->width(), 18), Qt::AlignCenter,
            waiting ? QStringLiteral("Not known yet") : QStringLiteral("Nothing needs attention"));
        painter.setFont(theme::font(Type::Caption));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(12, middle + 16, viewport()->width() - 24, 32),
                         Qt::AlignHCenter | Qt::TextWordWrap,
                         waiting
                             ? m_unknown
                             : QStringLiteral("No faults, no nodes down, every source answers."));
        return;
    }
    for (int row = 0; row < m_items.size(); ++row) {
        const QRect rect(0, row * kRow - verticalScrollBar()->value(), viewport()->width(), kRow);
        if (!rect.intersects(viewport()->rect()))
            continue;
        const bool current = hasFocus() && row == m_current;
        paintItem(painter, rect, m_items[row], row == m_hovered || current);
        if (current)
            painter.fillRect(rect.left(), rect.top(), 2, rect.height() - 1,
                             theme::color(Color::Accent));
    }
}

void AttentionList::mouseMoveEvent(QMouseEvent* event)
{
    m_hovered = rowAt(event->pos().y());
    const bool leads = m_hovered >= 0 && m_items[m_hovered].target != AttentionItem::Target::None;
    viewport()->setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void AttentionList::mouseReleaseEvent(QMouseEvent* event)
{
    const int row = rowAt(event->pos().y());
    if (event->button() == Qt::LeftButton && row >= 0)
        Q_EMIT itemActivated(m_items[row]);
}

void AttentionList::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step != 0 && !m_items.isEmpty()) {
        m_current = qBound(0, m_current + step, int(m_items.size()) - 1);
        const int top = m_current * kRow;
        verticalScrollBar()->setValue(
            qBound(top + kRow - viewport()->height(), verticalScrollBar()->value(), top));
        setAccessibleDescription(m_items[m_current].title);
        viewport()->update();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        m_current < m_items.size()) {
        Q_EMIT itemActivated(m_items[m_current]);
        return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void AttentionList::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateRange();
}

bool AttentionList::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave) {
        m_hovered = -1;
        viewport()->update();
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos().y());
        if (row >= 0)
            QToolTip::showText(help->globalPos(),
                               m_items[row].title + QLatin1Char('\n') + m_items[row].detail, this);
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace yard::pages
