#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backend/telemetry/sources/all_sources.h"

namespace yard::daemon {

/// What is wrong with a [[telemetry.source]], as key and sentence, where the key can be told from
/// the source alone; the rest is found by allSources().
std::vector<std::pair<const char*, std::string>> mistakesOf(const telemetry::SourceConfig& source);

}  // namespace yard::daemon
