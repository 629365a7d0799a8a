#include <algorithm>

#include "backend/analytics/job_parts.h"

namespace yard::analytics {

void addArrivals(const JobTable& table, Rows rows, Characterization& result)
{
    if (rows.empty())
        return;
    int64_t first = table.submit[rows.front()];
    int64_t last = first;
    for (const uint32_t row : rows) {
        first = std::min(first, table.submit[row]);
        last = std::max(last, table.submit[row]);
    }
    constexpr int64_t kHour = 3600;
    result.firstHour = first / kHour * kHour;
    result.arrivals.assign(size_t(last / kHour - first / kHour + 1), 0);
    for (const uint32_t row : rows)
        ++result.arrivals[size_t((table.submit[row] - result.firstHour) / kHour)];
    const auto busiest = std::max_element(result.arrivals.begin(), result.arrivals.end());
    Figures& figures = result.figures;
    figures.time("first_submit", first);
    figures.time("last_submit", last);
    figures.count("arrivals_per_hour.hours", int64_t(result.arrivals.size()));
    figures.number("arrivals_per_hour.mean", double(rows.size()) / double(result.arrivals.size()));
    figures.count("arrivals_per_hour.max", *busiest);
    figures.time("arrivals_per_hour.max_at",
                 result.firstHour + kHour * (busiest - result.arrivals.begin()));
}

}  // namespace yard::analytics
