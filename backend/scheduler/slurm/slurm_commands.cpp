#include "backend/scheduler/slurm/slurm_commands.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "backend/scheduler/slurm/slurm_errors.h"

namespace yard::scheduler::slurm {
namespace {

using Steady = std::chrono::steady_clock;

// A "down" that took longer than this is a slurmctld that took the call and said nothing.
constexpr std::chrono::seconds kRefusedAtOnce{4};

}  // namespace

SlurmCommands::SlurmCommands(SlurmOptions options)
    : m_options(std::move(options))
{
}

SlurmCommands::Arguments SlurmCommands::argumentsFor(Arguments command) const
{
    Arguments all = m_options.commandPrefix;
    if (!m_options.binDirectory.empty() && !command.empty())
        command.front() = m_options.binDirectory + "/" + command.front();
    std::move(command.begin(), command.end(), std::back_inserter(all));
    return all;
}

StatusOr<ProcessResult> SlurmCommands::run(const Arguments& command, Deadline deadline,
                                           const std::string& input)
{
    ProcessRequest request{
        .arguments = argumentsFor(command), .environment = {{"LC_ALL", "C"}}, .input = input};
    if (!m_options.configFile.empty())
        request.environment["SLURM_CONF"] = m_options.configFile;
    if (command.front() != "sbatch") {  // whose SLURM_* would reach the job
        request.environment["SLURM_TIME_FORMAT"] = "%s";
        request.environment["SLURM_BITSTR_LEN"] = "0";
        // Else waiting tasks that are held and tasks that are not are printed as one record.
        request.environment["SQUEUE_ARRAY_UNIQUE"] = "1";
    }
    ++m_callsMade;
    const auto start = Steady::now();
    auto result =
        runProcess(request, Deadline::in(std::min(m_options.commandTimeout, deadline.left())));
    m_microseconds +=
        std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - start).count();
    if (result.status().code() == absl::StatusCode::kNotFound)
        return absl::UnavailableError(std::string(result.status().message()) +
                                      " Slurm's commands must be installed beside the daemon.");
    return result;
}

StatusOr<std::string> SlurmCommands::read(const Arguments& command, Deadline deadline)
{
    auto result = run(command, deadline);
    if (!result.ok())
        return result.status();
    if (result->exitCode != 0)
        return refusalFrom(command.front() + ": " + wordsOf(*result));
    return std::move(result->output);
}

StatusOr<std::string> SlurmCommands::act(const Arguments& command, Deadline deadline,
                                         const std::string& input)
{
    const auto result = run(command, deadline, input);
    if (!result.ok())
        return result.status();
    const std::string words = wordsOf(*result);
    if (result->exitCode == 0)
        return words;
    return refusalFrom(words.empty() ? command.front() + " ended with exit code " +
                                           std::to_string(result->exitCode) + " and no word."
                                     : words);
}

Status SlurmCommands::ping(Deadline deadline)
{
    const auto start = Steady::now();
    const auto result = run({"scontrol", "ping"}, deadline);
    if (result.status().code() == absl::StatusCode::kDeadlineExceeded)
        return absl::DeadlineExceededError(
            "slurmctld does not answer: scontrol ping got no reply "
            "in time.");
    if (!result.ok())
        return result.status();
    // With a backup controller there is a line for each; one that is up is enough.
    if (result->output.find(" is UP") != std::string::npos)
        return absl::OkStatus();
    const std::string words = wordsOf(*result);
    if (Steady::now() - start >= kRefusedAtOnce)
        return absl::DeadlineExceededError("slurmctld does not answer: " + words);
    return absl::UnavailableError("slurmctld cannot be reached: " + words);
}

}  // namespace yard::scheduler::slurm
