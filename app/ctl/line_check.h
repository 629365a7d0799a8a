#pragma once

#include <string>

#include "app/ctl/exit_codes.h"

namespace yard::ctl {

/// What the daemon would refuse in a text of one line, `name` being the option's: bytes that are no
/// UTF-8, and characters that steer a terminal. BadInput after a complaint, else Done.
ExitCode checkLine(const char* name, const std::string& text);

}  // namespace yard::ctl
