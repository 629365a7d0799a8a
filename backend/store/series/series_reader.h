#pragma once

#include <optional>
#include <vector>

#include "backend/base/task_loop.h"
#include "backend/store/series/series_block.h"
#include "backend/store/series/series_buffer.h"
#include "backend/store/series/series_store.h"
#include "backend/store/series/subject_book.h"

namespace yard::store {

/// Reads blocks and the buffer. Where a level has no block, the next finer one is asked, down to
/// what is still in memory.
///
/// Thread: one at a time.
class SeriesReader {
public:
    SeriesReader(Database database, const SubjectBook& book, const SeriesBuffer& buffer,
                 const Clock& clock, SeriesRetention retention);
    /// Call once before anything else.
    Status prepare();

    StatusOr<domain::SeriesAnswer> range(const domain::SeriesRequest& request);
    StatusOr<domain::InstantAnswer> at(const domain::InstantRequest& request);

private:
    struct Lane {
        domain::SeriesKind kind;
        uint32_t metric;
        uint32_t lane;
    };
    using Points = std::vector<domain::SeriesPoint>;

    SeriesLevel levelFor(int64_t from, int64_t to) const;
    Status collect(SeriesLevel level, const Lane& lane, int64_t from, int64_t to, Points& points);
    Status collectFresh(const Lane& lane, int64_t from, int64_t to, Points& points);
    void appendBlock(std::string_view data, const Lane& lane, int64_t from, int64_t to,
                     Points& points);
    /// Values of the level at that moment; false if it has no block there.
    StatusOr<bool> instant(SeriesLevel level, const domain::InstantRequest& request,
                           int64_t seconds, std::vector<float>& values);
    StatusOr<int64_t> firstStart(const Lane& lane);

    Database m_database;
    Statement m_one;    ///< one block by its place
    Statement m_fresh;  ///< fresh blocks of one group in an hour
    Statement m_all;    ///< all groups at one start
    Statement m_allFresh;
    const SubjectBook& m_book;
    const SeriesBuffer& m_buffer;
    const Clock& m_clock;
    const SeriesRetention m_retention;
    uint32_t m_damaged = 0;  ///< blocks of the present request
};

/// One point a step: what lies within it is merged, the extremes kept. Steps without a point stay
/// out, so that gaps stay gaps.
std::vector<domain::SeriesPoint> thin(std::vector<domain::SeriesPoint> points,
                                      std::chrono::seconds step);

}  // namespace yard::store
