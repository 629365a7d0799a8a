#include "ui/widgets/hatch.h"

#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

QPixmap hatchTile(qreal ratio, const QColor& line, const QColor& ground, int gap, double width)
{
    // A whole number of device pixels, so that tiles meet without a seam.
    const int side = qMax(3, qRound(gap * ratio));
    QPixmap tile(side, side);
    tile.fill(ground);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(line, width * ratio, Qt::SolidLine, Qt::FlatCap));
    for (int shift : {-side, 0, side})
        painter.drawLine(QPointF(shift - side, side * 2), QPointF(shift + side * 2, -side));
    painter.end();
    tile.setDevicePixelRatio(ratio);
    return tile;
}

void paintMissing(QPainter& painter, const QRect& rect)
{
    const qreal ratio = painter.device()->devicePixelRatioF();
    const int gap = rect.width() >= 14 ? 5 : 4;
    painter.drawTiledPixmap(
        rect, hatchTile(ratio, theme::color(Color::Missing), theme::color(Color::BgWindow), gap,
                        rect.width() >= 14 ? 1.2 : 1.0));
    theme::paintPanel(painter, rect, Qt::transparent, theme::color(Color::LineStrong), 0);
}

void paintFaultCell(QPainter& painter, const QRect& rect, const QColor& ground)
{
    painter.fillRect(rect, theme::color(Color::Fault));
    if (rect.width() < 8)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(ground, qMax(1.6, rect.width() / 9.0), Qt::SolidLine, Qt::FlatCap));
    const double inset = rect.width() * 0.28;
    const QRectF box = QRectF(rect).adjusted(inset, inset, -inset, -inset);
    painter.drawLine(box.topLeft(), box.bottomRight());
    painter.drawLine(box.topRight(), box.bottomLeft());
    painter.restore();
}

void paintStaleCell(QPainter& painter, const QRect& rect, const QColor& grey, const QColor& ground)
{
    painter.fillRect(rect, grey);
    const double cut = qMax(3.0, rect.width() * 0.28);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    const double right = rect.left() + rect.width();
    painter.drawPolygon(QPolygonF{
        {right - cut, double(rect.top())}, {right, double(rect.top())}, {right, rect.top() + cut}});
    painter.restore();
}

}  // namespace yard::widgets
