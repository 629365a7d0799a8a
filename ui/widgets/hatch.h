#pragma once

#include <QPainter>
#include <QWidget>

namespace yard::widgets {

/// 45° stripes as a tile at the device's pixel ratio, for what has no reading. `gap` and `line` in
/// device-independent pixels.
QPixmap hatchTile(qreal ratio, const QColor& line, const QColor& ground, int gap = 5,
                  double width = 1.4);
void paintMissing(QPainter& painter, const QRect& rect);
/// A whole cell in fault red with a cross cut out, as wide as `rect`.
void paintFaultCell(QPainter& painter, const QRect& rect, const QColor& ground);
void paintStaleCell(QPainter& painter, const QRect& rect, const QColor& grey, const QColor& ground);

}  // namespace yard::widgets
