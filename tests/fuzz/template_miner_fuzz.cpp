#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/base/text.h"
#include "backend/diagnosis/template_miner.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    yard::diagnosis::TemplateMiner miner;
    uint64_t lines = 0;
    for (const std::string_view line : yard::text::lines(text)) {
        miner.add(line);
        ++lines;
    }
    // Every line is counted in some template.
    uint64_t counted = miner.givenUp();
    for (const auto& one : miner.templates())
        counted += one.count;
    if (counted != lines)
        std::abort();
    return 0;
}
