#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yard::text {

/// ASCII only, whatever the locale.
constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
constexpr bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

std::string_view trimmed(std::string_view text);
std::string upperCase(std::string_view text);
std::string lowerCase(std::string_view text);
bool equalsIgnoringCase(std::string_view a, std::string_view b);
/// Takes `prefix` off the front of `text`; false if it is not there.
bool takePrefix(std::string_view& text, std::string_view prefix);

/// The parts between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);
/// Parts between runs of blanks; none for an empty text.
std::vector<std::string_view> words(std::string_view text);
/// Lines without their ends (LF or CRLF). A last line without an end counts.
std::vector<std::string_view> lines(std::string_view text);

/// The whole text as a decimal number: no blanks, no plus sign, no overflow.
template <typename Integer>
std::optional<Integer> number(std::string_view text)
{
    Integer value{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (text.empty() || error != std::errc() || rest != end)
        return std::nullopt;
    return value;
}

/// Bytes that are no UTF-8 become U+FFFD; the rest stays byte for byte.
std::string validUtf8(std::string_view text);

/// Whether it has a control character, or one that turns the direction of the text around it
/// (U+202E and its like): with either, text is not what it looks like.
bool hasControl(std::string_view text);
/// One line that is safe to show: tabs and line ends become blanks, other characters as above are
/// written out as "<U+001B>", and bytes that are no UTF-8 become U+FFFD.
std::string visible(std::string_view text);
/// The same for each of several lines.
std::string visibleLines(std::string_view text);
/// JSON, well-formed, with each such character as its "\\u001b": a terminal does not obey it, and a
/// parser gets it back. Line ends between the values stay.
std::string visibleJson(std::string_view json);

}  // namespace yard::text
