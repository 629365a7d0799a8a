#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/action.h"
#include "backend/scheduler/scheduler.h"
#include "backend/scheduler/slurm/queue_reader.h"
#include "backend/scheduler/slurm/slurm_commands.h"
#include "backend/scheduler/slurm/slurm_settings.h"

namespace yard::scheduler::slurm {

/// Carries one action out. Job actions look the jobs up first: Slurm requeues the known ones of a
/// list before it refuses an unknown one, and scancel says nothing at all.
///
/// Thread: the scheduler worker.
class SlurmActions {
public:
    SlurmActions(SlurmCommands& commands, const SlurmSettings& settings, Deadline deadline);

    StatusOr<Receipt> execute(const domain::Action& action, std::string_view operationId);

private:
    using Commands = std::vector<std::vector<std::string>>;

    StatusOr<std::vector<QueueRecord>> lookUp(const domain::Action& action);
    Status lookUpNodes(const std::vector<std::string>& names);
    StatusOr<Receipt> runAll(const Commands& commands);
    StatusOr<Receipt> requeueElsewhere(const domain::Action& action,
                                       const std::vector<QueueRecord>& jobs,
                                       std::string_view operationId);
    StatusOr<Receipt> cancel(const domain::Action& action, const std::vector<QueueRecord>& jobs);
    StatusOr<Receipt> submit(const domain::Action& action, std::string_view operationId);
    StatusOr<Receipt> resubmit(const domain::Action& action, const QueueRecord& original,
                               std::string_view operationId);
    Status replace(const std::string& original, const std::string& copy);
    StatusOr<std::string> environmentOf(const QueueRecord& job, std::string& note);
    Status untilAccepted(const std::vector<std::string>& command);

    SlurmCommands& m_commands;
    const SlurmSettings& m_settings;
    const Deadline m_deadline;
};

}  // namespace yard::scheduler::slurm
