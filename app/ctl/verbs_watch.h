#pragma once

#include "app/ctl/connection.h"

namespace yard::ctl {

/// Prints what changes, a line each (JSON lines with --json), until it is interrupted, `seconds`
/// are over (0: never) or the daemon goes away.
int watchChanges(const CommonOptions& options, int seconds);

}  // namespace yard::ctl
