#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend/analytics/characterize.h"
#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/base/task_loop.h"

namespace yard::control {

/// Where the GPU time goes: the characterization of the jobs that the journal has seen, and of
/// those that were imported beside it.
///
/// Thread: any. The work runs on a thread of its own, one at a time; few may wait. Answers come on
/// that thread and must only hand over.
class Characterizer {
public:
    struct Sources {
        std::string journal;  ///< path; empty: there is none to read
        std::string archive;  ///< jobs.db of `yardctl import`; may not exist
        std::string cluster;  ///< whose jobs of the archive are ours
    };
    struct Span {
        Time from{};  ///< jobs submitted at or after
        Time to{};    ///< … and before; also the moment as of which their states are told
    };
    struct Result {
        analytics::Characterization characterization;
        size_t rules = 0;                ///< that give the jobs their types
        Time knownFrom{};                ///< since when the daemon has looked; 0: never
        uint64_t imported = 0;           ///< jobs that only the archive has
        std::vector<std::string> notes;  ///< what the figures leave out, a sentence each
    };
    using Answer = std::function<void(StatusOr<Result>)>;

    /// More jobs than these are not looked at: the newest are.
    static constexpr size_t kMostJobs = 2'000'000;

    explicit Characterizer(Sources sources, size_t mostJobs = kMostJobs);

    /// RESOURCE_EXHAUSTED if too many wait already.
    void characterize(Span span, Answer answer);

private:
    StatusOr<Result> study(const Span& span) const;

    const Sources m_sources;
    const size_t m_mostJobs;
    TaskLoop m_worker;
};

}  // namespace yard::control
