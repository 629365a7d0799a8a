#pragma once

#include <string>
#include <string_view>

#include "backend/base/status.h"

namespace yard::telemetry {

bool isGzip(std::string_view body);

/// Errors: RESOURCE_EXHAUSTED (more than `limit` bytes come out), DATA_LOSS (cut off or damaged).
StatusOr<std::string> unpackGzip(std::string_view body, size_t limit);

}  // namespace yard::telemetry
