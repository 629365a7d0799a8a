#pragma once

#include <string>
#include <vector>

#include "backend/domain/verdict.h"

namespace yard::diagnosis {

/// Lines with a word of failure whose form comes up a few times only: where to look when no rule
/// answers. The rarest and latest first, at most a handful; none if the file cannot be read.
///
/// Reads the whole file; not for the core loop.
std::vector<domain::EvidenceLine> rareLinesIn(const std::string& file);

}  // namespace yard::diagnosis
