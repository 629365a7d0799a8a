#pragma once

#include <cstdint>
#include <vector>

#include "backend/store/series/series_levels.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// Makes whole blocks of the fresh ones whose hour (or day) is over, and the coarser levels from
/// them. One series a call, one transaction: it may stop between any two.
///
/// Thread: that of the database.
class SeriesCompaction {
public:
    explicit SeriesCompaction(Database& database)
        : m_database(database)
    {
    }
    /// False when nothing is left to do before `nowSeconds`.
    StatusOr<bool> step(int64_t nowSeconds);
    /// Deletes what is older than it is kept.
    Status retain(const SeriesRetention& retention, int64_t nowSeconds);

private:
    /// One series with fresh blocks in one span.
    struct Work {
        int64_t series = 0;
        int64_t startSeconds = 0;
    };
    StatusOr<bool> find(SeriesLevel fresh, int64_t before, Work& work);
    Status compact(SeriesLevel fresh, const Work& work);
    Status compactGroup(SeriesLevel fresh, const Work& work, uint32_t group);
    Status insert(SeriesLevel level, const Work& work, int64_t start, uint32_t group,
                  const std::string& data);

    Database& m_database;
};

/// Min, mean and max over `every` ticks. `rows` lanes, or three rows a lane as this makes them.
/// The mean of a coarser level is that of the finer one's means: steps count alike.
std::vector<int32_t> coarser(const std::vector<int32_t>& codes, uint32_t ticks, uint32_t every,
                             bool hasExtremes);

}  // namespace yard::store
