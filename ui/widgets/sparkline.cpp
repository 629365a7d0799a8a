#include "ui/widgets/sparkline.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace yard::widgets {

Sparkline::Sparkline(QWidget* parent)
    : QWidget(parent)
{
    setFixedSize(96, 32);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void Sparkline::setValues(const QVector<double>& values)
{
    m_values = values;
    update();
}

void Sparkline::setTone(theme::Color tone)
{
    m_tone = tone;
    update();
}

void Sparkline::paintEvent(QPaintEvent*)
{
    double low = INFINITY;
    double high = -INFINITY;
    int known = 0;
    for (double value : std::as_const(m_values)) {
        if (std::isnan(value))
            continue;
        low = std::min(low, value);
        high = std::max(high, value);
        ++known;
    }
    if (known < 2)
        return;
    const double span = std::max(high - low, std::max(1e-9, std::abs(high) * 0.02));
    const double step = double(width() - 2) / double(m_values.size() - 1);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor line = theme::color(m_tone);
    QColor ground = line;
    ground.setAlphaF(0.14F);
    QPolygonF run;
    const auto flush = [&] {
        if (run.size() > 1) {
            QPolygonF area = run;
            area << QPointF(run.last().x(), height()) << QPointF(run.first().x(), height());
            painter.setPen(Qt::NoPen);
            painter.setBrush(ground);
            painter.drawPolygon(area);
            painter.setPen(QPen(line, 1.5, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.drawPolyline(run);
        }
        run.clear();
    };
    for (qsizetype i = 0; i < m_values.size(); ++i) {
        if (std::isnan(m_values[i]))
            flush();
        else
            run << QPointF(1 + double(i) * step,
                           height() - 2 - (height() - 4) * (m_values[i] - low) / span);
    }
    flush();
}

}  // namespace yard::widgets
