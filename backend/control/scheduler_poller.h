#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include "backend/base/clock.h"
#include "backend/base/task_loop.h"
#include "backend/control/call_rate.h"
#include "backend/scheduler/scheduler.h"

namespace yard::control {

struct PollerOptions {
    std::chrono::milliseconds interval{2000};
    std::chrono::milliseconds afterAction{
        1000};  ///< for half a minute after an action, and while watched
    std::chrono::milliseconds callTimeout{12000};
    std::chrono::milliseconds longestInterval{120000};  ///< while replies are slow
    std::chrono::milliseconds longestRetry{15000};  ///< while there is none: a ping costs little
};

/// The only caller of the scheduler. Looks at it for everybody at one pace, carries out actions in
/// order between two looks, and looks right after one. It slows down when replies get slow or fail,
/// or the core is behind, and comes back by itself: at most one view waits for the core.
///
/// Thread: any; the callbacks run on the core loop.
class SchedulerPoller {
public:
    struct Listener {
        std::function<void(domain::SchedulerView)> view;
        std::function<void(domain::SchedulerHealth)> health;
        std::function<void(std::vector<domain::Right>)> rights;
    };

    SchedulerPoller(scheduler::Scheduler& scheduler, const Clock& clock, TaskLoop& core,
                    PollerOptions options, Listener listener);
    ~SchedulerPoller();

    void start();
    /// Waits for the call under way; nothing is called or reported afterwards.
    void stop();
    void pollSoon();
    /// Something is on its way that somebody waits to see, such as nodes that still drain.
    void watchClosely(bool closely) { m_watched = closely; }

    using Done = std::function<void(StatusOr<scheduler::Receipt>)>;
    /// Carried out in order of asking; then a look follows. `done` runs on the core loop before the
    /// view of that look is reported. False: too much waits or it has stopped, and nothing happens.
    bool execute(domain::Action action, std::string mark, Done done);

    static constexpr int kReplyShare = 10;
    /// How long to wait after a reply: `share` times its length at least. After failures: doubled
    /// each time, up to the longest retry.
    static std::chrono::milliseconds pause(const PollerOptions& options,
                                           std::chrono::milliseconds base,
                                           std::chrono::milliseconds reply, int failures,
                                           int share = kReplyShare);

private:
    void poll();
    void handOver(domain::SchedulerView view);
    bool isViewWaiting();
    void scheduleNext();
    void readRights();
    void report(const Status& status, std::chrono::milliseconds reply);

    scheduler::Scheduler& m_scheduler;
    const Clock& m_clock;
    TaskLoop& m_core;
    const PollerOptions m_options;
    const Listener m_listener;

    std::atomic<bool> m_stopped = false;
    std::atomic<bool> m_watched = false;
    uint64_t m_turn = 0;  ///< timers of an older turn do nothing
    int m_failures = 0;
    bool m_rightsKnown = false;
    std::chrono::milliseconds m_lastReply{0};
    std::chrono::steady_clock::time_point m_lastAction{};
    CallRate m_calls;
    domain::SchedulerHealth m_health;
    std::mutex m_viewMutex;
    std::optional<domain::SchedulerView> m_view;  ///< waits for the core
    uint64_t m_viewNumber = 0;
    TaskLoop m_worker;  ///< last: ends before what its tasks use
};

}  // namespace yard::control
