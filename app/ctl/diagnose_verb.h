#pragma once

#include <CLI/CLI.hpp>

namespace yard::ctl {

/// Adds `diagnose FILE…` and `rules check [FILE…]`, which need no daemon.
void addDiagnoseVerbs(CLI::App& app, int& exitCode);

}  // namespace yard::ctl
