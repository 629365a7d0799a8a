#pragma once

#include <QStyledItemDelegate>

#include "ui/model/cell_roles.h"

namespace yard::widgets {

/// Draws a cell from what its model means by it (model::CellRole): glyph, value, muted unit, note,
/// GPU strip. The first column of a table with check boxes carries the box.
class CellDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    explicit CellDelegate(QObject* parent = nullptr);

    void setCheckBoxes(bool shown) { m_checkBoxes = shown; }
    void setHoveredRow(int row) { m_hoveredRow = row; }
    static constexpr int kBoxSpace = 26;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override;

private:
    QRect contentRect(const QRect& cell, const QModelIndex& index) const;
    void paintGround(QPainter& painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const;
    int paintGlyph(QPainter& painter, const QRect& rect, const QModelIndex& index) const;
    void paintText(QPainter& painter, QRect rect, const QModelIndex& index) const;
    int textWidth(const QModelIndex& index) const;

    bool m_checkBoxes = false;
    int m_hoveredRow = -1;
};

void paintGpuStrip(QPainter& painter, const QRect& rect, const QVector<int>& cells);

}  // namespace yard::widgets
