#include "backend/analytics/distribution.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace yard::analytics {
namespace {

double between(double low, double high, double fraction)
{
    return low + (high - low) * fraction;
}

}  // namespace

double quantile(std::span<const int32_t> sorted, double level)
{
    const double rank = double(sorted.size() - 1) * level;
    const auto below = size_t(rank);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return between(sorted[below], sorted[above], rank - double(below));
}

void addDistribution(Figures& figures, const std::string& name, std::span<const int32_t> sorted)
{
    if (sorted.empty())
        return;
    const int64_t sum = std::accumulate(sorted.begin(), sorted.end(), int64_t(0));
    figures.count(name + ".n", int64_t(sorted.size()));
    figures.number(name + ".mean", double(sum) / double(sorted.size()));
    figures.number(name + ".min", sorted.front());
    for (const QuantileLevel& q : kQuantiles)
        figures.number(name + "." + q.name, quantile(sorted, q.level));
    figures.number(name + ".max", sorted.back());
}

int64_t CountedValues::count() const
{
    int64_t total = 0;
    for (const auto& [value, times] : m_counts)
        total += times;
    return total;
}

double CountedValues::quantile(double level) const
{
    const double rank = double(count() - 1) * level;
    const auto below = int64_t(rank);
    int64_t passed = 0;
    for (auto it = m_counts.begin(); it != m_counts.end(); ++it) {
        passed += it->second;
        if (passed <= below)
            continue;
        const auto next = std::next(it);
        const bool isLast = passed > below + 1 || next == m_counts.end();
        return isLast ? it->first : between(it->first, next->first, rank - double(below));
    }
    return std::numeric_limits<double>::quiet_NaN();
}

void CountedValues::addTo(Figures& figures, const std::string& name) const
{
    if (m_counts.empty())
        return;
    const int64_t total = count();
    double sum = 0;
    for (const auto& [value, times] : m_counts)
        sum += value * double(times);
    figures.count(name + ".n", total);
    figures.number(name + ".mean", sum / double(total));
    figures.number(name + ".min", m_counts.begin()->first);
    for (const QuantileLevel& q : kQuantiles)
        figures.number(name + "." + q.name, quantile(q.level));
    figures.number(name + ".max", m_counts.rbegin()->first);
}

}  // namespace yard::analytics
