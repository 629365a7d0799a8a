#include "ui/widgets/heatmap/state_bar.h"

#include <algorithm>
#include <cmath>

namespace yard::widgets {

using model::NodeCategory;

bool hasStateBar(NodeCategory category)
{
    // Planned is idle with somebody in mind, and what is to come is not there: no reason to look.
    return category != NodeCategory::Idle && category != NodeCategory::Planned &&
           category != NodeCategory::Mixed && category != NodeCategory::Allocated &&
           category != NodeCategory::Completing && category != NodeCategory::Future;
}

BarPattern barPattern(NodeCategory category)
{
    switch (category) {
        case NodeCategory::Draining:
        case NodeCategory::Rebooting:
            return BarPattern::Striped;  // it goes on
        case NodeCategory::Reserved:
        case NodeCategory::Fail:
        case NodeCategory::Invalid:
            return BarPattern::Hollow;
        case NodeCategory::Unknown:
            return BarPattern::Dotted;
        default:
            return BarPattern::Solid;
    }
}

QVector<QRect> barParts(const QRect& bar, BarPattern pattern, double unit)
{
    if (pattern == BarPattern::Solid)
        return {bar};
    const int one = std::max(1, int(std::lround(unit)));
    if (pattern == BarPattern::Hollow) {
        const int inner = bar.height() - 2 * one;
        return {QRect(bar.left(), bar.top(), bar.width(), one),
                QRect(bar.left(), bar.bottom() + 1 - one, bar.width(), one),
                QRect(bar.left(), bar.top() + one, one, inner),
                QRect(bar.right() + 1 - one, bar.top() + one, one, inner)};
    }
    const int on = 2 * one;
    const int step = pattern == BarPattern::Striped ? 2 * on : 3 * on;
    QVector<QRect> parts;
    for (int x = bar.left(); x <= bar.right(); x += step)
        parts.append(QRect(x, bar.top(), std::min(on, bar.right() - x + 1), bar.height()));
    return parts;
}

}  // namespace yard::widgets
