#pragma once

#include <deque>
#include <mutex>

#include "backend/base/task_loop.h"
#include "backend/store/series/series_buffer.h"
#include "backend/store/series/series_store.h"
#include "backend/store/series/subject_book.h"

namespace yard::store {

/// Takes ticks into the buffer, writes full windows, compacts and forgets.
///
/// Thread: any; the work is done on its own.
class SeriesWriter {
public:
    SeriesWriter(Database database, SubjectBook& book, SeriesBuffer& buffer, const Clock& clock,
                 SeriesRetention retention);

    void append(SeriesTick tick);
    void flush(std::function<void(Status)> done);
    void onHealth(std::function<void(SeriesHealth)> changed);
    ~SeriesWriter();

private:
    void take(const SeriesTick& tick);
    Status takeKind(const SeriesTick& tick, domain::SeriesKind kind, int64_t seconds);
    Status writeWindow();
    Status writeBacklog();
    void tidy();
    void report(const Status& status);

    struct Known {
        std::shared_ptr<const std::vector<domain::SeriesSubject>> subjects;
        std::vector<uint32_t> lanes;
    };

    Database m_database;
    SubjectBook& m_book;
    SeriesBuffer& m_buffer;
    const Clock& m_clock;
    const SeriesRetention m_retention;
    std::array<Known, 2> m_known;
    std::deque<PackedBlock> m_backlog;
    size_t m_backlogBytes = 0;
    uint32_t m_ticksInWindow = 0;
    int64_t m_lastTidy = 0;

    std::mutex m_healthMutex;
    SeriesHealth m_health;
    std::function<void(SeriesHealth)> m_changed;
    TaskLoop m_loop{64};  ///< last: ends before what its tasks use
};

}  // namespace yard::store
