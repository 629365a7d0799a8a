#pragma once

#include <string_view>

namespace yard::analytics {

/// Files of resources/ that programs carry inside: made by the build.
extern const std::string_view kWorkloadTypesFile;
extern const std::string_view kPaperFiguresFile;

}  // namespace yard::analytics
