#pragma once

#include <cstdint>
#include <string>

namespace yard::ctl {

/// Microseconds since 1970 as the terminal's time zone shows them.
std::string localTime(int64_t microseconds);

}  // namespace yard::ctl
