#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "backend/base/clock.h"
#include "backend/domain/job.h"

namespace yard::scheduler::slurm {

/// A duration or limit as squeue, sinfo, scontrol and sacct print it.
struct DurationText {
    bool unlimited = false;
    std::optional<double> seconds;  ///< empty and not unlimited: unknown, or no limit of its own
};

/// M:SS, H:MM:SS, D-HH:MM:SS, MM:SS.mmm, UNLIMITED, infinite; all else (INVALID, NOT_SET, N/A,
/// Partition_Limit, a plain number) is unknown.
DurationText readDuration(std::string_view text);
domain::TimeLimit readTimeLimit(std::string_view text);
/// A plain number of minutes or a word, as sacct's TimelimitRaw.
domain::TimeLimit readMinutesLimit(std::string_view text);

/// A point in time. Local times carry no zone, so they stay text; ask for SLURM_TIME_FORMAT=%s.
struct TimeText {
    std::optional<Time> at;  ///< from epoch seconds
    std::string local;       ///< "2025-01-01T08:30:00" as the cluster wrote it
    bool isKnown() const { return at || !local.empty(); }
};
/// Unknown, None, N/A, 0 and the sentinels are no time.
TimeText readTime(std::string_view text);
/// Epoch seconds from JSON; 0, sentinels and what no calendar holds are no time.
std::optional<Time> timeFromEpoch(int64_t seconds);
int64_t epochOf(Time time);

}  // namespace yard::scheduler::slurm
