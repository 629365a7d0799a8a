#pragma once

#include <QChartView>
#include <functional>

class QValueAxis;

namespace yard::widgets {

/// Qt Charts in our look: no background, legend or y line, horizontal grid, round ticks, mono
/// numbers. Colours are given as functions, so that a switch of theme recolours what is there.
class Chart : public QChartView {
    Q_OBJECT

public:
    using ColorOf = std::function<QColor()>;

    explicit Chart(QWidget* parent = nullptr);
    QString emptyTitle() const { return m_emptyTitle; }

protected:
    void setYRange(double low, double high, int ticks, const QString& format,
                   const QString& lastUnit = {});
    QValueAxis* yAxis() const { return m_y; }
    /// Plot's own margins, so that the axis labels are never cut.
    void setPlotMargins(int left, int top, int right, int bottom);
    void resizeEvent(QResizeEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    virtual void recolor();

    struct Tick {
        double at = 0;  ///< share of the axis
        QString text;
    };
    void setXTicks(const QVector<Tick>& ticks);
    void setYTicks(const QVector<Tick>& ticks);
    /// What to say instead of an empty plot; empty: the plot.
    void setEmptyText(const QString& title, const QString& detail);
    virtual void paintOver(QPainter&, const QRectF& /*plot*/) {}

private:
    QValueAxis* m_y = nullptr;
    QVector<Tick> m_xTicks;
    QVector<Tick> m_yTicks;
    QMargins m_margins{44, 8, 8, 22};
    QString m_emptyTitle;
    QString m_emptyDetail;
};

/// Amounts over time, stacked, in series colours; gaps are gaps.
class StackedAreaChart final : public Chart {
    Q_OBJECT

public:
    using Chart::setEmptyText;
    struct Layer {
        QString name;
        ColorOf color;
        QVector<QPointF> points;  ///< x in ms since the epoch, y the amount of this layer
    };
    explicit StackedAreaChart(QWidget* parent = nullptr);
    /// At most 2,000 points a layer; all layers share their x.
    void setLayers(const QVector<Layer>& layers, double yMax,
                   const QVector<QPair<qint64, QString>>& timeTicks);

protected:
    void recolor() override;

private:
    QVector<Layer> m_layers;
};

/// Counts by value, each bar in the colour of its value, with a line at the median and a separate
/// grey bar for what is free.
class Histogram final : public Chart {
    Q_OBJECT

public:
    struct Data {
        QVector<int> counts;
        double low = 0;
        double high = 100;
        double median = 0;  ///< NaN: none
        QString medianWords;
        int aside = 0;  ///< at the low end, drawn grey
        QString asideWords;
        QVector<Tick> ticks;
        std::function<QColor(double share)> color;
    };
    explicit Histogram(QWidget* parent = nullptr);
    void setData(const Data& data);
    using Chart::setEmptyText;
    using Chart::Tick;

protected:
    void paintOver(QPainter& painter, const QRectF& plot) override;

private:
    Data m_data;
    double m_top = 1;
};

/// 1, 2, 2.5, 5 × 10^n that covers `value` in `steps` whole steps.
double roundTop(double value, int steps);

}  // namespace yard::widgets
