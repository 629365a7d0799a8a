#pragma once

#include <CLI/App.hpp>

namespace yard::ctl {

/// Adds `import acme|philly|sacct FILE… --into DIR|DB`, which needs no daemon.
void addImportVerb(CLI::App& app, int& exitCode);

}  // namespace yard::ctl
