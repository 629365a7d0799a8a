#pragma once

#include <CLI/App.hpp>

namespace yard::ctl {

/// Adds the verbs that talk to the daemon. Each sets `exitCode` when it is the one that was asked
/// for. What they keep lives as long as `app`.
void addOnlineVerbs(CLI::App& app, int& exitCode);

}  // namespace yard::ctl
