#include "backend/control/scheduler_poller.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <memory>

#include "backend/base/log.h"

namespace yard::control {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::chrono::seconds kAttentive{30};  // how long an action makes us look more often
constexpr size_t kMostActions = 4096;
constexpr int kAttentiveShare = 3;

milliseconds since(steady_clock::time_point start)
{
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

std::string neverReadWords(const Status& status, milliseconds longestRetry)
{
    std::string cause(status.message());
    while (cause.ends_with('.') || cause.ends_with('\n'))
        cause.pop_back();
    return fmt::format(
        "The scheduler has not been read since the start, so nothing can be shown or done: {}. See "
        "that it runs and that this machine and account reach it (Slurm: scontrol ping). It is "
        "asked again every {} s at the latest.",
        cause, std::chrono::ceil<std::chrono::seconds>(longestRetry).count());
}

}  // namespace

SchedulerPoller::SchedulerPoller(scheduler::Scheduler& scheduler, const Clock& clock,
                                 TaskLoop& core, PollerOptions options, Listener listener)
    : m_scheduler(scheduler)
    , m_clock(clock)
    , m_core(core)
    , m_options(options)
    , m_listener(std::move(listener))
    , m_worker(kMostActions)
{
    m_health.kind = std::string(scheduler.name());
}

SchedulerPoller::~SchedulerPoller()
{
    stop();
}

void SchedulerPoller::start()
{
    (void)m_worker.post([this] {
        readRights();
        poll();
    });
}

void SchedulerPoller::stop()
{
    m_stopped = true;
    std::promise<void> idle;
    if (m_worker.post([&idle] { idle.set_value(); }))
        idle.get_future().wait();
}

void SchedulerPoller::pollSoon()
{
    if (!m_stopped)
        (void)m_worker.post([this] { poll(); });
}

bool SchedulerPoller::execute(domain::Action action, std::string mark, Done done)
{
    if (m_stopped)
        return false;
    return m_worker.post(
        [this, action = std::move(action), mark = std::move(mark), done = std::move(done)] {
            // Its operation is in the journal: the next life sends it.
            if (m_stopped)
                return;
            auto receipt = std::make_shared<StatusOr<scheduler::Receipt>>(
                m_scheduler.execute(action, mark, Deadline::in(m_options.callTimeout)));
            m_lastAction = steady_clock::now();
            (void)m_core.post([done, receipt] { done(std::move(*receipt)); });
            // A row of actions needs one look at its end, not one after each.
            if (m_worker.waiting() == 0)
                poll();
        });
}

void SchedulerPoller::readRights()
{
    auto rights = m_scheduler.rights(Deadline::in(m_options.callTimeout));
    m_rightsKnown = rights.ok();
    if (!rights.ok())
        return;
    (void)m_core.post(
        [this, rights = std::move(*rights)]() mutable { m_listener.rights(std::move(rights)); });
}

void SchedulerPoller::poll()
{
    if (m_stopped)
        return;
    if (!m_rightsKnown && m_failures == 0 && m_health.up)
        readRights();
    const auto start = steady_clock::now();
    auto view = m_scheduler.poll(Deadline::in(m_options.callTimeout));
    m_lastReply = since(start);
    m_failures = view.ok() ? 0 : m_failures + 1;
    if (view.ok()) {
        m_health.version = view->version;
        m_health.badRecords += uint64_t(view->notes.badRecords);
        if (view->notes.badRecords > 0)
            m_health.firstBadRecord = view->notes.firstBad;
    }
    report(view.status(), m_lastReply);
    if (view.ok())
        handOver(*std::move(view));
    scheduleNext();
}

// A newer view takes the place of one that still waits, but not its turn: what was posted between
// the two comes before it.
void SchedulerPoller::handOver(domain::SchedulerView view)
{
    uint64_t number = 0;
    {
        const std::lock_guard lock(m_viewMutex);
        m_view = std::move(view);
        number = ++m_viewNumber;
    }
    (void)m_core.post([this, number] {
        std::optional<domain::SchedulerView> taken;
        {
            const std::lock_guard lock(m_viewMutex);
            if (number == m_viewNumber)
                taken.swap(m_view);
        }
        if (taken)
            m_listener.view(*std::move(taken));
    });
}

bool SchedulerPoller::isViewWaiting()
{
    const std::lock_guard lock(m_viewMutex);
    return m_view.has_value();
}

void SchedulerPoller::scheduleNext()
{
    const bool attentive = m_watched || steady_clock::now() - m_lastAction < kAttentive;
    const milliseconds base =
        attentive ? std::min(m_options.afterAction, m_options.interval) : m_options.interval;
    const milliseconds wait =
        pause(m_options, base, m_lastReply, m_failures, attentive ? kAttentiveShare : kReplyShare);
    m_worker.postAfter(wait, [this, turn = ++m_turn] {
        if (turn != m_turn)
            return;
        // A look that nobody has time for helps nobody.
        if (isViewWaiting() && !m_stopped)
            scheduleNext();
        else
            poll();
    });
}

milliseconds SchedulerPoller::pause(const PollerOptions& options, milliseconds base,
                                    milliseconds reply, int failures, int share)
{
    if (failures == 0)
        return std::min(std::max(base, reply * share), std::max(options.longestInterval, base));
    milliseconds wait = base;
    for (int i = 1; i < failures && wait < options.longestRetry; ++i)
        wait *= 2;
    return std::min(wait, std::max(options.longestRetry, base));
}

void SchedulerPoller::report(const Status& status, milliseconds reply)
{
    const bool wasNeverRead = m_health.lastSuccess == std::nullopt;
    const bool failedBefore = !m_health.error.empty();
    if (m_health.up && !status.ok())
        log::warning("The scheduler does not answer: " + std::string(status.message()));
    if (wasNeverRead && !failedBefore && !status.ok())
        log::warning(neverReadWords(status, m_options.longestRetry));
    if (!m_health.up && status.ok())
        log::info(wasNeverRead && failedBefore
                      ? "The scheduler answers, and is read for the first time since the start."
                      : "The scheduler answers.");
    m_health.up = status.ok();
    m_health.error = std::string(status.message());
    if (status.ok())
        m_health.lastSuccess = m_clock.now();
    m_health.replySeconds = std::chrono::duration<float>(reply).count();
    const milliseconds wait = pause(m_options, m_options.interval, reply, m_failures);
    m_health.pollSeconds = std::chrono::duration<float>(wait).count();
    m_health.backedOff = wait > m_options.interval;
    m_calls.add(steady_clock::now(), m_scheduler.callsMade());
    m_health.callsPerMinute = m_calls.perMinute();
    (void)m_core.post([this, health = m_health] { m_listener.health(health); });
}

}  // namespace yard::control
