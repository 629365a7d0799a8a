#pragma once

#include <cstdint>
#include <vector>

namespace yard::analytics {

/// Ascending. Bytes that are equal in all keys cost nothing: made for keys that fill few of their
/// 64 bits, where it takes a third of the time of std::sort.
void radixSort(std::vector<uint64_t>& keys);

}  // namespace yard::analytics
