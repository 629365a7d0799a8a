#pragma once

#include <string>

namespace yard::ctl {

/// Why nobody can be reached at a socket, and what to do about it; empty if somebody can, or it
/// cannot be told. The first looks at the path alone, the second tries to connect.
std::string wrongSocket(const std::string& path);
std::string deadSocket(const std::string& path);

}  // namespace yard::ctl
