#include "ui/widgets/chart.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

double roundTop(double value, int steps)
{
    if (!(value > 0))
        return steps;
    const double raw = value / steps;
    const double decade = std::pow(10, std::floor(std::log10(raw)));
    for (double factor : {1.0, 2.0, 2.5, 5.0, 10.0}) {
        const double step = factor * decade;
        if (step >= raw * 0.9999 && (step >= 1 || steps * step < 1) && step == std::round(step))
            return step * steps;
    }
    return std::ceil(raw) * steps;
}

Chart::Chart(QWidget* parent)
    : QChartView(parent)
    , m_y(new QValueAxis(this))
{
    // The view's own chart is used: setChart() would hand us the old one to free.
    QChart* own = chart();
    own->setBackgroundVisible(false);
    own->setMargins({});
    own->setBackgroundRoundness(0);
    own->layout()->setContentsMargins(0, 0, 0, 0);
    own->legend()->hide();
    own->setAnimationOptions(QChart::NoAnimation);
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(NoFrame);
    setBackgroundBrush(Qt::NoBrush);
    viewport()->setAutoFillBackground(false);
    setFocusPolicy(Qt::NoFocus);
    setMinimumSize(120, 90);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, [this] { recolor(); });
}

void Chart::setPlotMargins(int left, int top, int right, int bottom)
{
    m_margins = {left, top, right, bottom};
}

void Chart::setYRange(double low, double high, int ticks, const QString&, const QString& lastUnit)
{
    m_y->setRange(low, high);
    QVector<Tick> all;
    for (int i = 0; i < ticks; ++i) {
        const double share = double(i) / (ticks - 1);
        QString text = theme::number(qint64(std::llround(low + (high - low) * share)));
        if (i + 1 == ticks && !lastUnit.isEmpty())
            text += QLatin1Char(' ') + lastUnit;
        all.push_back({share, text});
    }
    setYTicks(all);
}

void Chart::setXTicks(const QVector<Tick>& ticks)
{
    m_xTicks = ticks;
    viewport()->update();
}

void Chart::setYTicks(const QVector<Tick>& ticks)
{
    m_yTicks = ticks;
    viewport()->update();
}

void Chart::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    chart()->setPlotArea(QRectF(viewport()->rect()).marginsRemoved(QMarginsF(m_margins)));
}

void Chart::recolor()
{
    viewport()->update();
}

void Chart::setEmptyText(const QString& title, const QString& detail)
{
    m_emptyTitle = title;
    m_emptyDetail = detail;
    viewport()->update();
}

void Chart::drawForeground(QPainter* painter, const QRectF&)
{
    // Grid and axes are ours: Qt's axes cannot put whole pixels and our fonts where we want them.
    painter->save();
    painter->resetTransform();
    const qreal ratio = devicePixelRatioF();
    painter->scale(ratio, ratio);
    const QRectF plot = chart()->plotArea();
    if (!m_emptyTitle.isEmpty()) {
        theme::paintEmpty(*painter, viewport()->rect(), m_emptyTitle, m_emptyDetail);
        painter->restore();
        return;
    }
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setFont(theme::font(Type::MonoSmall));
    for (const Tick& tick : std::as_const(m_yTicks)) {
        const double y = std::round(plot.bottom() - tick.at * plot.height());
        if (tick.at > 0) {
            QColor grid = theme::color(Color::TextPrimary);
            grid.setAlphaF(0.08F);
            painter->fillRect(QRectF(plot.left(), y, plot.width(), 1), grid);
        }
        painter->setPen(theme::color(Color::TextMuted));
        painter->drawText(QRectF(0, y - 8, plot.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter,
                          tick.text);
    }
    painter->fillRect(QRectF(plot.left(), std::round(plot.bottom()), plot.width(), 1),
                      theme::color(Color::LineStrong));
    const QFontMetricsF words(painter->font());
    double free = -1;
    for (const Tick& tick : std::as_const(m_xTicks)) {
        const double width = words.horizontalAdvance(tick.text);
        const double at = plot.left() + tick.at * plot.width();
        const double left =
            std::clamp(at - width / 2, 0.0, std::max(0.0, double(viewport()->width()) - width));
        if (left < free)
            continue;
        free = left + width + 8;
        painter->setPen(theme::color(Color::TextMuted));
        painter->drawText(QRectF(left, plot.bottom() + 4, width + 2, 16),
                          Qt::AlignLeft | Qt::AlignVCenter, tick.text);
    }
    paintOver(*painter, plot);
    painter->restore();
}

StackedAreaChart::StackedAreaChart(QWidget* parent)
    : Chart(parent)
{
    chart()->addAxis(yAxis(), Qt::AlignLeft);
    yAxis()->setVisible(false);
}

void StackedAreaChart::setLayers(const QVector<Layer>& layers, double yMax,
                                 const QVector<QPair<qint64, QString>>& timeTicks)
{
    m_layers = layers;
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes(Qt::Horizontal)) {
        chart()->removeAxis(axis);
        delete axis;
    }
    auto* x = new QValueAxis(chart());
    x->setVisible(false);
    chart()->addAxis(x, Qt::AlignBottom);
    double first = 0;
    double last = 1;
    QVector<double> below;
    for (const Layer& layer : layers) {
        if (layer.points.isEmpty())
            continue;
        first = layer.points.first().x();
        last = std::max(layer.points.last().x(), first + 1);
        below.resize(layer.points.size());
        QVector<QPointF> lower;
        QVector<QPointF> upper;
        const auto flush = [&] {
            if (upper.size() > 1) {
                auto* top = new QLineSeries;
                auto* bottom = new QLineSeries;
                top->replace(upper);
                bottom->replace(lower);
                auto* area = new QAreaSeries(top, bottom);
                top->setParent(area);
                bottom->setParent(area);
                QColor fill = layer.color();
                area->setPen(QPen(fill, 1.1));
                fill.setAlphaF(0.5F);
                area->setBrush(fill);
                area->setName(layer.name);
                chart()->addSeries(area);
                area->attachAxis(x);
                area->attachAxis(yAxis());
            }
            upper.clear();
            lower.clear();
        };
        for (qsizetype i = 0; i < layer.points.size(); ++i) {
            const QPointF& point = layer.points[i];
            if (std::isnan(point.y())) {
                flush();
                continue;
            }
            lower << QPointF(point.x(), below[i]);
            below[i] += point.y();
            upper << QPointF(point.x(), below[i]);
        }
        flush();
    }
    x->setRange(first, last);
    setYRange(0, yMax, 5, QString());
    QVector<Tick> ticks;
    for (const auto& [at, text] : timeTicks)
        ticks.push_back({(double(at) - first) / (last - first), text});
    setXTicks(ticks);
}

void StackedAreaChart::recolor()
{
    for (QAbstractSeries* series : chart()->series()) {
        auto* area = qobject_cast<QAreaSeries*>(series);
        for (const Layer& layer : std::as_const(m_layers)) {
            if (area == nullptr || layer.name != area->name())
                continue;
            QColor fill = layer.color();
            area->setPen(QPen(fill, 1.1));
            fill.setAlphaF(0.5F);
            area->setBrush(fill);
        }
    }
    Chart::recolor();
}

Histogram::Histogram(QWidget* parent)
    : Chart(parent)
{
}

void Histogram::setData(const Data& data)
{
    m_data = data;
    int most = data.aside;
    for (int count : data.counts)
        most = std::max(most, count);
    m_top = roundTop(most, 4);
    setYRange(0, m_top, 5, QString());
    setXTicks(data.ticks);
}

void Histogram::paintOver(QPainter& painter, const QRectF& plot)
{
    const auto height = [&](double count) { return count / m_top * plot.height(); };
    const qsizetype bars = m_data.counts.size();
    for (qsizetype i = 0; i < bars; ++i) {
        if (m_data.counts[i] == 0)
            continue;
        const double left = std::round(plot.left() + plot.width() * double(i) / double(bars)) + 1;
        const double right = std::round(plot.left() + plot.width() * double(i + 1) / double(bars));
        const double tall = std::max(1.0, height(m_data.counts[i]));
        painter.fillRect(QRectF(left, plot.bottom() - tall, std::max(1.0, right - left), tall),
                         m_data.color((double(i) + 0.5) / double(bars)));
    }
    painter.setFont(theme::font(Type::Caption));
    const double asideTop = plot.bottom() - height(m_data.aside);
    if (m_data.aside > 0) {
        painter.fillRect(QRectF(plot.left() + 1, asideTop, 8, height(m_data.aside)),
                         theme::color(Color::LineStrong));
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(
            QRectF(plot.left() + 15, std::max(plot.top(), asideTop - 2), plot.width() - 20, 16),
            Qt::AlignLeft | Qt::AlignVCenter, m_data.asideWords);
    }
    if (std::isnan(m_data.median))
        return;
    const double share = (m_data.median - m_data.low) / (m_data.high - m_data.low);
    const double x = std::round(plot.left() + std::clamp(share, 0.0, 1.0) * plot.width()) + 0.5;
    painter.setPen(QPen(theme::color(Color::TextPrimary), 1, Qt::CustomDashLine));
    QPen dashed(theme::color(Color::TextPrimary), 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(m_data.medianWords);
    const bool fits = x + 6 + width < plot.right();
    painter.setPen(theme::color(Color::TextPrimary));
    painter.drawText(QRectF(fits ? x + 6 : x - 6 - width, plot.top(), width + 2, 16),
                     Qt::AlignVCenter, m_data.medianWords);
}

}  // namespace yard::widgets
