#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/domain/health.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// A source and its pace.
struct ScheduledSource {
    std::unique_ptr<TelemetrySource> source;
    std::chrono::milliseconds interval{5000};
    std::chrono::milliseconds timeout{4000};  ///< of one read; made smaller than the interval
};

/// What the loop has had to give up.
struct ScrapeCounters {
    uint64_t scrapes = 0;
    uint64_t overruns = 0;         ///< turns skipped because the last read had not ended
    uint64_t droppedReadings = 0;  ///< results replaced by newer ones before they were taken
};

/// Reads every source at its own pace: spread over the interval by the target's name, never two
/// reads of one target at a time, dead targets never in the way of healthy ones.
///
/// Results wait in one slot per target. A newer result replaces older readings, which are counted;
/// faults are never dropped: a target whose faults wait is not read until they are taken.
///
/// Thread: any. `deliver` runs on a thread of the loop, one call at a time, and may block.
class ScrapeLoop {
public:
    using Deliver = std::function<void(domain::TargetHealth, StatusOr<Scrape>)>;

    /// `clock` stamps health; pace is that of the steady clock.
    ScrapeLoop(std::vector<ScheduledSource> sources, const Clock& clock, Deliver deliver);
    /// Stops within a second, unless `deliver` does not return.
    ~ScrapeLoop();
    ScrapeLoop(const ScrapeLoop&) = delete;
    ScrapeLoop& operator=(const ScrapeLoop&) = delete;

    ScrapeCounters counters() const;

private:
    class Engine;
    std::unique_ptr<Engine> m_engine;
};

/// Where in its interval a target is read; the same in every run.
std::chrono::milliseconds scrapeOffset(std::string_view target, std::chrono::milliseconds interval);

}  // namespace yard::telemetry
