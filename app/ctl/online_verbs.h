#pragma once

#include <CLI/App.hpp>

#include "app/ctl/connection.h"

namespace yard::ctl {

/// Adds the verbs that talk to the daemon. Each sets `exitCode` when it is the one that was asked
/// for. What they keep lives as long as `app`.
void addOnlineVerbs(CLI::App& app, int& exitCode);

/// The options of every verb that talks to the daemon.
void addCommon(CLI::App& app, CommonOptions& common);

}  // namespace yard::ctl
