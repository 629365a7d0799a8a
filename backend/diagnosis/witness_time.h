#pragma once

#include <optional>

#include "backend/diagnosis/log_facts.h"

namespace yard::diagnosis {

/// When a job failed, seconds since 1970 in the log's own zone: the time of the line that shows
/// it, else the last time in the log. None where the log carries no dates.
std::optional<double> failureTime(const LogFacts& facts, const Finding* shown);

/// What a second log reports near the failure. Lines without a date stay; clocks may differ by a
/// time zone, and one of them may leave the year out.
LogFacts nearInTime(LogFacts kernel, double failure);

}  // namespace yard::diagnosis
