#pragma once

#include <QImage>

#include "ui/model/gpu_map.h"
#include "ui/widgets/heatmap/heatmap_layout.h"

namespace yard::widgets {

/// Draws a GpuMap into an image of the layout's size. Labels, numbers and state bars once for a
/// layout, cells again whenever values change: a row of cells is made once and copied down.
class HeatmapPainter {
public:
    void paintAll(const model::GpuMap& map, const HeatmapLayout& layout, double ratio);
    void paintValues(const model::GpuMap& map, const HeatmapLayout& layout);
    const QImage& image() const { return m_image; }

private:
    struct Inks;
    struct Place;

    void paintLabels(const model::GpuMap& map, const HeatmapLayout& layout, bool onlyMedians);
    void paintNumbers(const model::GpuMap& map, const HeatmapLayout& layout);
    void paintBars(const model::GpuMap& map, const HeatmapLayout& layout);
    void paintGroup(const model::GpuMap& map, const HeatmapLayout& layout, int group,
                    const Inks& inks);
    void fillRow(const model::GpuMap& map, const HeatmapLayout& layout, const Place& place,
                 const Inks& inks);
    void paintMarks(const model::GpuMap& map, const HeatmapLayout& layout, const Place& place,
                    const Inks& inks);
    void paintFaults(const model::GpuMap& map, const HeatmapLayout& layout);
    void fill(const QRect& rect, QRgb color);
    void hatch(const QRect& rect, const Inks& inks, bool outlined);
    void outline(const QRect& rect, QRgb color);
    void corner(const QRect& rect, QRgb color, int size);

    QImage m_image;
    double m_ratio = 1;
    QVector<QString> m_medians;
};

}  // namespace yard::widgets
