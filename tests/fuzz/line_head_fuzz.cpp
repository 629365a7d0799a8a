#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "backend/base/text.h"
#include "backend/diagnosis/line_head.h"
#include "backend/diagnosis/traceback_reader.h"

/// Prefixes and tracebacks: what is left of a line is always a part of it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    std::string text(reinterpret_cast<const char*>(data), size);
    yard::diagnosis::removeColours(text);
    yard::diagnosis::TracebackReader tracebacks;
    uint64_t number = 0;
    for (const std::string_view line : yard::text::lines(text)) {
        const yard::diagnosis::LineHead head = yard::diagnosis::readHead(line);
        if (head.text.size() > line.size() || !line.ends_with(head.text))
            std::abort();
        const auto read = tracebacks.read(uint64_t(head.rank.value_or(-1)), head.text, ++number);
        if (read.isFinal && (read.chain == 0 || read.exception.empty()))
            std::abort();
    }
    return 0;
}
