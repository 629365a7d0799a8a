#pragma once

#include <nlohmann/json.hpp>

#include "yard/v1/yard.pb.h"

namespace yard::ctl {

/// Wire to JSON. Times are seconds since 1970, what is not known is null, enums are their words.
nlohmann::json toJson(const v1::Node& node);
nlohmann::json toJson(const v1::Job& job);
nlohmann::json toJson(const v1::Operation& operation);
nlohmann::json toJson(const v1::PreviewReply& preview);
nlohmann::json toJson(const v1::SchedulerHealth& health);

/// Seconds with a fraction.
nlohmann::json seconds(int64_t microseconds);

void printJson(const nlohmann::json& value);
/// Without line breaks, one value a line.
void printJsonLine(const nlohmann::json& value);

}  // namespace yard::ctl
