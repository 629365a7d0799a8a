#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "backend/base/task_loop.h"
#include "backend/store/series/series_store.h"

namespace yard::store {

/// A series store that comes back. While its file cannot be opened, ticks are lost and counted,
/// questions are answered with the reason, and opening is tried again every half minute.
///
/// Thread: any. Calls of onHealth come on threads of the store and must only hand over.
class SeriesKeeper final : public domain::SeriesHistory {
public:
    SeriesKeeper(std::string path, const Clock& clock, SeriesRetention retention,
                 std::chrono::milliseconds retryEvery = std::chrono::seconds(30));
    /// Writes what is in memory, then closes.
    ~SeriesKeeper() override;

    void append(SeriesTick tick);
    /// Called at once, and whenever it changes; nullptr to stop.
    void onHealth(std::function<void(SeriesHealth)> changed);

    void range(domain::SeriesRequest request, Answer<domain::SeriesAnswer> answer) override;
    void at(domain::InstantRequest request, Answer<domain::InstantAnswer> answer) override;

private:
    void open();
    void tell(SeriesHealth health);
    std::shared_ptr<SeriesStore> store() const;
    Status whyNot() const;

    const std::string m_path;
    const Clock& m_clock;
    const SeriesRetention m_retention;
    const std::chrono::milliseconds m_retryEvery;
    mutable std::mutex m_mutex;
    std::shared_ptr<SeriesStore> m_store;
    SeriesHealth m_health;
    uint64_t m_lostWhileClosed = 0;
    std::function<void(SeriesHealth)> m_changed;
    TaskLoop m_loop{16};  ///< last: ends before what its tasks use
};

}  // namespace yard::store
