#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::analytics {

/// A figure of the paper: the same name and unit as ours.
struct PaperFigure {
    std::string_view name;
    double value = 0;
    std::string_view source;  ///< "summary", "figure", "telemetry": resources/paper_figures.csv
};

/// Figures of Seren or Kalos to lay over a characterization, as the file has them. Empty for
/// another cluster.
std::vector<PaperFigure> paperFigures(std::string_view cluster);

}  // namespace yard::analytics
