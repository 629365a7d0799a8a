#include "ui/widgets/table/table_header.h"

#include <QMouseEvent>
#include <QPainter>
#include <QTableView>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/table/cell_delegate.h"

namespace yard::widgets {

using theme::Color;

TableHeader::TableHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    theme::wear(*this, theme::Type::Label);
    setSectionsClickable(true);
    setHighlightSections(false);
    setStretchLastSection(true);
    setMinimumSectionSize(28);
    setTextElideMode(Qt::ElideRight);
    setFocusPolicy(Qt::NoFocus);
}

void TableHeader::setCheckBoxes(bool shown)
{
    m_checkBoxes = shown;
    viewport()->update();
}

QString TableHeader::title(int section) const
{
    QString text = model()->headerData(section, Qt::Horizontal).toString();
    if (isSortIndicatorShown() && sortIndicatorSection() == section && !text.isEmpty())
        text += sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral(" \u2191")
                                                           : QStringLiteral(" \u2193");
    return text;
}

QRect TableHeader::boxRect() const
{
    return {sectionViewportPosition(0) + 12, (height() - 14) / 2, 14, 14};
}

Qt::CheckState TableHeader::allState() const
{
    const auto* view = qobject_cast<const QTableView*>(parentWidget());
    if (view == nullptr || view->selectionModel() == nullptr ||
        !view->selectionModel()->hasSelection())
        return Qt::Unchecked;
    qint64 selected = 0;
    for (const QItemSelectionRange& range : view->selectionModel()->selection())
        selected += range.height();
    return selected >= model()->rowCount() ? Qt::Checked : Qt::PartiallyChecked;
}

void TableHeader::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme::color(Color::BgHead));
    painter.fillRect(0, height() - 1, viewport()->width(), 1, theme::color(Color::LineSubtle));
    painter.end();
    QHeaderView::paintEvent(event);
    if (m_checkBoxes && model() != nullptr && model()->rowCount() > 0) {
        QPainter boxes(viewport());
        theme::paintCheckBox(boxes, boxRect(), allState());
    }
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->fillRect(rect, theme::color(Color::BgHead));
    painter->fillRect(rect.left(), rect.bottom(), rect.width(), 1, theme::color(Color::LineSubtle));
    const int left = section == 0 ? (m_checkBoxes ? 12 + CellDelegate::kBoxSpace : 12) : 8;
    const QRect room = rect.adjusted(left, 0, -8, -1);
    const bool right = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt() &
                       Qt::AlignRight;
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section;
    painter->setFont(font());
    painter->setPen(theme::color(sorted ? Color::TextSecondary : Color::TextMuted));
    const QString text =
        QFontMetrics(font()).elidedText(title(section), Qt::ElideRight, room.width() + 1);
    painter->drawText(
        room, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextSingleLine,
        text);
}

QSize TableHeader::sectionSizeFromContents(int section) const
{
    const int left = section == 0 ? (m_checkBoxes ? 12 + CellDelegate::kBoxSpace : 12) : 8;
    const QString text =
        model()->headerData(section, Qt::Horizontal).toString() + QStringLiteral(" \u2191");
    return {int(std::ceil(QFontMetricsF(font()).horizontalAdvance(text))) + left + 9,
            theme::px(theme::Size::RowHead)};
}

QSize TableHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), theme::px(theme::Size::RowHead)};
}

void TableHeader::mousePressEvent(QMouseEvent* event)
{
    if (m_checkBoxes && boxRect().adjusted(-6, -6, 6, 6).contains(event->pos()))
        return;
    QHeaderView::mousePressEvent(event);
}

void TableHeader::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_checkBoxes && boxRect().adjusted(-6, -6, 6, 6).contains(event->pos())) {
        Q_EMIT allToggled();
        return;
    }
    QHeaderView::mouseReleaseEvent(event);
}

}  // namespace yard::widgets
