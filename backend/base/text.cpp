#include "backend/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace yard::text {
namespace {

char upper(char c)
{
    return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
}

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

bool isContinuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

/// Length of the well-formed character at the start, 0 if there is none.
size_t characterLength(std::string_view text)
{
    const auto at = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = at(0);
    if (first < 0x80)
        return 1;
    const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (size_t i = 1; i < length; ++i) {
        if (!isContinuation(at(i)))
            return 0;
    }
    const bool isOverlong = (first == 0xe0 && at(1) < 0xa0) || (first == 0xf0 && at(1) < 0x90);
    const bool isSurrogate = first == 0xed && at(1) > 0x9f;
    const bool isTooLarge = first == 0xf4 && at(1) > 0x8f;
    return isOverlong || isSurrogate || isTooLarge ? 0 : length;
}

/// The code point of a well-formed character.
char32_t codePoint(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character.front());
    if (character.size() == 1)
        return first;
    auto point = char32_t(first & (0xffu >> (character.size() + 1)));
    for (const char c : character.substr(1))
        point = point << 6 | (static_cast<unsigned char>(c) & 0x3fu);
    return point;
}

bool isControl(char32_t point)
{
    const bool isDirection = point == 0x61c || point == 0x200e || point == 0x200f ||
                             (point >= 0x202a && point <= 0x202e) ||
                             (point >= 0x2066 && point <= 0x2069);
    return point < 0x20 || (point >= 0x7f && point <= 0x9f) || isDirection;
}

}  // namespace

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string upperCase(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), upper);
    return result;
}

std::string lowerCase(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower);
    return result;
}

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](char x, char y) { return lower(x) == lower(y); });
}

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator)
{
    std::vector<std::string_view> parts;
    for (;;) {
        const size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return parts;
        text.remove_prefix(end + separator.size());
    }
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> parts;
    for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
        const auto end = size_t(std::find_if(text.begin(), text.end(), isBlank) - text.begin());
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return parts;
}

std::vector<std::string_view> lines(std::string_view text)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        parts.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return parts;
}

std::string validUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const size_t length = characterLength(text);
        if (length == 0)
            result += "\xef\xbf\xbd";
        else
            result += text.substr(0, length);
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return result;
}

bool hasControl(std::string_view text)
{
    while (!text.empty()) {
        const size_t length = characterLength(text);
        if (length > 0 && isControl(codePoint(text.substr(0, length))))
            return true;
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return false;
}

std::string visible(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const size_t length = characterLength(text);
        const std::string_view character = text.substr(0, length);
        if (length == 0)
            result += "\xef\xbf\xbd";
        else if (isBlank(character.front()))
            result += ' ';
        else if (isControl(codePoint(character)))
            result += fmt::format("<U+{:04X}>", uint32_t(codePoint(character)));
        else
            result += character;
        text.remove_prefix(std::max<size_t>(length, 1));
    }
    return result;
}

std::string visibleJson(std::string_view json)
{
    std::string result;
    result.reserve(json.size());
    while (!json.empty()) {
        const size_t length = std::max<size_t>(characterLength(json), 1);
        const std::string_view character = json.substr(0, length);
        if (character != "\n" && isControl(codePoint(character)))
            result += fmt::format("\\u{:04x}", uint32_t(codePoint(character)));
        else
            result += character;
        json.remove_prefix(length);
    }
    return result;
}

std::string visibleLines(std::string_view text)
{
    std::string result;
    for (const std::string_view line : split(text, "\n"))
        result.append(result.empty() && line.data() == text.data() ? "" : "\n")
            .append(visible(line));
    return result;
}

}  // namespace yard::text
