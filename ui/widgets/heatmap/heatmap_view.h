#pragma once

#include <QAbstractScrollArea>
#include <QTimer>

#include "ui/model/gpu_map.h"
#include "ui/widgets/heatmap/heatmap_layout.h"
#include "ui/widgets/heatmap/heatmap_painter.h"

namespace yard::widgets {

/// Every GPU of a GpuMap. Shrinks its cells to fit and scrolls when they cannot be smaller;
/// pointer, keys and menus speak of nodes and GPUs.
///
/// Keys: arrows move, Space asks for the card, Enter for the node, J for the job.
class HeatmapView final : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit HeatmapView(model::GpuMap& map, QWidget* parent = nullptr);

    struct Cell {
        int node = -1;
        int gpu = -1;
        bool isValid() const { return node >= 0; }
        bool operator==(const Cell&) const = default;
    };
    Cell current() const { return m_current; }
    void setCurrent(const Cell& cell);
    /// In viewport coordinates; empty if there is no such cell.
    QRect cellRect(const Cell& cell) const;
    const HeatmapLayout& mapLayout() const { return m_layout; }
    void setLargestPitch(int pitch) { m_largestPitch = pitch; }
    void setNodeNumbers(bool shown) { m_nodeNumbers = shown; }
    /// What the whole map would take at the largest cells that fit, in the width it has and
    /// `room` high.
    int idealHeight(int room) const;
    /// Sentence for people who cannot see the cell.
    QString describe(const Cell& cell) const;

    QSize sizeHint() const override { return {600, 300}; }

Q_SIGNALS:
    /// 250 ms over a cell, or Space; an invalid cell: take the card away.
    void cardRequested(const yard::widgets::HeatmapView::Cell& cell);
    void nodeActivated(int node, int gpu);
    void jobActivated(int node, int gpu);
    void contextMenuRequested(int node, int gpu, const QPoint& globalPos);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Place {
        int group = -1;
        int column = -1;
    };
    void relayout();
    QVector<HeatmapLayout::GroupSize> measureGroups(double ratio) const;
    void refreshImage();
    Cell cellAt(const QPoint& at) const;
    Place placeOf(int node) const;
    void moveCurrent(int columns, int gpus);
    void setHovered(const Cell& cell);
    void paintJobOutline(QPainter& painter, const Cell& cell) const;
    QPoint deviceOffset() const;

    model::GpuMap& m_map;
    HeatmapLayout m_layout;
    HeatmapPainter m_painter;
    QVector<Place> m_places;  ///< by node
    QTimer m_pause;
    Cell m_hovered;
    Cell m_current;
    int m_largestPitch = 24;
    double m_layoutRatio = 1;
    bool m_nodeNumbers = true;
    bool m_layoutDirty = true;
    bool m_valuesDirty = true;
};

}  // namespace yard::widgets
