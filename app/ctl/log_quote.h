#pragma once

#include <string>

#include "backend/domain/verdict.h"

namespace yard::ctl {

/// Fills in the words of evidence that has a line number only. What cannot be read stays empty.
void quoteLines(const std::string& file, domain::Verdict& verdict);

}  // namespace yard::ctl
