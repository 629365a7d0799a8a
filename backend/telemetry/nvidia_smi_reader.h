#pragma once

#include <string_view>

#include "backend/telemetry/exposition_text.h"
#include "backend/telemetry/gpu_page.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// nvidia_gpu_exporter: ratios, bytes and Hz become percent, MiB and MHz; UUIDs get their "GPU-".
GpuPage readNvidiaSmi(const Exposition& exposition);
bool isNvidiaSmi(const Exposition& exposition);

Scrape nvidiaSmiReadings(const Exposition& exposition, std::string_view host, Time at);

}  // namespace yard::telemetry
