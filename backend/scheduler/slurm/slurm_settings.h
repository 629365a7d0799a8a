#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/base/clock.h"

namespace yard::scheduler::slurm {

/// What we need of `scontrol show config`; it changes only when an administrator changes it.
struct SlurmSettings {
    std::string cluster;
    std::string version;
    std::string slurmUser;  ///< name
    std::optional<uint32_t> slurmUid;
    std::string stateSaveLocation;
    bool hasTopology = false;
    bool hasAccounting = false;     ///< through slurmdbd
    int requeueDelaySeconds = 120;  ///< how long the credential of a requeued job is waited out
};

/// Keys that are missing keep their defaults.
SlurmSettings readSettings(std::string_view output);

}  // namespace yard::scheduler::slurm
