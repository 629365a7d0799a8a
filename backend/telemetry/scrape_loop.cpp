#include "backend/telemetry/scrape_loop.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>

#include "backend/telemetry/sources/http_fetch.h"

namespace yard::telemetry {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Sources that cannot be waited for together each hold one of these while they read.
constexpr size_t kBlockingThreads = 4;

size_t readerThreads()
{
    return std::clamp<size_t>(std::thread::hardware_concurrency() / 2, 1, 4);
}

struct Result {
    domain::TargetHealth health;
    StatusOr<Scrape> scrape;
};

struct Target {
    ScheduledSource scheduled;
    domain::TargetHealth health;
    milliseconds offset{0};
    bool busy = false;              ///< a read runs or its answer waits to be read
    std::optional<Result> waiting;  ///< not yet taken by deliver
};

struct Turn {
    Steady::time_point at;
    size_t target;
    bool operator>(const Turn& other) const { return at > other.at; }
};

struct Answer {
    size_t target;
    Steady::time_point started;
    StatusOr<HttpReply> reply;
};

struct Call {
    size_t target;
    Steady::time_point started;
    Deadline deadline;
};

bool holdsFaults(const std::optional<Result>& result)
{
    return result && result->scrape.ok() && !result->scrape->faults.empty();
}

bool holdsReadings(const std::optional<Result>& result)
{
    return result && result->scrape.ok() && !result->scrape->hosts.empty();
}

}  // namespace

milliseconds scrapeOffset(std::string_view target, milliseconds interval)
{
    // FNV-1a: the same on every machine and in every release, which std::hash does not promise.
    uint64_t hash = 14695981039346656037ull;
    for (const char c : target)
        hash = (hash ^ uint8_t(c)) * 1099511628211ull;
    hash ^= hash >> 32;
    const auto size = uint64_t(std::max<milliseconds::rep>(1, interval.count()));
    return milliseconds(hash % size);
}

class ScrapeLoop::Engine {
public:
    Engine(std::vector<ScheduledSource> sources, const yard::Clock& clock, Deliver deliver);
    ~Engine();
    ScrapeCounters counters() const;

private:
    void adopt(ScheduledSource scheduled, Steady::time_point start);
    void runSchedule();
    void runReader();
    void runBlocking();
    void runDelivery();
    void begin(size_t index);
    void fetch(size_t index, HttpRequest request, const Call& call);
    void publish(size_t index, Steady::time_point started, StatusOr<Scrape> scrape);

    const yard::Clock& m_clock;
    const Deliver m_deliver;

    mutable std::mutex m_mutex;
    std::condition_variable m_scheduleWake;
    std::condition_variable m_answerWake;
    std::condition_variable m_callWake;
    std::condition_variable m_resultWake;
    bool m_stopping = false;
    std::vector<Target> m_targets;  ///< never resized after construction
    std::priority_queue<Turn, std::vector<Turn>, std::greater<>> m_turns;
    std::deque<Answer> m_answers;  ///< at most one per target, as the queues below
    std::deque<Call> m_calls;
    std::deque<size_t> m_ready;
    ScrapeCounters m_counters;

    std::unique_ptr<HttpFetcher> m_fetcher;
    std::vector<std::thread> m_threads;
};

ScrapeLoop::Engine::Engine(std::vector<ScheduledSource> sources, const yard::Clock& clock,
                           Deliver deliver)
    : m_clock(clock)
    , m_deliver(std::move(deliver))
    , m_fetcher(std::make_unique<HttpFetcher>())
{
    const auto start = Steady::now();
    m_targets.reserve(sources.size());
    for (ScheduledSource& scheduled : sources)
        adopt(std::move(scheduled), start);
    const auto blocking =
        size_t(std::count_if(m_targets.begin(), m_targets.end(),
                             [](auto& target) { return !target.scheduled.source->request(); }));
    m_threads.emplace_back([this] { runSchedule(); });
    m_threads.emplace_back([this] { runDelivery(); });
    for (size_t i = 0; i < readerThreads(); ++i)
        m_threads.emplace_back([this] { runReader(); });
    for (size_t i = 0; i < std::min(blocking, kBlockingThreads); ++i)
        m_threads.emplace_back([this] { runBlocking(); });
}

ScrapeLoop::Engine::~Engine()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_scheduleWake.notify_all();
    m_answerWake.notify_all();
    m_callWake.notify_all();
    m_resultWake.notify_all();
    m_threads.front().join();  // the schedule: nobody starts a GET after it
    m_fetcher.reset();
    for (size_t i = 1; i < m_threads.size(); ++i)
        m_threads[i].join();
}

void ScrapeLoop::Engine::adopt(ScheduledSource scheduled, Steady::time_point start)
{
    scheduled.interval = std::max(scheduled.interval, milliseconds(10));
    // A read that lasts as long as the interval would always push out the next one.
    scheduled.timeout = std::clamp(scheduled.timeout, milliseconds(5), scheduled.interval * 9 / 10);
    Target target{.scheduled = std::move(scheduled), .health = {}, .waiting = {}};
    const TelemetrySource& source = *target.scheduled.source;
    target.health.target = source.target();
    target.health.kind = source.kind();
    target.health.host = source.host();
    target.offset = scrapeOffset(source.target(), target.scheduled.interval);
    m_turns.push({start + target.offset, m_targets.size()});
    m_targets.push_back(std::move(target));
}

ScrapeCounters ScrapeLoop::Engine::counters() const
{
    const std::lock_guard lock(m_mutex);
    return m_counters;
}

void ScrapeLoop::Engine::runSchedule()
{
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        if (m_turns.empty()) {
            m_scheduleWake.wait(lock);
            continue;
        }
        const Turn turn = m_turns.top();
        const auto now = Steady::now();
        if (turn.at > now) {
            m_scheduleWake.wait_until(lock, turn.at);
            continue;
        }
        m_turns.pop();
        Target& target = m_targets[turn.target];
        // After a sleep of the machine the turns that were missed are not made up for.
        const auto missed = (now - turn.at) / target.scheduled.interval;
        m_counters.overruns += uint64_t(missed);
        m_turns.push({turn.at + target.scheduled.interval * (missed + 1), turn.target});
        if (target.busy || holdsFaults(target.waiting)) {
            ++m_counters.overruns;
            continue;
        }
        target.busy = true;
        ++m_counters.scrapes;
        lock.unlock();
        begin(turn.target);
        lock.lock();
    }
}

void ScrapeLoop::Engine::begin(size_t index)
{
    const ScheduledSource& scheduled = m_targets[index].scheduled;
    const Call call{index, Steady::now(), Deadline::in(scheduled.timeout)};
    if (auto request = scheduled.source->request()) {
        fetch(index, *std::move(request), call);
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        m_calls.push_back(call);
    }
    m_callWake.notify_one();
}

void ScrapeLoop::Engine::fetch(size_t index, HttpRequest request, const Call& call)
{
    m_fetcher->get(std::move(request), call.deadline,
                   [this, index, started = call.started](StatusOr<HttpReply> reply) {
                       {
                           const std::lock_guard lock(m_mutex);
                           m_answers.push_back({index, started, std::move(reply)});
                       }
                       m_answerWake.notify_one();
                   });
}

void ScrapeLoop::Engine::runReader()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_answerWake.wait(lock, [this] { return m_stopping || !m_answers.empty(); });
        if (m_stopping)
            return;
        Answer answer = std::move(m_answers.front());
        m_answers.pop_front();
        lock.unlock();
        TelemetrySource& source = *m_targets[answer.target].scheduled.source;
        publish(answer.target, answer.started,
                answer.reply.ok() ? source.read(*answer.reply)
                                  : StatusOr<Scrape>(answer.reply.status()));
        lock.lock();
    }
}

void ScrapeLoop::Engine::runBlocking()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_callWake.wait(lock, [this] { return m_stopping || !m_calls.empty(); });
        if (m_stopping)
            return;
        const Call call = m_calls.front();
        m_calls.pop_front();
        lock.unlock();
        TelemetrySource& source = *m_targets[call.target].scheduled.source;
        StatusOr<Scrape> scrape =
            call.deadline.passed()
                ? absl::DeadlineExceededError(
                      absl::StrCat(std::string(source.target()),
                                   " was not read: the reads before it took all of its time."))
                : source.scrape(call.deadline);
        publish(call.target, call.started, std::move(scrape));
        lock.lock();
    }
}

void ScrapeLoop::Engine::publish(size_t index, Steady::time_point started, StatusOr<Scrape> scrape)
{
    const Time now = m_clock.now();
    const std::lock_guard lock(m_mutex);
    Target& target = m_targets[index];
    domain::TargetHealth& health = target.health;
    health.kind = target.scheduled.source->kind();
    health.seconds = std::chrono::duration<float>(Steady::now() - started).count();
    health.up = scrape.ok();
    health.error = scrape.ok() ? std::string() : std::string(scrape.status().message());
    if (scrape.ok()) {
        health.lastSuccess = now;
        health.samples = scrape->samples;
        health.badLines += scrape->badLines;
        if (!scrape->firstBadLine.empty())
            health.firstBadLine = scrape->firstBadLine;
    }
    if (holdsReadings(target.waiting))
        ++m_counters.droppedReadings;
    if (!target.waiting)
        m_ready.push_back(index);
    target.waiting.emplace(Result{health, std::move(scrape)});
    target.busy = false;
    m_resultWake.notify_one();
}

void ScrapeLoop::Engine::runDelivery()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_resultWake.wait(lock, [this] { return m_stopping || !m_ready.empty(); });
        if (m_stopping)
            return;
        Result result = *std::exchange(m_targets[m_ready.front()].waiting, std::nullopt);
        m_ready.pop_front();
        lock.unlock();
        m_deliver(std::move(result.health), std::move(result.scrape));
        lock.lock();
    }
}

ScrapeLoop::ScrapeLoop(std::vector<ScheduledSource> sources, const Clock& clock, Deliver deliver)
    : m_engine(std::make_unique<Engine>(std::move(sources), clock, std::move(deliver)))
{
}

ScrapeLoop::~ScrapeLoop() = default;

ScrapeCounters ScrapeLoop::counters() const
{
    return m_engine->counters();
}

}  // namespace yard::telemetry
