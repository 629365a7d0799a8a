#include "backend/control/desk.h"

#include <algorithm>
#include <condition_variable>
#include <future>

#include "backend/base/log.h"
#include "backend/control/cluster_snapshot.h"
#include "backend/control/ingest.h"
#include "backend/control/job_tracker.h"
#include "backend/control/operation_desk.h"
#include "backend/control/scheduler_poller.h"
#include "backend/control/series_recorder.h"
#include "backend/control/trend_recorder.h"

namespace yard::control {
namespace {

constexpr std::chrono::milliseconds kTick{250};
constexpr std::chrono::seconds kProbeJournalEvery{30};
constexpr size_t kMostHostsWaiting = 256;
constexpr std::chrono::hours kShowOperations{24};

// Holds scrape workers back while the core is behind. Counted in hosts: a scrape may hold one of
// them or the whole cluster, which then goes in alone.
class Turnstile {
public:
    void enter(size_t hosts)
    {
        std::unique_lock lock(m_mutex);
        m_change.wait(lock, [&] {
            return m_closed || m_inside == 0 || m_inside + hosts <= kMostHostsWaiting;
        });
        m_inside += hosts;
    }
    void leave(size_t hosts)
    {
        const std::lock_guard lock(m_mutex);
        m_inside -= hosts;
        m_change.notify_all();
    }
    void close()
    {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        m_change.notify_all();
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_change;
    size_t m_inside = 0;
    bool m_closed = false;
};

std::chrono::milliseconds oldestKept(const DeskOptions& options)
{
    if (options.keepReadingsFor.count() > 0)
        return options.keepReadingsFor;
    return std::chrono::milliseconds(int64_t(options.readingIntervalSeconds * 3000));
}

}  // namespace

struct Desk::Parts {
    Parts(scheduler::Scheduler& scheduler, store::Journal& theJournal, const Clock& theClock,
          const DeskOptions& options);

    std::unique_ptr<OperationDesk> makeOperations(const scheduler::Scheduler& scheduler,
                                                  const DeskOptions& options);
    void takeView(domain::SchedulerView view);
    void takeJournalHealth(const store::JournalHealth& health);
    void takeSeriesHealth(const store::SeriesHealth& health);
    void takeAuditVerdict(const Status& verdict);
    void tick();
    void probeJournal();

    store::Journal& journal;
    const Clock& clock;
    std::unique_ptr<TaskLoop> core = std::make_unique<TaskLoop>();
    std::shared_ptr<CoreDoor> door = std::make_shared<CoreDoor>(*core);
    Turnstile turnstile;
    ClusterSnapshot snapshot;
    JobTracker jobs;
    IncidentService incidents;
    Ingest ingest;
    ChangeHub hub;
    TrendRecorder trend;
    store::SeriesKeeper* history = nullptr;
    SeriesRecorder recorder;
    SchedulerPoller poller;
    OperationService operations;
    DaemonHealth health;
    uint64_t statesLost = 0;
    bool loaded = false;  ///< what an earlier life has left is known
    bool stopped = false;
};

Desk::Parts::Parts(scheduler::Scheduler& scheduler, store::Journal& theJournal,
                   const Clock& theClock, const DeskOptions& options)
    : journal(theJournal)
    , clock(theClock)
    , snapshot(theClock, {.cluster = options.cluster,
                          .timeZone = options.timeZone,
                          .demo = options.demo,
                          .readingIntervalSeconds = options.readingIntervalSeconds})
    , jobs(snapshot, {.keepEnded = options.keepEndedJobs, .maxEnded = options.maxEndedJobs})
    , incidents(*core, std::make_unique<IncidentDesk>(IncidentDesk::Context{.door = door,
                                                                            .snapshot = snapshot,
                                                                            .journal = theJournal,
                                                                            .clock = theClock},
                                                      options.incidents))
    , ingest(snapshot, jobs, incidents.state(), theJournal, theClock, options.racks)
    , hub(*core, snapshot)
    , trend(snapshot)
    , recorder(snapshot.readings(), oldestKept(options),
               [this](store::SeriesTick tick) { history->append(std::move(tick)); })
    , poller(scheduler, theClock, *core,
             {.interval = options.pollInterval,
              .afterAction = options.pollAfterAction,
              .callTimeout = options.callTimeout},
             {.view = [this](domain::SchedulerView view) { takeView(std::move(view)); },
              .health =
                  [this](domain::SchedulerHealth found) {
                      snapshot.setScheduler(std::move(found));
                      hub.announce();
                  },
              .rights =
                  [this](std::vector<domain::Right> rights) {
                      snapshot.setRights(std::move(rights));
                  }})
    , operations(*core, makeOperations(scheduler, options))
{
    health.version = options.version;
    snapshot.setDaemon(health);
}

std::unique_ptr<OperationDesk> Desk::Parts::makeOperations(const scheduler::Scheduler& scheduler,
                                                           const DeskOptions& options)
{
    StatusOr<uint64_t> lastId = journal.lastOperationId();
    auto records = journal.loadOperations(clock.now() - kShowOperations);
    if (lastId.ok() && !records.ok())
        lastId = records.status();
    if (!lastId.ok())
        log::error("The journal cannot be read, so no action is taken: " +
                   std::string(lastId.status().message()));
    OperationRunner::Context context{.door = door,
                                     .snapshot = snapshot,
                                     .jobs = jobs,
                                     .poller = poller,
                                     .scheduler = scheduler,
                                     .journal = journal,
                                     .clock = clock,
                                     .announce = [this] { hub.announce(); }};
    auto desk = std::make_unique<OperationDesk>(
        std::move(context),
        OperationRunner::Options{.observeWithin = options.observeWithin, .settle = options.settle},
        options.previewLifetime, std::move(lastId));
    if (records.ok())
        desk->runner().load(std::move(*records));
    return desk;
}

void Desk::Parts::takeView(domain::SchedulerView view)
{
    const bool ourDrains = std::any_of(view.nodes.begin(), view.nodes.end(), [](const auto& node) {
        return markedOperation(node.reason) != 0 &&
               categoryOf(node) == domain::NodeCategory::Draining;
    });
    ingest.takeView(std::move(view));
    auto& runner = operations.state().runner();
    runner.observe();
    poller.watchClosely(ourDrains || runner.hasOpen());
    hub.announce();
}

void Desk::Parts::takeJournalHealth(const store::JournalHealth& found)
{
    if (found.statesLost > statesLost)
        ingest.keepStatesAnew();
    statesLost = found.statesLost;
    health.journalOk = found.ok;
    health.journalError = found.error;
    snapshot.setDaemon(health);
    hub.announce();
}

void Desk::Parts::takeSeriesHealth(const store::SeriesHealth& found)
{
    health.historyError = found.error;
    snapshot.setDaemon(health);
    hub.announce();
}

void Desk::Parts::probeJournal()
{
    if (stopped)
        return;
    journal.probe(clock.now());
    core->postAfter(kProbeJournalEvery, [this] { probeJournal(); });
}

// Actions go on: what they write is linked to what is there, and the break stays where it is.
void Desk::Parts::takeAuditVerdict(const Status& verdict)
{
    if (verdict.ok())
        return;
    if (!absl::IsDataLoss(verdict))
        return log::warning("The audit chain could not be checked: " +
                            std::string(verdict.message()));
    health.auditError = std::string(verdict.message());
    log::error("The journal does not prove what was done before this start. " + health.auditError);
    snapshot.setDaemon(health);
    hub.announce();
}

void Desk::Parts::tick()
{
    if (stopped)
        return;
    trend.tick(clock.now());
    if (history)
        recorder.tick(clock.now());
    ingest.dropOldFaults();
    incidents.state().tick();
    health.clients = uint32_t(hub.clients());
    snapshot.setDaemon(health);
    hub.announce();
    core->postAfter(kTick, [this] { tick(); });
}

Desk::Desk(scheduler::Scheduler& scheduler, store::Journal& journal, const Clock& clock,
           DeskOptions options)
    : m_parts(std::make_unique<Parts>(scheduler, journal, clock, options))
{
}

Desk::~Desk()
{
    stop();
    // The loop ends while everything that its tasks use is still there.
    m_parts->core.reset();
}

void Desk::record(store::SeriesKeeper& history)
{
    m_parts->history = &history;
}

void Desk::start()
{
    if (m_parts->history)
        m_parts->history->onHealth(
            [door = m_parts->door, parts = m_parts.get()](const store::SeriesHealth& health) {
                door->post([parts, health] { parts->takeSeriesHealth(health); });
            });
    m_parts->journal.onHealth(
        [door = m_parts->door, parts = m_parts.get()](const store::JournalHealth& health) {
            door->post([parts, health] { parts->takeJournalHealth(health); });
        });
    m_parts->journal.verifyAudit([door = m_parts->door, parts = m_parts.get()](Status verdict) {
        door->post([parts, verdict] { parts->takeAuditVerdict(verdict); });
    });
    (void)m_parts->core->post([parts = m_parts.get()] {
        parts->probeJournal();
        parts->tick();
    });
    m_parts->poller.start();
}

void Desk::stop()
{
    m_parts->turnstile.close();
    m_parts->poller.stop();
    m_parts->journal.onHealth(nullptr);
    if (m_parts->history)
        m_parts->history->onHealth(nullptr);
    m_parts->door->close();
    std::promise<void> empty;
    if (m_parts->core->post([this, &empty] {
            m_parts->stopped = true;
            m_parts->incidents.state().flush();
            empty.set_value();
        }))
        empty.get_future().wait();
}

TaskLoop& Desk::core()
{
    return *m_parts->core;
}

ChangeHub& Desk::hub()
{
    return m_parts->hub;
}

OperationService& Desk::operations()
{
    return m_parts->operations;
}

IncidentService& Desk::incidents()
{
    return m_parts->incidents;
}

void Desk::scraped(domain::TargetHealth target, StatusOr<telemetry::Scrape> scrape)
{
    Parts* parts = m_parts.get();
    const size_t hosts = std::max<size_t>(1, scrape.ok() ? scrape->hosts.size() : 0);
    parts->turnstile.enter(hosts);
    auto result = std::make_shared<std::pair<domain::TargetHealth, StatusOr<telemetry::Scrape>>>(
        std::move(target), std::move(scrape));
    const bool queued = parts->core->post([parts, result, hosts] {
        parts->ingest.takeScrape(std::move(result->first), std::move(result->second));
        parts->turnstile.leave(hosts);
    });
    if (!queued)
        parts->turnstile.leave(hosts);
}

void Desk::setReadingsDropped(uint64_t count)
{
    (void)m_parts->core->post(
        [parts = m_parts.get(), count] { parts->health.readingsDropped = count; });
}

void Desk::pollSoon()
{
    m_parts->poller.pollSoon();
}

}  // namespace yard::control
