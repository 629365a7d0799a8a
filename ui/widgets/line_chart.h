#pragma once

#include <QTimeZone>
#include <optional>

#include "ui/widgets/chart.h"

namespace yard::widgets {

/// Lines over time, or any other x: with bands from least to greatest, gaps that stay gaps, a
/// crosshair with values, and a part of x chosen by dragging.
///
/// Keys: ← → move the crosshair (Shift: ten steps), + − zoom there, 0 or Backspace shows all again,
/// Esc too while it is zoomed.
///
/// The lines are painted here: Qt Charts knows no gaps, and a series of its own for each stretch
/// between two gaps would be thousands of items.
class LineChart final : public Chart {
    Q_OBJECT

public:
    using Chart::setEmptyText;
    using Chart::setPlotMargins;
    using Chart::Tick;

    struct Point {
        double x = 0;
        double low = 0;
        double y = 0;
        double high = 0;
    };
    struct Line {
        QString name;
        ColorOf color;
        QVector<Point> points;  ///< ascending x
        double gap = 0;         ///< points further apart are not joined; 0: all are
        bool band = false;      ///< from low to high, behind the line
        bool dashed = false;    ///< the paper's
    };
    struct Axis {
        std::function<QVector<Tick>(double low, double high)> ticks;
        std::function<QString(double)> words;
    };
    explicit LineChart(const QString& name, QWidget* parent = nullptr);

    void setLines(const QVector<Line>& lines);
    const QVector<Line>& lines() const { return m_lines; }
    /// The whole of x, and how it is told.
    void setX(double low, double high, const Axis& axis);
    void setY(double low, double high, const QVector<Tick>& ticks,
              std::function<QString(double)> words);
    /// The line's value in the crosshair's box says low and high too.
    void setVerticalGrid(bool shown) { m_verticalGrid = shown; }
    /// A thin upright line with nothing to say: where something began or ended.
    void setMarks(const QVector<double>& marks);

    // -- what of x is shown --
    double low() const { return m_low; }
    double high() const { return m_high; }
    bool isZoomed() const { return m_low != m_allLow || m_high != m_allHigh; }
    /// From a neighbour: says nothing back.
    void setView(double low, double high);
    void zoomTo(double low, double high);
    void showAll() { zoomTo(m_allLow, m_allHigh); }

    // -- the crosshair --
    std::optional<double> crosshair() const { return m_crosshair; }
    void setCrosshair(std::optional<double> x);
    /// What stands in its box, a line each; empty without a crosshair.
    QStringList crosshairWords() const;
    /// Places of the picture, for tests and neighbours.
    double pixelOf(double x) const;
    double valueAt(double pixel) const;

Q_SIGNALS:
    void viewChanged(double low, double high);
    void crosshairChanged(std::optional<double> x);

protected:
    void paintOver(QPainter& painter, const QRectF& plot) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Row {
        QString name;
        QString value;
        const Line* line = nullptr;
    };
    void moveCrosshair(double x);
    void zoomAround(double x, double factor);
    void refreshTicks();
    QVector<Row> rows() const;
    void paintLine(QPainter& painter, const QRectF& plot, const Line& line) const;
    void paintCrosshair(QPainter& painter, const QRectF& plot) const;

    QVector<Line> m_lines;
    Axis m_x;
    std::function<QString(double)> m_yWords;
    QVector<Tick> m_xTicks;
    QVector<double> m_marks;
    double m_allLow = 0;
    double m_allHigh = 1;
    double m_low = 0;
    double m_high = 1;
    double m_yLow = 0;
    double m_yHigh = 1;
    bool m_verticalGrid = false;
    std::optional<double> m_crosshair;
    std::optional<double> m_pressed;  ///< x where the drag began
    double m_dragged = 0;
};

/// Round ticks from 0 that cover `most`, the unit at the last: the axis of an amount.
struct AmountAxis {
    double top = 1;
    QVector<LineChart::Tick> ticks;
};
AmountAxis amountAxis(double most, const QString& unit);
/// Round times in the cluster's zone as shares of the span: "03:00", at midnight "Mar 11".
QVector<LineChart::Tick> timeTicks(qint64 fromMs, qint64 toMs, const QTimeZone& zone, int most);

}  // namespace yard::widgets
