#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backend/analytics/figures.h"
#include "backend/analytics/job_table.h"

namespace yard::analytics {

/// Which jobs are looked at. Everything else is as if it were not in the data.
struct Selection {
    std::string cluster;          ///< empty: all
    std::optional<int64_t> from;  ///< submitted at or after, seconds since 1970
    std::optional<int64_t> to;    ///< submitted before
    std::set<std::string> withoutTypes;
};

/// The characterization of a cluster's jobs: each figure and, beside it, in definitions.h, what it
/// is. What the data cannot give is in absences() with the reason.
struct Characterization {
    Figures figures;
    int64_t firstHour = 0;           ///< of arrivals, seconds since 1970
    std::vector<uint32_t> arrivals;  ///< jobs submitted in each hour
};

Characterization characterize(const JobTable& table, const Selection& selection);

/// Rows of the table, ascending.
std::vector<uint32_t> select(const JobTable& table, const Selection& selection);

}  // namespace yard::analytics
