#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "backend/control/reading_board.h"
#include "backend/store/series/series_store.h"

namespace yard::control {

/// Every 15 seconds hands the readings of that moment on to be kept. A reading that its source has
/// not renewed for long is no reading; it stays on the board and in the live view all the same.
///
/// Thread: core loop.
class SeriesRecorder {
public:
    using Keep = std::function<void(store::SeriesTick)>;

    SeriesRecorder(const ReadingBoard& board, std::chrono::milliseconds staleAfter, Keep keep);

    /// Call as often as you like; true if a moment was due.
    bool tick(Time now);

private:
    using Subjects = std::shared_ptr<const std::vector<domain::SeriesSubject>>;
    void learnSubjects();
    void fillGpus(store::SeriesTick::Columns& columns, Time now) const;
    void fillNodes(store::SeriesTick::Columns& columns, Time now) const;

    const ReadingBoard& m_board;
    const std::chrono::milliseconds m_staleAfter;
    const Keep m_keep;
    Time m_last{};
    uint64_t m_identities = 0;
    Subjects m_gpus;
    Subjects m_nodes;
};

}  // namespace yard::control
