#pragma once

#include <QRect>
#include <QVector>

#include "ui/model/cluster.h"

namespace yard::widgets {

/// Whether a column of the map carries a bar above it: for states other than idle and in use.
bool hasStateBar(model::NodeCategory category);

/// Several states share a colour, as their glyphs do; the bar's pattern tells them apart.
enum class BarPattern { Solid, Striped, Hollow, Dotted };
BarPattern barPattern(model::NodeCategory category);

/// What of `bar` is filled, in pixels of the device; `unit` of them make one of the screen.
QVector<QRect> barParts(const QRect& bar, BarPattern pattern, double unit);

}  // namespace yard::widgets
