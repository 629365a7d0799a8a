#pragma once

#include "backend/analytics/job_table.h"

namespace yard::analytics {

/// When a job held its nodes: from <= t < to.
struct RunSpan {
    int64_t from = kNoTime;      ///< kNoTime: it never ran
    int64_t to = kNoTime;        ///< kNoTime: it runs still, or the data does not say
    bool isFromAssumed = false;  ///< neither start nor queue are known: taken from the submission
};

/// Start: as given, else submit + queue, else submit. End: as given, else start + duration, or
/// submit + duration where the duration contains the wait.
RunSpan runSpan(const JobTable& table, size_t row);

}  // namespace yard::analytics
