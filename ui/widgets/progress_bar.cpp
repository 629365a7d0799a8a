#include "ui/widgets/progress_bar.h"

#include <QPainter>
#include <QPainterPath>

#include "ui/theme/theme.h"
#include "ui/widgets/hatch.h"

namespace yard::widgets {

ProgressBar::ProgressBar(QWidget* parent)
    : QWidget(parent)
{
    setFixedHeight(6);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void ProgressBar::setSegments(const QVector<Segment>& segments)
{
    m_segments = segments;
    update();
}

void ProgressBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    shape.addRoundedRect(rect(), 1, 1);
    painter.setClipPath(shape);
    painter.fillRect(rect(), theme::color(theme::Color::LineSubtle));
    double left = 0;
    for (const Segment& segment : m_segments) {
        const QRectF part(left, 0, segment.share * width(), height());
        if (segment.striped)
            painter.drawTiledPixmap(
                part, hatchTile(devicePixelRatioF(), segment.color, Qt::transparent, 4, 1.6));
        else
            painter.fillRect(part, segment.color);
        left += part.width();
    }
}

}  // namespace yard::widgets
