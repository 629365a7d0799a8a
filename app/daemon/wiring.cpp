#include "app/daemon/wiring.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <future>

#include "app/daemon/version.h"
#include "backend/base/log.h"
#include "backend/scheduler/simulated/simulated_scheduler.h"
#include "backend/scheduler/slurm/slurm_scheduler.h"
#include "backend/store/journal.h"
#include "backend/store/series/series_keeper.h"
#include "backend/telemetry/simulated_source.h"

namespace yard::daemon {
namespace {

constexpr auto kGrace = std::chrono::milliseconds(500);
constexpr auto kCountersEvery = std::chrono::seconds(5);

/// A directory of the daemon's own; a demo's is made for it and goes away with it.
class StateDirectory {
public:
    static StatusOr<std::unique_ptr<StateDirectory>> open(const std::string& path);
    ~StateDirectory();
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
    bool m_temporary = false;
    int m_lock = -1;
};

StatusOr<std::unique_ptr<StateDirectory>> StateDirectory::open(const std::string& path)
{
    auto directory = std::make_unique<StateDirectory>();
    std::error_code error;
    if (path.empty()) {
        std::string name =
            (std::filesystem::temp_directory_path(error) / "yardmaster-XXXXXX").string();
        if (!mkdtemp(name.data()))
            return absl::UnavailableError(
                fmt::format("No temporary directory can be made as {}: {}", name, strerror(errno)));
        directory->m_path = name;
        directory->m_temporary = true;
        return directory;
    }
    const bool isNew = std::filesystem::create_directories(path, error);
    if (error || access(path.c_str(), W_OK | X_OK) != 0)
        return absl::UnavailableError(fmt::format(
            "The state directory {} cannot be written: {}. Make it for this user, or name "
            "another one with --state-dir.",
            path, error ? error.message() : strerror(errno)));
    if (isNew)
        chmod(path.c_str(), 0750);  // what was there keeps its owner's choice
    directory->m_path = path;
    // Two daemons on one journal would each take the other's operations for none.
    const std::string lock = path + "/lock";
    directory->m_lock = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
    if (directory->m_lock < 0)
        return absl::UnavailableError(
            fmt::format("{} cannot be opened: {}", lock, strerror(errno)));
    if (flock(directory->m_lock, LOCK_EX | LOCK_NB) != 0)
        return absl::FailedPreconditionError(fmt::format(
            "Another yardmasterd uses the state directory {}. Stop it first, or name another "
            "directory with --state-dir.",
            path));
    return directory;
}

StateDirectory::~StateDirectory()
{
    if (m_lock >= 0)
        ::close(m_lock);
    std::error_code ignored;
    if (m_temporary)
        std::filesystem::remove_all(m_path, ignored);
}

// A source that is read once a minute by intent has no stale readings in between.
std::chrono::milliseconds slowestReading(const Config& config)
{
    std::chrono::milliseconds slowest(int64_t(config.desk.readingIntervalSeconds * 1000));
    for (const telemetry::SourceConfig& source : config.sources)
        slowest = std::max(slowest, source.interval);
    return slowest;
}

}  // namespace

struct Daemon::Parts {
    Parts(const Config& config, const Clock& clock)
        : config(config)
        , clock(clock)
    {
    }
    ~Parts();

    Status open();
    Status makeSources(std::vector<telemetry::ScheduledSource>& sources);
    void makeScheduler();
    void shareCounters();

    const Config config;
    const Clock& clock;
    std::unique_ptr<StateDirectory> state;
    std::unique_ptr<store::Journal> journal;
    std::unique_ptr<store::SeriesKeeper> history;
    std::shared_ptr<scheduler::SimulatedCluster> cluster;
    std::unique_ptr<scheduler::Scheduler> scheduler;
    std::unique_ptr<control::Desk> desk;
    std::unique_ptr<control::Past> past;
    std::unique_ptr<telemetry::ScrapeLoop> scrapeLoop;
    std::unique_ptr<rpc::Server> server;
    /// Last, so that it ends first.
    std::unique_ptr<TaskLoop> housekeeping;
};

Status Daemon::Parts::open()
{
    auto directory = StateDirectory::open(config.stateDirectory);
    if (!directory.ok())
        return directory.status();
    state = *std::move(directory);
    auto opened = store::Journal::open(state->path() + "/journal.db");
    if (!opened.ok())
        return opened.status();
    journal = *std::move(opened);
    makeScheduler();

    control::DeskOptions options = config.desk;
    options.version = kVersion;
    options.keepReadingsFor = 3 * slowestReading(config);
    // Jobs that are made up write no logs, and their paths may be somebody's real files.
    options.incidents.readLogs = options.incidents.readLogs && !config.simulated;
    std::erase_if(options.incidents.logs.rulePaths, [](const std::string& path) {
        std::error_code error;
        return !std::filesystem::exists(path, error);
    });
    desk = std::make_unique<control::Desk>(*scheduler, *journal, clock, options);
    if (config.history.enabled) {
        history = std::make_unique<store::SeriesKeeper>(state->path() + "/series.db", clock,
                                                        config.history.keep);
        desk->record(*history);
    }
    past = std::make_unique<control::Past>(
        *journal, history.get(),
        control::Past::About{options.cluster, options.timeZone, options.demo,
                             options.readingIntervalSeconds, state->path() + "/journal.db",
                             state->path() + "/jobs.db"});
    auto serving = rpc::Server::start(config.server, desk->hub(), desk->operations(),
                                      desk->incidents(), *past, clock);
    if (!serving.ok())
        return serving.status();
    server = *std::move(serving);
    desk->start();

    std::vector<telemetry::ScheduledSource> sources;
    YARD_RETURN_IF_ERROR(makeSources(sources));
    scrapeLoop = std::make_unique<telemetry::ScrapeLoop>(
        std::move(sources), clock,
        [this](domain::TargetHealth target, StatusOr<telemetry::Scrape> scrape) {
            desk->scraped(std::move(target), std::move(scrape));
        });
    housekeeping = std::make_unique<TaskLoop>();
    shareCounters();
    return absl::OkStatus();
}

void Daemon::Parts::makeScheduler()
{
    if (config.simulated) {
        cluster = std::make_shared<scheduler::SimulatedCluster>(config.simulation, clock);
        scheduler = std::make_unique<scheduler::SimulatedScheduler>(cluster);
    } else {
        scheduler = std::make_unique<scheduler::SlurmScheduler>(config.slurm, clock);
    }
}

Status Daemon::Parts::makeSources(std::vector<telemetry::ScheduledSource>& sources)
{
    auto configured = telemetry::allSources(config.sources, clock);
    if (!configured.ok())
        return configured.status();
    sources = *std::move(configured);
    if (!cluster)
        return absl::OkStatus();
    const auto interval =
        std::chrono::milliseconds(int64_t(config.desk.readingIntervalSeconds * 1000));
    sources.push_back({std::make_unique<telemetry::SimulatedSource>(
                           [from = cluster] { return from->readings(); },
                           [from = cluster](Time since) { return from->faultsSince(since); }),
                       interval, interval * 4 / 5});
    return absl::OkStatus();
}

void Daemon::Parts::shareCounters()
{
    desk->setReadingsDropped(scrapeLoop->counters().droppedReadings);
    housekeeping->postAfter(kCountersEvery, [this] { shareCounters(); });
}

// Doors first, so that calls which wait are answered while the desk still lives.
Daemon::Parts::~Parts()
{
    housekeeping.reset();
    if (server)
        server->stop(kGrace);
    scrapeLoop.reset();
    if (desk)
        desk->stop();
    server.reset();
    desk.reset();
    past.reset();
    history.reset();
    scheduler.reset();
    journal.reset();
}

StatusOr<std::unique_ptr<Daemon>> Daemon::start(const Config& config, const Clock& clock)
{
    auto parts = std::make_unique<Parts>(config, clock);
    YARD_RETURN_IF_ERROR(parts->open());
    return std::unique_ptr<Daemon>(new Daemon(std::move(parts)));
}

Daemon::Daemon(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Daemon::~Daemon() = default;

bool Daemon::isAlive()
{
    const auto turn = std::make_shared<std::promise<void>>();
    std::future<void> taken = turn->get_future();
    if (!m_parts->desk->core().post([turn] { turn->set_value(); }))
        return false;
    return taken.wait_for(std::chrono::seconds(1)) == std::future_status::ready;
}

}  // namespace yard::daemon
