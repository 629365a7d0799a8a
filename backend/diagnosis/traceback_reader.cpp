#include "backend/diagnosis/traceback_reader.h"

#include <algorithm>

#include "backend/base/text.h"

namespace yard::diagnosis {
namespace {

constexpr uint64_t kMaxQuietLines = 3000;  // an open traceback that never ends
constexpr size_t kMaxStreams = 20000;
constexpr int kMaxOpen = 4096;

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isNameChar(char c)
{
    return isNameStart(c) || text::isDigit(c) || c == '.';
}

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// Exception groups put "  | " and "  + " before every line.
std::string_view withoutGroupMarks(std::string_view text)
{
    const size_t at = text.find_first_not_of(" |+-");
    if (at == std::string_view::npos || at == 0 ||
        text.substr(0, at).find('|') == std::string_view::npos)
        return text;
    // One blank behind the bar is the group's; more is the frame's own indentation.
    const size_t bar = text.substr(0, at).rfind('|');
    return text.substr(std::min(bar + 2, text.size()));
}

struct ClassName {
    std::string_view path;   ///< "botocore.exceptions.ClientError"
    std::string_view last;   ///< "ClientError"
    std::string_view rest;   ///< behind it
    std::string_view inner;  ///< in brackets behind it
};

ClassName classNameOf(std::string_view text)
{
    const auto* const end = std::find_if_not(text.begin(), text.end(), isNameChar);
    const size_t length = size_t(end - text.begin());
    ClassName name;
    if (length == 0 || length > 200 || !isNameStart(text.front()))
        return name;
    name.path = text.substr(0, length);
    while (!name.path.empty() && name.path.back() == '.')
        name.path.remove_suffix(1);
    name.last = name.path.substr(name.path.rfind('.') + 1);
    name.rest = text.substr(name.path.size());
    // "RayTaskError(ValueError): text"
    if (name.rest.starts_with('(')) {
        const size_t close = name.rest.find(')');
        if (close != std::string_view::npos && close < 120) {
            name.inner = name.rest.substr(1, close - 1);
            name.rest = name.rest.substr(close + 1);
        }
    }
    return name;
}

bool endsLikeException(std::string_view name)
{
    for (const std::string_view end :
         {"Error", "Exception", "Interrupt", "Exit", "ExceptionGroup", "Timeout", "Failure"}) {
        if (name.ends_with(end) && name.size() >= 4)
            return true;
    }
    return false;
}

/// Whether the line can end a traceback that is open.
bool canEnd(const ClassName& name)
{
    if (name.path.empty() || !(name.rest.empty() || name.rest.starts_with(":")))
        return false;
    if (endsLikeException(name.last))
        return true;
    if (name.last == "StopIteration" || name.last == "StopAsyncIteration")
        return true;
    // "botocore.errorfactory.NoSuchBucket: …", "queue.Empty"; but not "Epoch: [4]".
    const bool isCapital = name.last.front() >= 'A' && name.last.front() <= 'Z';
    return isCapital && name.path.size() != name.last.size();
}

/// Whether the line is an exception without a traceback before it.
bool isBare(const ClassName& name)
{
    return !name.path.empty() && name.last.front() >= 'A' && name.last.front() <= 'Z' &&
           endsLikeException(name.last) && (name.rest.empty() || name.rest.starts_with(": "));
}

bool isWrapper(const ClassName& name)
{
    return (name.rest.starts_with(": Caught ") && contains(name.rest, " in ") &&
            (contains(name.rest, "worker") || contains(name.rest, "replica"))) ||
           name.last == "RayTaskError" || name.last.ends_with("ExceptionGroup") ||
           name.last == "RemoteTraceback" || name.last == "_RemoteTraceback";
}

/// "Engine core initialization failed. See root cause above."
bool pointsElsewhere(std::string_view text)
{
    for (const std::string_view words :
         {"See root cause above", "See stack trace above", "ee inner exception",
          "inspect the previous error", "Check other traceback", "see the other task logs",
          "ee above for", "see previous error", "See the error above"}) {
        if (contains(text, words))
            return true;
    }
    return false;
}

size_t indentOf(std::string_view text)
{
    return std::min(text.find_first_not_of(" \t"), text.size());
}

}  // namespace

void TracebackReader::close(Stream& stream, int count)
{
    count = std::min(count, stream.open);
    stream.open -= count;
    m_open -= count;
}

void TracebackReader::forgetOld(uint64_t line)
{
    if (line < m_lastSweep + kMaxQuietLines && m_streams.size() < kMaxStreams)
        return;
    m_lastSweep = line;
    for (auto& [key, stream] : m_streams) {
        if (stream.lastLine + kMaxQuietLines < line) {
            close(stream, stream.open);
            stream.links = 0;
        }
    }
    if (m_streams.size() >= kMaxStreams) {
        m_streams.clear();
        m_open = 0;
    }
}

TracebackReader::Result TracebackReader::read(uint64_t speaker, std::string_view text,
                                              uint64_t line)
{
    forgetOld(line);
    Result result;
    Stream& stream = m_streams[speaker];
    const bool isGroup = text.find('|') != std::string_view::npos;
    text = isGroup ? withoutGroupMarks(text) : text;

    if (contains(text, "raceback (most recent call last)")) {
        if (stream.open < kMaxOpen) {
            ++stream.open;
            ++m_open;
        }
        stream.indent = indentOf(text);
        // "Original Traceback" and Ray's remote ones go on with what was just said.
        if (contains(text, "Original Traceback"))
            ++stream.links;
        stream.lastLine = line;
        result.isInside = true;
        return result;
    }
    if (contains(text, "exception was the direct cause") ||
        contains(text, "exception was caused by") || contains(text, "another exception occurred")) {
        ++stream.links;
        stream.lastLine = line;
        result.isInside = true;
        return result;
    }
    if (contains(text, "Exception ignored in") || contains(text, "Exception ignored on")) {
        stream.ignoresNext = true;
        stream.lastLine = line;
        result.isInside = true;
        return result;
    }
    // Some wrappers indent what they quote: its last line stands no deeper than its heading.
    if (stream.open > 0 && stream.indent > 0 && indentOf(text) > 0 &&
        indentOf(text) <= stream.indent && isBare(classNameOf(text.substr(indentOf(text)))))
        text.remove_prefix(indentOf(text));
    if (stream.open > 0 && (text.starts_with("  ") || text.starts_with("\t"))) {
        stream.lastLine = line;
        result.isInside = true;
        return result;
    }
    const ClassName name = classNameOf(text);
    result.isFinal = stream.open > 0 ? canEnd(name) : isBare(name);
    if (!result.isFinal)
        return result;
    result.hadHeading = stream.open > 0;
    result.exception = text;
    result.isWrapper = isWrapper(name);
    result.inner = result.isWrapper ? name.inner : std::string_view();
    result.isIgnored = stream.ignoresNext;
    stream.ignoresNext = false;
    result.pointsElsewhere = pointsElsewhere(text);
    stream.lastLine = line;
    if (stream.links > 0) {
        --stream.links;
        result.chain = stream.chain != 0 ? stream.chain : ++m_lastChain;
    } else {
        result.chain = ++m_lastChain;
    }
    stream.chain = result.chain;
    if (result.isWrapper)
        ++stream.links;
    close(stream, 1);
    return result;
}

}  // namespace yard::diagnosis
