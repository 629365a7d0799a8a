#include "ui/widgets/heatmap/heatmap_layout.h"

#include <algorithm>
#include <cmath>

namespace yard::widgets {
namespace {

constexpr int kGroupGap = 14;
constexpr int kLeastGap = 10;
constexpr int kMostRowGap = 34;
constexpr int kLabel = 22;
constexpr int kNumbers = 15;
constexpr int kRowGap = 10;
/// Below this the map scrolls instead of shrinking further.
constexpr int kScrollPitch = 3;

}  // namespace

HeatmapLayout::HeatmapLayout(const QVector<GroupSize>& groups, const Options& options)
    : m_options(options)
{
    if (groups.isEmpty() || options.area.width() < 20)
        return;
    for (int pitch = px(options.largestPitch); pitch >= 1; --pitch) {
        if (place(groups, pitch))
            return;
    }
    place(groups, px(kScrollPitch));
}

int HeatmapLayout::px(double pixels) const
{
    return std::max(1, int(std::lround(pixels * m_options.ratio)));
}

void HeatmapLayout::measure(int pitch)
{
    const double size = pitch / m_options.ratio;
    m_pitch = pitch;
    m_detail = size >= 12  ? Detail::Full
               : size >= 6 ? Detail::Marks
               : size >= 3 ? Detail::Cells
                           : Detail::Points;
    const bool marked = m_detail == Detail::Full || m_detail == Detail::Marks;
    m_gap = marked ? px(1) : 0;
    m_bar = marked ? px(size >= 14 ? 4 : 3) : 0;
    m_numbers = m_detail == Detail::Full && m_options.nodeNumbers ? px(kNumbers) : 0;
}

bool HeatmapLayout::place(const QVector<GroupSize>& groups, int pitch)
{
    measure(pitch);
    m_groups.clear();
    const int width = m_options.area.width();
    const int label = px(kLabel);
    const int barSpace = m_bar > 0 ? m_bar + px(1) : 0;
    int widest = 0;
    for (const GroupSize& group : groups) {
        Placed placed;
        placed.nodes = group.nodes;
        placed.gpus = std::max(1, group.gpus);
        placed.perBand = std::clamp(group.nodes, 1, std::max(1, (width + m_gap) / pitch));
        const int bands = (group.nodes + placed.perBand - 1) / placed.perBand;
        placed.bandHeight = barSpace + placed.gpus * pitch + m_numbers + (bands > 1 ? px(4) : 0);
        const int block = placed.perBand * pitch - m_gap;
        placed.frame.setSize({std::min(width, std::max(block, group.labelWidth)),
                              label + bands * placed.bandHeight});
        widest = std::max(widest, placed.frame.width());
        m_groups.push_back(placed);
    }
    // Blocks of one size (switches, racks) stand in a grid that fills the width; others flow.
    const auto alike = std::count_if(
        m_groups.begin(), m_groups.end(),
        [widest](const Placed& each) { return each.frame.width() * 10 >= widest * 9; });
    const bool grid = m_groups.size() > 1 && alike * 10 >= m_groups.size() * 7;
    const int gap = px(grid ? kLeastGap : kGroupGap);
    const int columns = std::max(1, (width + gap) / (widest + gap));
    const int spread = grid && columns > 1 && m_groups.size() >= columns
                           ? std::min((width - columns * widest) / (columns - 1), px(64))
                           : gap;
    int x = 0;
    int y = 0;
    int rowHeight = 0;
    int column = 0;
    for (Placed& placed : m_groups) {
        const bool full = grid ? column == columns : x > 0 && x + placed.frame.width() > width;
        if (full) {
            x = 0;
            column = 0;
            y += rowHeight + px(kRowGap);
            rowHeight = 0;
        }
        placed.frame.moveTo(x, y);
        placed.cells = {x, y + label + barSpace};
        rowHeight = std::max(rowHeight, placed.frame.height());
        x += (grid ? widest : placed.frame.width()) + spread;
        ++column;
    }
    m_content = {width, y + rowHeight};
    spreadRows();
    return m_content.height() <= m_options.area.height();
}

/// Height that is left over goes between the rows.
void HeatmapLayout::spreadRows()
{
    int rows = 0;
    int last = -1;
    for (const Placed& placed : m_groups) {
        rows += placed.frame.top() != last ? 1 : 0;
        last = placed.frame.top();
    }
    const int left = m_options.area.height() - m_content.height();
    if (rows < 2 || left <= 0)
        return;
    const int extra = std::min(left / (rows - 1), px(kMostRowGap - kRowGap));
    int row = -1;
    last = -1;
    for (Placed& placed : m_groups) {
        const int top = placed.frame.top();
        row += top != last ? 1 : 0;
        last = top;
        placed.frame.translate(0, row * extra);
        placed.cells.ry() += row * extra;
    }
    m_content.rheight() += (rows - 1) * extra;
}

QRect HeatmapLayout::labelRect(int group) const
{
    const Placed& placed = m_groups[group];
    return {placed.frame.left(), placed.frame.top(), placed.frame.width(), px(kLabel - 4)};
}

QRect HeatmapLayout::cellRect(int group, int column, int gpu) const
{
    const Placed& placed = m_groups[group];
    return {placed.cells.x() + column % placed.perBand * m_pitch,
            placed.cells.y() + column / placed.perBand * placed.bandHeight + gpu * m_pitch, cell(),
            cell()};
}

QRect HeatmapLayout::columnRect(int group, int column) const
{
    const int bar = m_bar > 0 ? m_bar + px(1) : 0;
    return cellRect(group, column, 0)
        .adjusted(0, -bar, 0, 0)
        .united(cellRect(group, column, m_groups[group].gpus - 1));
}

std::optional<HeatmapLayout::Hit> HeatmapLayout::hit(const QPoint& at) const
{
    for (int group = 0; group < m_groups.size(); ++group) {
        const Placed& placed = m_groups[group];
        if (!placed.frame.contains(at))
            continue;
        const int across = at.x() - placed.cells.x();
        const int down = at.y() - placed.cells.y() + m_bar;
        if (across < 0 || down < 0)
            return std::nullopt;
        const int column = down / placed.bandHeight * placed.perBand + across / m_pitch;
        if (across / m_pitch >= placed.perBand || column >= placed.nodes)
            return std::nullopt;
        const int inBand = down % placed.bandHeight - m_bar;
        const int gpu = inBand < 0 ? -1 : inBand / m_pitch;
        return gpu < placed.gpus ? std::optional(Hit{group, column, gpu}) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace yard::widgets
