#include <cstdint>
#include <cstdlib>
#include <set>

#include "backend/domain/hostlist.h"

using namespace yard::domain;

/// What was expanded can be folded and expanded again, and is the same set.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const auto names = expandHostlist({reinterpret_cast<const char*>(data), size});
    if (!names.ok())
        return 0;
    if (names->size() > kMaxHosts)
        abort();
    if (names->size() > 2000)
        return 0;
    const auto again = expandHostlist(foldHostlist(*names));
    if (!again.ok() ||
        std::set(names->begin(), names->end()) != std::set(again->begin(), again->end()))
        abort();
    return 0;
}
