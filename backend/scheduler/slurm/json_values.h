#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/job.h"

namespace yard::scheduler::slurm {

/// One optional number in any of Slurm's shapes: plain, null, {set,infinite,number}, "Infinity".
struct JsonNumber {
    std::optional<double> value;
    bool unlimited = false;
    bool isNull = false;  ///< a bare null, which 22.05 writes for both unset and unlimited
};
JsonNumber numberOf(simdjson::dom::element element);
/// No number at all if the key is missing.
JsonNumber numberAt(simdjson::dom::object object, std::string_view key);

/// A count: 0 or more, no sentinel, no fraction lost.
std::optional<int64_t> countAt(simdjson::dom::object object, std::string_view key);
std::optional<int> intAt(simdjson::dom::object object, std::string_view key);
/// Epoch seconds; 0 is no time.
std::optional<Time> timeAt(simdjson::dom::object object, std::string_view key);
/// Minutes. A bare null is `nullLimit`.
domain::TimeLimit minutesAt(simdjson::dom::object object, std::string_view key,
                            domain::TimeLimit nullLimit);

/// Text, or the number as text; empty for null and a missing key.
std::string textAt(simdjson::dom::object object, std::string_view key);
/// A list of texts, or one text split at commas.
std::vector<std::string> textsAt(simdjson::dom::object object, std::string_view key);
std::optional<bool> boolAt(simdjson::dom::object object, std::string_view key);

std::optional<simdjson::dom::object> objectAt(simdjson::dom::object object, std::string_view key);
std::optional<simdjson::dom::array> arrayAt(simdjson::dom::object object, std::string_view key);
std::optional<simdjson::dom::element> elementAt(simdjson::dom::object object, std::string_view key);

/// An exit in any shape: the raw wait status, or {status,return_code,signal}.
domain::ExitStatus exitAt(simdjson::dom::object object, std::string_view key);

}  // namespace yard::scheduler::slurm
