#pragma once

#include <string_view>

namespace yard::daemon {

inline constexpr std::string_view kVersion = YARD_VERSION;

}  // namespace yard::daemon
