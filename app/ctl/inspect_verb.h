#pragma once

#include <CLI/CLI.hpp>

namespace yard::ctl {

/// Adds `inspect KIND FILE…`, which needs no daemon.
void addInspectVerb(CLI::App& app, int& exitCode);

}  // namespace yard::ctl
