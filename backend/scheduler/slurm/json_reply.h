#pragma once

#include <simdjson.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::scheduler::slurm {

/// What Slurm itself reports as wrong in a JSON reply.
struct ReplyError {
    std::optional<int64_t> number;
    std::string text;
    std::string description;
};

/// A whole JSON reply of a Slurm command or of slurmrestd, whatever its release. Movable; the root
/// lives as long as the reply.
struct JsonReply {
    std::unique_ptr<simdjson::dom::parser> parser;
    simdjson::dom::object root;
    std::string version;  ///< "23.02.8"
    std::string cluster;
    std::string dataParser;  ///< "v0.0.40"; empty in 22.05
    std::vector<ReplyError> errors;
    std::vector<std::string> warnings;
};

/// Errors: INVALID_ARGUMENT (empty, or words where JSON should be: the command's own message is
/// quoted), DATA_LOSS (cut off or damaged). Bare Infinity and NaN and text that is no UTF-8 are
/// taken.
StatusOr<JsonReply> readJsonReply(std::string_view body);

/// UNAVAILABLE with Slurm's own words if the reply holds errors: its lists then mean nothing.
Status checkReply(const JsonReply& reply);

}  // namespace yard::scheduler::slurm
