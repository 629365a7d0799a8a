#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backend/domain/series.h"
#include "backend/store/series/series_block.h"
#include "backend/store/series/series_levels.h"

namespace yard::store {

/// A block ready for the table.
struct PackedBlock {
    SeriesLevel level = SeriesLevel::FreshRaw;
    int64_t series = 0;
    int64_t startSeconds = 0;
    uint32_t group = 0;
    std::string data;
};

/// The readings of the last minutes, before they go to the disk. The writer fills it, the reader
/// looks into it, so that history reaches up to now.
///
/// Thread: any.
class SeriesBuffer {
public:
    /// Rows of one group over the window.
    struct Piece {
        BlockShape shape;
        std::vector<int32_t> codes;  ///< one row, or one tick of all rows
    };

    /// Ticks that one window holds for so many lanes: fewer for large clusters, so that the buffer
    /// stays within its bound of memory.
    static uint32_t windowTicks(size_t lanes);

    /// True if `tick` (a multiple of kRawStep) lies in the present window.
    bool covers(int64_t tickSeconds) const;
    /// Begins an empty window. Windows end at the next multiple of their length, so that an hour
    /// is cut in the same places every time.
    void begin(int64_t tickSeconds, uint32_t windowTicks);
    /// One value a lane, kNoCode where there is none. Lanes beyond the end make room.
    void put(domain::SeriesKind kind, uint32_t metric, int64_t tickSeconds,
             const std::vector<uint32_t>& lanes, const std::vector<int32_t>& codes);

    /// The blocks of the window; groups without any reading give none.
    std::vector<PackedBlock> pack() const;
    /// One lane over the window.
    Piece row(domain::SeriesKind kind, uint32_t metric, uint32_t lane) const;
    /// All lanes at one tick; empty if the window does not cover it.
    std::vector<int32_t> at(domain::SeriesKind kind, uint32_t metric, int64_t tickSeconds) const;

private:
    using Rows = std::vector<int32_t>;  ///< lane × tick
    size_t tickOf(int64_t tickSeconds) const;

    mutable std::mutex m_mutex;
    int64_t m_start = 0;
    uint32_t m_ticks = 0;
    std::array<std::vector<Rows>, 2> m_rows;  ///< kind, metric
};

}  // namespace yard::store
