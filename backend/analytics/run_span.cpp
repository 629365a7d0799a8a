#include "backend/analytics/run_span.h"

#include <algorithm>

namespace yard::analytics {
namespace {

/// It waits, or was given up while it waited: sacct then writes an end and 0 seconds.
bool neverRan(const JobTable& table, size_t row)
{
    return table.state[row] == domain::JobState::Pending ||
           (table.start[row] == kNoTime &&
            (table.duration[row] == kNoSeconds || table.duration[row] == 0));
}

}  // namespace

RunSpan runSpan(const JobTable& table, size_t row)
{
    RunSpan span;
    if (neverRan(table, row))
        return span;
    span.from = table.start[row];
    if (span.from == kNoTime) {
        span.isFromAssumed = table.queue[row] == kNoSeconds;
        span.from = table.submit[row] + (span.isFromAssumed ? 0 : table.queue[row]);
    }
    span.to = table.end[row];
    // A job that runs still has a duration too: so far.
    if (span.to == kNoTime && table.duration[row] != kNoSeconds &&
        table.state[row] != domain::JobState::Running) {
        const bool hasWait = table.sources[table.source[row]].durationHasWait;
        span.to = (hasWait ? table.submit[row] : span.from) + table.duration[row];
    }
    if (span.to != kNoTime)
        span.to = std::max(span.to, span.from);
    return span;
}

}  // namespace yard::analytics
