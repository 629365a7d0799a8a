#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ctl/inspect.h"
#include "backend/base/clock.h"
#include "backend/base/text.h"

namespace yard::ctl {

/// A number as short as it is: whole ones without a fraction, NaN and infinities as words.
inline Json numberJson(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    if (value == std::floor(value) && std::abs(value) < 9e15)
        return int64_t(value);
    return value;
}

template <typename T>
Json valueJson(const std::optional<T>& value)
{
    return value ? numberJson(double(*value)) : Json(nullptr);
}

/// Always valid UTF-8, whatever the input was.
inline Json textJson(std::string_view text)
{
    return text::validUtf8(text);
}

/// Null for an empty text.
inline Json textOrNull(std::string_view text)
{
    return text.empty() ? Json(nullptr) : textJson(text);
}

inline Json textsJson(const std::vector<std::string>& texts)
{
    Json list = Json::array();
    for (const std::string& text : texts)
        list.push_back(textJson(text));
    return list;
}

inline Json epochJson(const std::optional<Time>& time)
{
    if (!time)
        return nullptr;
    return std::chrono::duration_cast<std::chrono::seconds>(time->time_since_epoch()).count();
}

/// "2025-01-01T09:00:04Z", with microseconds if there are any.
std::string utcText(Time time);

}  // namespace yard::ctl
