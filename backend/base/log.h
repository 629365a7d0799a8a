#pragma once

#include <string_view>

namespace yard::log {

/// One line to standard error (the journal, under systemd). Log an error once, where it is handled.
///
/// Thread: any.
void info(std::string_view message);
void warning(std::string_view message);
void error(std::string_view message);

}  // namespace yard::log
