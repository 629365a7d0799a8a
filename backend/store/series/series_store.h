#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/domain/series.h"
#include "backend/store/series/series_levels.h"

namespace yard::store {

/// All readings at one moment. Metrics without a column, and NaN, are no reading.
struct SeriesTick {
    struct Columns {
        std::shared_ptr<const std::vector<domain::SeriesSubject>> subjects;
        std::vector<std::vector<float>> values;  ///< metric × subject
    };
    Time at;
    std::array<Columns, 2> kinds;  ///< by SeriesKind
};

struct SeriesHealth {
    bool ok = true;
    std::string error;       ///< a sentence; empty while ok
    uint64_t lostTicks = 0;  ///< since the start: while the disk was away, or the writer was behind
};

/// Readings kept in one SQLite file of blocks: every 15 seconds for two weeks, then five minutes,
/// then an hour, with their extremes. A crash costs at most the last unflushed window, five minutes
/// or less. While the disk is away the newest windows wait, within a bound; nothing else stops.
///
/// Thread: any.
class SeriesStore final : public domain::SeriesHistory {
public:
    /// FAILED_PRECONDITION, DATA_LOSS, UNAVAILABLE with a sentence; the file is left as it is then.
    static StatusOr<std::unique_ptr<SeriesStore>> open(const std::string& path, const Clock& clock,
                                                       SeriesRetention retention = {});
    /// Writes what is in memory, then closes.
    ~SeriesStore() override;

    /// Two ticks in one step of 15 seconds: the later wins. Never waits.
    void append(SeriesTick tick);
    /// Writes what is in memory now; the answer says whether it is on the disk.
    void flush(std::function<void(Status)> done);
    /// Called whenever it changes. Set it before the first tick; nullptr to stop.
    void onHealth(std::function<void(SeriesHealth)> changed);

    void range(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer) override;
    void at(domain::InstantRequest request, Answer<domain::InstantAnswer> answer) override;

private:
    struct Parts;
    explicit SeriesStore(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

}  // namespace yard::store
