#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"
#include "backend/control/desk.h"
#include "backend/rpc/server.h"
#include "backend/scheduler/simulated/simulated_options.h"
#include "backend/scheduler/slurm/slurm_options.h"
#include "backend/store/series/series_levels.h"
#include "backend/telemetry/sources/all_sources.h"

namespace yard::daemon {

/// All that yardmasterd can be told. The defaults are those of a Slurm controller.
struct Config {
    struct History {
        bool enabled = true;
        store::SeriesRetention keep;
    };

    std::string stateDirectory = "/var/lib/yardmaster";
    rpc::ServerOptions server;
    control::DeskOptions desk;

    bool simulated = false;
    scheduler::SlurmOptions slurm;
    scheduler::SimulatedOptions simulation;
    std::vector<telemetry::SourceConfig> sources;
    History history;
};

constexpr std::string_view kDefaultConfigPath = "/etc/yardmaster/yardmasterd.toml";
constexpr std::string_view kDefaultSocketPath = "/run/yardmaster/yard.sock";

struct ParsedConfig {
    Config config;
    std::vector<std::string>
        errors;  ///< "FILE:LINE: KEY: sentence"; if any, `config` is not to be used
};

/// Reads a configuration from text; `file` is its name in errors. Looks users and groups up, opens
/// nothing.
ParsedConfig parseConfig(std::string_view text, const std::string& file);
/// NOT_FOUND or UNAVAILABLE if the file cannot be read.
StatusOr<ParsedConfig> loadConfig(const std::string& path);

/// Every key there is, as "section.key".
std::vector<std::string> knownKeys();

/// The configuration of `--demo`: a simulated cluster, read once a second.
StatusOr<Config> demoConfig(std::string_view simulation);

}  // namespace yard::daemon
