#pragma once

#include "app/ctl/inspect.h"
#include "backend/telemetry/gpu_page.h"

namespace yard::ctl {

/// The cards of one page, and what can be said of them together.
void writeGpus(const telemetry::GpuPage& page, Json& out);

}  // namespace yard::ctl
