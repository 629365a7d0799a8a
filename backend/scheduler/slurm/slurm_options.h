#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace yard::scheduler {

/// How to reach a site's Slurm: through its own commands, which always fit its daemons.
struct SlurmOptions {
    std::string binDirectory = {};  ///< where squeue, scontrol … are; empty: from PATH
    std::string configFile = {};    ///< SLURM_CONF; empty: the site's default
    /// Before every command: {"runuser", "-u", "slurm", "--"}.
    std::vector<std::string> commandPrefix = {};
    /// Above Slurm's own ten seconds, so that its words come first.
    std::chrono::milliseconds commandTimeout{12'000};
    bool readAccounting = true;  ///< sacct for ended jobs, where slurmdbd exists
    std::chrono::seconds accountingInterval{30};
    std::chrono::seconds accountingWindow{3600};  ///< jobs that ended longer ago are left out
};

}  // namespace yard::scheduler
