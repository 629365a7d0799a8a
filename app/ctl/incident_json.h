#pragma once

#include <nlohmann/json.hpp>

#include "yard/v1/yard.pb.h"

namespace yard::ctl {

/// Wire to JSON, as in json_output.h.
nlohmann::json toJson(const v1::Incident& incident);
nlohmann::json toJson(const v1::ListIncidentsReply& reply);

}  // namespace yard::ctl
