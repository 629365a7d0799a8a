#pragma once

#include <CLI/App.hpp>

namespace yard::ctl {

/// Adds `characterize` and `types check`, which read job traces and need no daemon.
void addCharacterizeVerb(CLI::App& app, int& exitCode);

}  // namespace yard::ctl
