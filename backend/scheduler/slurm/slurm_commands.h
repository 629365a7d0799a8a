#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "backend/base/process.h"
#include "backend/scheduler/slurm/slurm_options.h"

namespace yard::scheduler::slurm {

/// The one place that runs the site's Slurm commands: where they are, in which environment, for how
/// long, and how often.
///
/// Thread: argumentsFor() and callsMade() from any; the rest one call at a time.
class SlurmCommands {
public:
    using Arguments = std::vector<std::string>;

    explicit SlurmCommands(SlurmOptions options);

    const SlurmOptions& options() const { return m_options; }

    /// Exactly what is run for `command`: with the prefix, and the folder before the program.
    Arguments argumentsFor(Arguments command) const;

    /// Runs a command whatever its exit code. UNAVAILABLE if the program is not there.
    StatusOr<ProcessResult> run(const Arguments& command, Deadline deadline,
                                const std::string& input = {});

    /// Standard output; any exit code but zero is an error with Slurm's words.
    StatusOr<std::string> read(const Arguments& command, Deadline deadline);

    /// As read(), for a call that changes something: what it said, trimmed.
    StatusOr<std::string> act(const Arguments& command, Deadline deadline,
                              const std::string& input = {});

    /// OK if a slurmctld answers. UNAVAILABLE says so within milliseconds where every other command
    /// takes nine seconds; DEADLINE_EXCEEDED if it hangs.
    Status ping(Deadline deadline);

    uint64_t callsMade() const { return m_callsMade; }
    /// Of all calls together: what they cost, in waiting.
    double secondsSpent() const { return double(m_microseconds) / 1e6; }

private:
    const SlurmOptions m_options;
    std::atomic<uint64_t> m_callsMade{0};
    std::atomic<int64_t> m_microseconds{0};
};

}  // namespace yard::scheduler::slurm
