#pragma once

#include <cstdint>
#include <string>

#include "backend/analytics/figures.h"
#include "backend/base/status.h"

namespace yard::analytics {

/// Reads a wide table of telemetry as AcmeTrace has them, plain or gzip: a column Time, then one
/// column per GPU or node. Every cell with a number is one sample of one series; an empty cell is
/// no sample. Adds samples.NAME.n, .mean, .min, .p1 … .max, .zero_pct, and .odd_cells if there are
/// cells that are neither empty nor a number. Memory does not grow with the file.
Status addSamples(const std::string& path, const std::string& name, Figures& figures);

}  // namespace yard::analytics
