#include "ui/widgets/table/table_view.h"

#include <QContextMenuEvent>
#include <QHash>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/table/cell_delegate.h"
#include "ui/widgets/table/table_header.h"

namespace yard::widgets {

using theme::Color;

TableView::TableView(QWidget* parent)
    : QTableView(parent)
    , m_delegate(new CellDelegate(this))
{
    auto* header = new TableHeader(this);
    setHorizontalHeader(header);
    setItemDelegate(m_delegate);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    setRowHeight(theme::px(theme::Size::Row));
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    setWordWrap(false);
    setMouseTracking(true);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    connect(header, &TableHeader::allToggled, this, [this] {
        if (selectionModel() == nullptr)
            return;
        if (selectionModel()->hasSelection())
            clearSelection();
        else
            selectAll();
    });
    connect(this, &QTableView::doubleClicked, this, &TableView::rowActivated);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] {
        viewport()->update();
        horizontalHeader()->viewport()->update();
    });
}

void TableView::setCheckBoxes(bool shown)
{
    m_checkBoxes = shown;
    m_delegate->setCheckBoxes(shown);
    static_cast<TableHeader*>(horizontalHeader())->setCheckBoxes(shown);
}

void TableView::setRowHeight(int height)
{
    verticalHeader()->setMinimumSectionSize(height);
    verticalHeader()->setDefaultSectionSize(height);
    verticalScrollBar()->setSingleStep(height);
}

void TableView::setStretchColumn(int column)
{
    horizontalHeader()->setStretchLastSection(false);
    if (m_stretchColumn >= 0)
        horizontalHeader()->setSectionResizeMode(m_stretchColumn, QHeaderView::Interactive);
    m_stretchColumn = column;
    horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
}

void TableView::setSortable(std::function<Qt::SortOrder(int column)> first)
{
    horizontalHeader()->setSortIndicatorShown(true);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this,
            [this, first = std::move(first)](int column) {
                const auto other =
                    m_sortOrder == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
                sortBy(column, column == m_sortColumn ? other : first(column));
            });
}

void TableView::sortBy(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_sortOrder = order;
    horizontalHeader()->setSortIndicator(column, order);
    model()->sort(column, order);
}

void TableView::sortAgain()
{
    if (m_sortColumn >= 0)
        model()->sort(m_sortColumn, m_sortOrder);
}

QString TableView::selectedText() const
{
    QStringList lines;
    if (selectionModel() == nullptr)
        return {};
    QModelIndexList rows = selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    for (const QModelIndex& row : rows) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) {
            if (isColumnHidden(column))
                continue;
            const QModelIndex cell = row.siblingAtColumn(column);
            const QString full = cell.data(model::FullTextRole).toString();
            const QString unit = cell.data(model::UnitRole).toString();
            cells << (!full.isEmpty()  ? full
                      : unit.isEmpty() ? cell.data().toString()
                                       : cell.data().toString() + QLatin1Char(' ') + unit);
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n'));
}

void TableView::setEmptyText(const QString& title, const QString& detail)
{
    m_emptyTitle = title;
    m_emptyDetail = detail;
    viewport()->update();
}

void TableView::paintEvent(QPaintEvent* event)
{
    QTableView::paintEvent(event);
    if (m_emptyTitle.isEmpty() || (model() != nullptr && model()->rowCount() > 0))
        return;
    QPainter painter(viewport());
    theme::paintEmpty(painter, viewport()->rect(), m_emptyTitle, m_emptyDetail);
}

bool TableView::isOnCheckBox(const QPoint& at) const
{
    return m_checkBoxes && columnAt(at.x()) == 0 &&
           at.x() - columnViewportPosition(0) < 12 + CellDelegate::kBoxSpace;
}

void TableView::mousePressEvent(QMouseEvent* event)
{
    const QModelIndex index = indexAt(event->pos());
    if (event->button() == Qt::LeftButton && index.isValid() && isOnCheckBox(event->pos())) {
        selectionModel()->setCurrentIndex(index, QItemSelectionModel::NoUpdate);
        selectionModel()->select(index, QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
        setFocus(Qt::MouseFocusReason);
        return;
    }
    // A right click inside the selection keeps it: the menu is about all of it.
    if (event->button() == Qt::RightButton && index.isValid() &&
        selectionModel()->isSelected(index))
        return;
    QTableView::mousePressEvent(event);
}

void TableView::mouseMoveEvent(QMouseEvent* event)
{
    setHoveredRow(rowAt(event->pos().y()));
    QTableView::mouseMoveEvent(event);
}

void TableView::leaveEvent(QEvent* event)
{
    setHoveredRow(-1);
    QTableView::leaveEvent(event);
}

void TableView::updateRow(int row)
{
    if (row >= 0)
        viewport()->update(0, rowViewportPosition(row), viewport()->width(), rowHeight(row));
}

void TableView::setHoveredRow(int row)
{
    if (row == m_hoveredRow)
        return;
    updateRow(m_hoveredRow);
    m_hoveredRow = row;
    m_delegate->setHoveredRow(row);
    updateRow(row);
}

void TableView::keyPressEvent(QKeyEvent* event)
{
    // With boxes the arrows only move; Space marks. A mark is never lost by looking around.
    static const QHash<int, CursorAction> moves = {
        {Qt::Key_Up, MoveUp},         {Qt::Key_Down, MoveDown},
        {Qt::Key_PageUp, MovePageUp}, {Qt::Key_PageDown, MovePageDown},
        {Qt::Key_Home, MoveHome},     {Qt::Key_End, MoveEnd}};
    if (m_checkBoxes && moves.contains(event->key()) &&
        !(event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))) {
        const QModelIndex next = moveCursor(moves[event->key()], event->modifiers());
        if (next.isValid()) {
            selectionModel()->setCurrentIndex(next, QItemSelectionModel::NoUpdate);
            scrollTo(next);
            viewport()->update();
        }
        return;
    }
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (currentIndex().isValid())
                Q_EMIT rowActivated(currentIndex());
            return;
        case Qt::Key_Space:
            if (m_checkBoxes && currentIndex().isValid()) {
                selectionModel()->select(currentIndex(),
                                         QItemSelectionModel::Toggle | QItemSelectionModel::Rows);
                return;
            }
            break;
        case Qt::Key_Escape:
            // Marks are cleared; a mere row stays chosen, and the page closes what it opened.
            if (m_checkBoxes && selectionModel()->hasSelection()) {
                clearSelection();
                return;
            }
            break;
        default:
            break;
    }
    // Letters and digits are shortcuts of the window, not a search in the table.
    if (!event->text().isEmpty() && event->text().at(0).isPrint() &&
        event->key() != Qt::Key_Space) {
        event->ignore();
        return;
    }
    QTableView::keyPressEvent(event);
}

void TableView::contextMenuEvent(QContextMenuEvent* event)
{
    const QModelIndex index =
        event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : indexAt(event->pos());
    if (index.isValid())
        Q_EMIT contextMenuRequested(index, event->globalPos());
}

}  // namespace yard::widgets
