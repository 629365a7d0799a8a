#pragma once

#include <csignal>
#include <functional>

namespace yard::daemon {

/// Blocks the signals that end us in this thread and in all it starts. Call before anything else
/// starts a thread: gRPC's would take them otherwise.
void blockEndingSignals();

/// Tells systemd that we are ready, answers its watchdog while `isAlive` says so, gives free memory
/// back now and then, and returns the number of the signal that ends us.
int waitForEnd(const std::function<bool()>& isAlive);

/// Ends us with SIGTERM when the process that started us ends. False if it has ended already.
bool endWithParent(pid_t parent);

}  // namespace yard::daemon
