#include "app/daemon/source_mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backend/base/text.h"

namespace yard::daemon {
namespace {

using telemetry::SourceConfig;

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Empty, or a sentence about the first `{…}` that is none of `known`.
std::string wrongPlaceholder(std::string_view text, const std::vector<std::string_view>& known)
{
    for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
        const std::string_view rest = text.substr(at);
        const std::string_view word = rest.substr(0, std::min(rest.find('}'), rest.size() - 1) + 1);
        if (std::find(known.begin(), known.end(), word) != known.end())
            continue;
        return known.empty() ? fmt::format("It may hold no placeholder, and has {}.", word)
                             : fmt::format("There is no placeholder {}. It may hold {}.", word,
                                           fmt::join(known, ", "));
    }
    return {};
}

std::string wrongPath(const SourceConfig& source)
{
    if (source.kind == "kernel") {
        if (!source.path.starts_with('/'))
            return "It must be the file's path, and start with /.";
        return wrongPlaceholder(source.path, {"{host}"});
    }
    if (!source.path.empty() && !source.path.starts_with('/'))
        return "It must start with /, as in /metrics.";
    if (source.path.find(' ') != std::string::npos)
        return "It may hold no blank.";
    return wrongPlaceholder(source.path, {});
}

/// A header that is no header would be sent as it is, or change the request.
std::string wrongHeader(const std::string& header)
{
    const std::string_view name = std::string_view(header).substr(0, header.find(':'));
    const bool isName = name.size() < header.size() && !name.empty() &&
                        std::all_of(name.begin(), name.end(), [](char c) {
                            return isLetter(c) || text::isDigit(c) || c == '-' || c == '_';
                        });
    return isName
               ? std::string()
               : fmt::format("\"{}\" is no header. Write \"Name: value\".", text::validUtf8(name));
}

std::string wrongLabel(const std::string& label)
{
    const bool isName = !label.empty() && !text::isDigit(label.front()) &&
                        std::all_of(label.begin(), label.end(), [](char c) {
                            return isLetter(c) || text::isDigit(c) || c == '_';
                        });
    return isName ? std::string() : fmt::format("\"{}\" is no name of a label.", label);
}

/// The port behind the last colon, where there are digits behind one.
std::string wrongPort(const SourceConfig& source)
{
    const std::string_view targets = source.targets;
    const size_t scheme = targets.find("://");
    const std::string_view place =
        scheme == std::string_view::npos
            ? targets
            : targets.substr(scheme + 3, targets.find('/', scheme + 3) - scheme - 3);
    const size_t colon = place.rfind(':');
    if (source.kind == "kernel" || colon == std::string_view::npos)
        return {};
    const std::string_view digits = place.substr(colon + 1);
    const bool isNumber =
        !digits.empty() && std::all_of(digits.begin(), digits.end(), text::isDigit);
    const auto port = text::number<uint16_t>(digits);
    return isNumber && (!port || *port == 0)
               ? fmt::format("The port {} is none; there are 1 to 65535.", digits)
               : std::string();
}

}  // namespace

std::vector<std::pair<const char*, std::string>> mistakesOf(const SourceConfig& source)
{
    std::vector<std::pair<const char*, std::string>> mistakes;
    const auto add = [&mistakes](const char* key, std::string sentence) {
        if (!sentence.empty())
            mistakes.emplace_back(key, std::move(sentence));
    };
    add("targets", wrongPort(source));
    add("path", wrongPath(source));
    add("address", wrongPlaceholder(source.addressTemplate, {"{host}", "{n}", "{hi}", "{lo}"}));
    for (const std::string& header : source.headers)
        add("headers", wrongHeader(header));
    for (const std::string& label : source.hostLabels)
        add("host_labels", wrongLabel(label));
    return mistakes;
}

}  // namespace yard::daemon
