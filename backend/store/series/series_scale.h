#pragma once

#include <cmath>
#include <cstdint>

#include "backend/domain/metric.h"
#include "backend/domain/series.h"
#include "backend/store/series/series_block.h"

namespace yard::store {

/// The smallest difference that is kept of a metric, in its unit: readings are stored as whole
/// multiples of it. Never finer than the sources measure: DCGM's counters of activity jitter by
/// more than a tenth of a percent.
double resolution(domain::SeriesKind kind, uint32_t metric);
/// Columns of a kind.
uint32_t metricCount(domain::SeriesKind kind);

inline int32_t toCode(float value, double resolution)
{
    if (std::isnan(value))
        return kNoCode;
    const double steps = std::round(double(value) / resolution);
    if (steps >= double(INT32_MAX))
        return INT32_MAX;
    return steps <= double(kNoCode) ? kNoCode + 1 : int32_t(steps);
}

inline float fromCode(int32_t code, double resolution)
{
    return code == kNoCode ? domain::kNoReading : float(double(code) * resolution);
}

}  // namespace yard::store
