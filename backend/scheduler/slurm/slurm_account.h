#pragma once

#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/domain/health.h"
#include "backend/scheduler/slurm/slurm_commands.h"
#include "backend/scheduler/slurm/slurm_settings.h"

namespace yard::scheduler::slurm {

/// The account that our commands run as.
struct SlurmAccount {
    std::string user;
    uint32_t uid = 0;
    enum class Level { Unknown, User, Operator, Administrator } level = Level::Unknown;
    std::string how;  ///< how the level was established, as a sentence
};

StatusOr<SlurmAccount> findAccount(SlurmCommands& commands, const SlurmSettings& settings,
                                   Deadline deadline);

/// One row for each kind of action, from the account alone: nothing is tried.
std::vector<domain::Right> rightsOf(const SlurmAccount& account);

}  // namespace yard::scheduler::slurm
