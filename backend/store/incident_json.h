#pragma once

#include <string>
#include <string_view>

#include "backend/base/status.h"
#include "backend/domain/incident.h"

namespace yard::store {

/// An incident as the journal keeps it. Bytes that are not UTF-8 are replaced.
std::string toJson(const domain::Incident& incident);
/// DATA_LOSS if `text` was not written by toJson().
StatusOr<domain::Incident> incidentFromJson(std::string_view text);

}  // namespace yard::store
