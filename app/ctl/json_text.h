#pragma once

#include <nlohmann/json.hpp>

#include "backend/base/text.h"

namespace yard::ctl {

/// JSON as yardctl prints it, to a terminal or a program. Bytes that are no UTF-8 become U+FFFD.
/// An indent of -1 keeps it on one line.
template <typename Json>
std::string jsonText(const Json& value, int indent)
{
    return text::visibleJson(value.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace yard::ctl
