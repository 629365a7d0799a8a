#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "backend/analytics/characterize.h"

namespace yard::analytics {

/// The parts of a characterization, each in a file of its own. `rows` are those selected.
using Rows = std::span<const uint32_t>;

void addCounts(const JobTable& table, Rows rows, Figures& figures);
void addTimes(const JobTable& table, Rows rows, Figures& figures);
void addGpuDemand(const JobTable& table, Rows rows, Figures& figures);
void addArrivals(const JobTable& table, Rows rows, Characterization& result);
void addConcurrency(const JobTable& table, Rows rows, Figures& figures);

/// The types that GPU jobs of `rows` have, as word numbers in the order of their names.
std::vector<uint32_t> typesOfGpuJobs(const JobTable& table, Rows rows);
/// "Eval"; "Unclassified" for the empty text.
std::string typeName(const JobTable& table, uint32_t type);

constexpr double kSecondsPerHour = 3600;
double percent(double part, double whole);

}  // namespace yard::analytics
