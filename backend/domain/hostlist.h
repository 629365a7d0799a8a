#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::domain {

/// Hostlist expressions as Slurm and ClusterShell write them: `gpu[001-064,066-102],cpu1`, several
/// brackets in a name, steps are refused. Set operators, from left to right: `,` union, `!`
/// difference, `&` intersection. At most kMaxHosts names.
///
/// Thread: any; pure functions.
constexpr size_t kMaxHosts = 200'000;

/// Names in the order given, each once. INVALID_ARGUMENT with the position and what is wrong.
StatusOr<std::vector<std::string>> expandHostlist(std::string_view expression);

/// The shortest usual writing: sorted naturally, runs folded, zero padding kept.
std::string foldHostlist(std::vector<std::string> hosts);

/// gpu2 before gpu10.
bool naturalLess(std::string_view a, std::string_view b);

}  // namespace yard::domain
