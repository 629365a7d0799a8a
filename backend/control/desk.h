#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "backend/base/clock.h"
#include "backend/base/task_loop.h"
#include "backend/control/change_hub.h"
#include "backend/control/incident_desk.h"
#include "backend/control/incident_service.h"
#include "backend/control/operation_service.h"
#include "backend/domain/health.h"
#include "backend/scheduler/scheduler.h"
#include "backend/store/journal.h"
#include "backend/store/series/series_keeper.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::control {

struct DeskOptions {
    std::string cluster;   ///< shown until the scheduler says its name
    std::string timeZone;  ///< IANA name; shown only
    std::string version;   ///< of the daemon
    bool demo = false;
    std::map<std::string, std::string> racks;  ///< node to rack, from configuration
    float readingIntervalSeconds = 10;         ///< the interval that freshness is counted in
    /// A reading older than this is none in the history; zero: three of the above.
    std::chrono::milliseconds keepReadingsFor{0};

    std::chrono::milliseconds pollInterval{2000};
    std::chrono::milliseconds pollAfterAction{1000};  ///< for half a minute after an action, and
                                                      ///< while one of ours is on its way
    std::chrono::milliseconds callTimeout{12000};     ///< above Slurm's own ten seconds

    std::chrono::seconds previewLifetime{600};
    std::chrono::seconds observeWithin{300};  ///< then an open operation says that it is overdue
    std::chrono::seconds settle{15};  ///< a call without an answer may still land for this long
    std::chrono::hours keepEndedJobs{6};
    size_t maxEndedJobs = 5000;
    IncidentOptions incidents;
};

/// The daemon without its doors: core loop, snapshot, hub, scheduler poller and operations, joined.
/// `scheduler`, `journal` and `clock` must outlive it.
///
/// Thread: any, unless a member says otherwise. stop() before destroying whatever calls into it.
class Desk {
public:
    Desk(scheduler::Scheduler& scheduler, store::Journal& journal, const Clock& clock,
         DeskOptions options = {});
    ~Desk();

    /// Readings are kept in `history` from start() on; it must outlive stop().
    void record(store::SeriesKeeper& history);
    /// Checks rights, then polls for ever. Open operations of an earlier life are reconciled with
    /// the first view before anything is sent.
    void start();
    /// Ends polling, waits for what is under way, runs the core loop empty. No delivery afterwards.
    void stop();

    TaskLoop& core();
    ChangeHub& hub();
    OperationService& operations();
    IncidentService& incidents();

    /// For telemetry::ScrapeLoop. Blocks while the core is behind, so that results merge before it.
    void scraped(domain::TargetHealth target, StatusOr<telemetry::Scrape> scrape);
    /// What the scrape loop has dropped since it started.
    void setReadingsDropped(uint64_t count);
    /// Asks for a look at the scheduler now.
    void pollSoon();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

}  // namespace yard::control
