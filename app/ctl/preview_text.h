#pragma once

#include <string>

#include "yard/v1/yard.pb.h"

namespace yard::ctl {

/// What an action would do, for people: what runs, whom it hits, what to mind.
std::string previewText(const v1::PreviewReply& preview);

}  // namespace yard::ctl
