#pragma once

#include <chrono>
#include <vector>

#include "backend/control/reading_board.h"
#include "backend/domain/fault.h"

namespace yard::control {

/// The faults of the last day, repeats folded, newest last; bounded.
///
/// Thread: core loop.
class FaultBook {
public:
    /// Joins faults to GPUs and takes them in; returns those that are news, for the journal.
    std::vector<domain::Fault> add(std::vector<domain::Fault> faults, const ReadingBoard& board,
                                   Time now);
    /// True if some were too old to keep.
    bool dropOld(Time now);
    const std::vector<domain::Fault>& faults() const { return m_faults; }

private:
    std::vector<domain::Fault> m_faults;
};

}  // namespace yard::control
