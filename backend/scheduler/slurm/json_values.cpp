#include "backend/scheduler/slurm/json_values.h"

#include <charconv>
#include <cmath>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/sentinels.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr double kMaxExact = 9007199254740992.0;
/// return_code of 23.02 when a signal ended the process.
constexpr int kSignalFiller = -127;

JsonNumber plainNumber(double value)
{
    JsonNumber number;
    // NO_VAL64 and INFINITE64 as signed, and as the doubles they become.
    if (value == -2 || value == double(kNoVal))
        return number;
    if (value == double(kInfinite)) {
        number.unlimited = true;
        return number;
    }
    if (std::isfinite(value) && std::abs(value) < 1e18)
        number.value = value;
    return number;
}

JsonNumber wordNumber(std::string_view text)
{
    JsonNumber number;
    if (text::equalsIgnoringCase(text, "infinity") || text::equalsIgnoringCase(text, "infinite") ||
        text::equalsIgnoringCase(text, "unlimited")) {
        number.unlimited = true;
    } else if (const auto whole = text::number<int64_t>(text)) {
        number = plainNumber(double(*whole));
    }
    return number;
}

JsonNumber setNumber(object from)
{
    bool isSet = false;
    bool isInfinite = false;
    element inner;
    if (from["infinite"].get(isInfinite) == SUCCESS && isInfinite) {
        JsonNumber number;
        number.unlimited = true;
        return number;
    }
    if (from["set"].get(isSet) != SUCCESS || !isSet || from["number"].get(inner) != SUCCESS ||
        inner.is_object())
        return {};
    return numberOf(inner);
}

domain::ExitStatus fromWaitStatus(int64_t status)
{
    domain::ExitStatus exit;
    exit.signal = int(status & 0x7f);
    exit.code = int((status >> 8) & 0xff);
    return exit;
}

domain::ExitStatus fromVerbose(object from)
{
    domain::ExitStatus exit;
    const auto code = numberAt(from, "return_code").value;
    if (code && *code >= 0 && *code <= 0xffff)
        exit.code = int(*code);
    if (const auto signal = objectAt(from, "signal")) {
        auto id = numberAt(*signal, "id").value;
        if (!id)
            id = numberAt(*signal, "signal_id").value;
        if (id && *id > 0 && *id < 1024)
            exit.signal = int(*id);
    }
    if (exit.code && !exit.signal && code != kSignalFiller)
        exit.signal = 0;
    return exit;
}

}  // namespace

JsonNumber numberOf(element from)
{
    JsonNumber number;
    switch (from.type()) {
        case simdjson::dom::element_type::INT64:
            return plainNumber(double(from.get_int64().value_unsafe()));
        case simdjson::dom::element_type::UINT64:
            return plainNumber(double(from.get_uint64().value_unsafe()));
        case simdjson::dom::element_type::DOUBLE:
            return plainNumber(from.get_double().value_unsafe());
        case simdjson::dom::element_type::STRING:
            return wordNumber(from.get_string().value_unsafe());
        case simdjson::dom::element_type::OBJECT:
            return setNumber(from.get_object().value_unsafe());
        case simdjson::dom::element_type::NULL_VALUE:
            number.isNull = true;
            return number;
        default:
            return number;
    }
}

JsonNumber numberAt(object from, std::string_view key)
{
    const auto found = elementAt(from, key);
    return found ? numberOf(*found) : JsonNumber{};
}

std::optional<int64_t> countAt(object from, std::string_view key)
{
    const auto value = numberAt(from, key).value;
    if (!value || *value < 0 || *value > kMaxExact)
        return std::nullopt;
    return int64_t(*value);
}

std::optional<int> intAt(object from, std::string_view key)
{
    const auto count = countAt(from, key);
    return count && *count <= INT32_MAX ? std::optional(int(*count)) : std::nullopt;
}

std::optional<Time> timeAt(object from, std::string_view key)
{
    const auto count = countAt(from, key);
    return count ? timeFromEpoch(*count) : std::nullopt;
}

domain::TimeLimit minutesAt(object from, std::string_view key, domain::TimeLimit nullLimit)
{
    const JsonNumber number = numberAt(from, key);
    if (number.isNull)
        return nullLimit;
    domain::TimeLimit limit;
    limit.unlimited = number.unlimited;
    if (number.value && *number.value >= 0 && *number.value < 1e12)
        limit.seconds = int64_t(*number.value * 60);
    return limit;
}

std::string textAt(object from, std::string_view key)
{
    const auto found = elementAt(from, key);
    if (!found)
        return {};
    std::string_view text;
    if (found->get(text) == SUCCESS)
        return std::string(text);
    int64_t number = 0;
    return found->get(number) == SUCCESS ? std::to_string(number) : std::string();
}

std::vector<std::string> textsAt(object from, std::string_view key)
{
    std::vector<std::string> texts;
    std::string_view text;
    if (const auto list = arrayAt(from, key)) {
        for (const element item : *list) {
            if (item.get(text) == SUCCESS)
                texts.emplace_back(text);
        }
    } else if (const auto found = elementAt(from, key); found && found->get(text) == SUCCESS) {
        for (const std::string_view part : text::split(text, ",")) {
            if (!text::trimmed(part).empty())
                texts.emplace_back(text::trimmed(part));
        }
    }
    return texts;
}

std::optional<bool> boolAt(object from, std::string_view key)
{
    bool value = false;
    return from[key].get(value) == SUCCESS ? std::optional(value) : std::nullopt;
}

std::optional<object> objectAt(object from, std::string_view key)
{
    object found;
    return from[key].get(found) == SUCCESS ? std::optional(found) : std::nullopt;
}

std::optional<array> arrayAt(object from, std::string_view key)
{
    array found;
    return from[key].get(found) == SUCCESS ? std::optional(found) : std::nullopt;
}

std::optional<element> elementAt(object from, std::string_view key)
{
    element found;
    return from[key].get(found) == SUCCESS ? std::optional(found) : std::nullopt;
}

domain::ExitStatus exitAt(object from, std::string_view key)
{
    const auto found = elementAt(from, key);
    if (!found)
        return {};
    object verbose;
    if (found->get(verbose) == SUCCESS && elementAt(verbose, "status"))
        return fromVerbose(verbose);
    const auto status = numberOf(*found).value;
    return status && *status >= 0 && *status < 0x10000 ? fromWaitStatus(int64_t(*status))
                                                       : domain::ExitStatus{};
}

}  // namespace yard::scheduler::slurm
