#include "app/daemon/signals.h"

#include <sys/prctl.h>
#include <systemd/sd-daemon.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "backend/base/log.h"
#include "backend/base/memory.h"

namespace yard::daemon {
namespace {

constexpr uint64_t kTurn = 10'000'000;  // µs

sigset_t endingSignals()
{
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGTERM, SIGINT, SIGHUP})
        sigaddset(&signals, number);
    return signals;
}

timespec toTimespec(uint64_t microseconds)
{
    return {time_t(microseconds / 1'000'000), long(microseconds % 1'000'000) * 1000};
}

}  // namespace

void blockEndingSignals()
{
    const sigset_t signals = endingSignals();
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

int waitForEnd(const std::function<bool()>& isAlive)
{
    sd_notify(0, "READY=1\nSTATUS=Serving.");
    uint64_t watchdog = 0;
    const bool watched = sd_watchdog_enabled(0, &watchdog) > 0;
    const timespec turn = toTimespec(watched ? std::min(watchdog / 2, kTurn) : kTurn);
    const sigset_t signals = endingSignals();
    for (;;) {
        const int number = sigtimedwait(&signals, nullptr, &turn);
        if (number == SIGHUP) {
            log::info(
                "SIGHUP changes nothing: restart yardmasterd to read its configuration again.");
        } else if (number > 0) {
            sd_notify(0, "STOPPING=1\nSTATUS=Stopping.");
            return number;
        } else if (errno == EAGAIN) {
            // Full updates and whole lists are large and gone at once.
            returnFreeMemory();
            if (watched && isAlive())
                sd_notify(0, "WATCHDOG=1");
            else if (watched)
                log::error("The core loop does not take its turns; the watchdog is not answered.");
        }
    }
}

bool endWithParent(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    return getppid() == parent;
}

}  // namespace yard::daemon
