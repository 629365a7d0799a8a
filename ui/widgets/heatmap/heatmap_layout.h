#pragma once

#include <QRect>
#include <QString>
#include <QVector>
#include <optional>

namespace yard::widgets {

/// Where everything of a heatmap is, in device pixels, so that every cell lies on whole ones. A
/// group is a block of columns (nodes) of cells (GPUs); one too wide for the view is folded into
/// bands.
class HeatmapLayout {
public:
    struct GroupSize {
        int nodes = 0;
        int gpus = 0;        ///< of its largest node
        int labelWidth = 0;  ///< device pixels that the title alone needs
    };
    struct Options {
        QSize area;             ///< device pixels
        double ratio = 1;       ///< device pixels a pixel
        int largestPitch = 24;  ///< pixels
        bool nodeNumbers = true;
    };
    /// What is drawn at this pitch (look §5).
    enum class Detail { Full, Marks, Cells, Points };

    HeatmapLayout() = default;
    HeatmapLayout(const QVector<GroupSize>& groups, const Options& options);

    int pitch() const { return m_pitch; }
    int gap() const { return m_gap; }
    int cell() const { return m_pitch - m_gap; }
    int barHeight() const { return m_bar; }
    Detail detail() const { return m_detail; }
    bool hasNodeNumbers() const { return m_numbers > 0; }
    QSize contentSize() const { return m_content; }

    QRect labelRect(int group) const;
    QRect cellRect(int group, int column, int gpu) const;
    /// From the state bar's place down to the last GPU.
    QRect columnRect(int group, int column) const;
    int columnsPerBand(int group) const { return m_groups[group].perBand; }
    QPoint origin(int group) const { return m_groups[group].cells; }
    int groupCount() const { return int(m_groups.size()); }

    struct Hit {
        int group = -1;
        int column = -1;
        int gpu = -1;  ///< -1: the bar above the column
    };
    std::optional<Hit> hit(const QPoint& at) const;

private:
    struct Placed {
        QRect frame;   ///< with label
        QPoint cells;  ///< upper left cell of the first band
        int nodes = 0;
        int gpus = 0;
        int perBand = 1;
        int bandHeight = 0;
    };
    void measure(int pitch);
    bool place(const QVector<GroupSize>& groups, int pitch);
    void spreadRows();
    int px(double pixels) const;

    Options m_options;
    QVector<Placed> m_groups;
    QSize m_content;
    int m_pitch = 1;
    int m_gap = 0;
    int m_bar = 0;
    int m_numbers = 0;
    Detail m_detail = Detail::Points;
};

}  // namespace yard::widgets
