#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/diagnosis/rule_set.h"

/// A rule file: read, or refused with a sentence that names the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    using namespace yard::diagnosis;
    const auto rules =
        readRules(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml");
    if (!rules.ok() && rules.status().message().find("fuzz.toml") == std::string_view::npos)
        std::abort();
    return 0;
}
