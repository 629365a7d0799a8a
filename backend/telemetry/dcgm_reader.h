#pragma once

#include <string_view>

#include "backend/telemetry/exposition_text.h"
#include "backend/telemetry/gpu_page.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// Field names of every release: DCGM_FI_DEV_…, DCGM_FI_PROF_…, those of 2026 and dcgm_… of 1.x.
/// Blank values are no values; what a field cannot be is counted and left out.
GpuPage readDcgm(const Exposition& exposition);
/// True if it has at least one family of DCGM.
bool isDcgm(const Exposition& exposition);

/// One node's page as a scrape. `host` is the node, not the page's Hostname, which may be a pod's.
Scrape dcgmReadings(const Exposition& exposition, std::string_view host, Time at);

}  // namespace yard::telemetry
