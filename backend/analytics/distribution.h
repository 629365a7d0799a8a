#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "backend/analytics/figures.h"

namespace yard::analytics {

/// The quantiles that are told, with the end of their names.
struct QuantileLevel {
    const char* name;
    double level;
};
constexpr QuantileLevel kQuantiles[] = {{"p1", 0.01},  {"p5", 0.05},  {"p10", 0.10},
                                        {"p25", 0.25}, {"p50", 0.50}, {"p75", 0.75},
                                        {"p90", 0.90}, {"p95", 0.95}, {"p99", 0.99}};

/// Linear interpolation between order statistics, rank (n-1)q. `sorted` is not empty.
double quantile(std::span<const int32_t> sorted, double level);

/// Adds NAME.n, .mean, .min, .p1 … .p99, .max. Nothing for an empty population.
void addDistribution(Figures& figures, const std::string& name, std::span<const int32_t> sorted);

/// The same of counted values: value to how often.
class CountedValues {
public:
    void add(double value, int64_t times = 1) { m_counts[value] += times; }
    bool isEmpty() const { return m_counts.empty(); }
    int64_t count() const;
    size_t distinct() const { return m_counts.size(); }
    double quantile(double level) const;
    const std::map<double, int64_t>& counts() const { return m_counts; }
    void addTo(Figures& figures, const std::string& name) const;

private:
    std::map<double, int64_t> m_counts;
};

}  // namespace yard::analytics
