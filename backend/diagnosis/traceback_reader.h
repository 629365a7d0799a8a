#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace yard::diagnosis {

/// Follows tracebacks of many processes in one stream and says which line ends one, and which
/// belong to one chain of "During handling of the above exception".
///
/// Lines without a prefix may come from several processes at once; then the count of open
/// tracebacks is all that is known.
class TracebackReader {
public:
    struct Result {
        bool isFinal = false;          ///< "KeyError: 'text'"
        bool isInside = false;         ///< a frame, a source line or a heading
        bool isWrapper = false;        ///< only repeats what another traceback says
        bool isIgnored = false;        ///< the interpreter says that it goes on
        bool pointsElsewhere = false;  ///< says itself that the cause stands somewhere else
        bool hadHeading = false;       ///< the traceback's start was seen
        uint32_t chain = 0;            ///< of the final line; 0 for none
        std::string_view exception;    ///< the line from the name of the class on
        std::string_view inner;        ///< "NameError" of "RayTaskError(NameError)"
    };

    /// `speaker` tells processes apart as far as prefixes do; `text` is the line without them.
    Result read(uint64_t speaker, std::string_view text, uint64_t line);

    /// Whether lines without any mark of their own must be read too.
    bool isOpen() const { return m_open > 0; }

private:
    struct Stream {
        int open = 0;
        int links = 0;  ///< headings of a chain not yet followed by a final line
        bool ignoresNext = false;
        size_t indent = 0;  ///< of the last heading
        uint32_t chain = 0;
        uint64_t lastLine = 0;
    };
    void close(Stream& stream, int count);
    void forgetOld(uint64_t line);

    std::unordered_map<uint64_t, Stream> m_streams;
    int m_open = 0;
    uint32_t m_lastChain = 0;
    uint64_t m_lastSweep = 0;
};

}  // namespace yard::diagnosis
