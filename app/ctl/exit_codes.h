#pragma once

namespace yard::ctl {

/// What yardctl says to scripts; printed by --help.
enum ExitCode {
    Done = 0,
    BadUsage = 1,
    CannotConnect = 2,
    BadInput = 3,
    RefusedHere = 4,
    RefusedByScheduler = 5,
    TimedOut = 6,
    NotConfirmed = 7,
};

inline constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 wrong usage, 2 cannot connect to the daemon, 3 bad input, such as a "
    "node or job that the scheduler does not know, or a failed read, 4 refused by Yardmaster, such "
    "as a hold of jobs of which none waits, named one by one or by their array, 5 refused by the "
    "scheduler, 6 timed out waiting for the scheduler to "
    "report it as done, 7 not confirmed.";

}  // namespace yard::ctl
