#pragma once

#include <CLI/App.hpp>

#include "app/ctl/connection.h"

namespace yard::ctl {

/// Adds `incidents [ID]` and what people do to one: ack, assign, note, close, reopen.
void addIncidentVerbs(CLI::App& app, CommonOptions& common, int& exitCode);

}  // namespace yard::ctl
