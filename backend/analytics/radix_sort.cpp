#include "backend/analytics/radix_sort.h"

#include <algorithm>
#include <array>

namespace yard::analytics {
namespace {

constexpr int kDigitBits = 11;
constexpr size_t kDigits = size_t(1) << kDigitBits;
constexpr size_t kWorthIt = 4096;

}  // namespace

void radixSort(std::vector<uint64_t>& keys)
{
    if (keys.size() < kWorthIt) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    const uint64_t first = keys.front();
    uint64_t differing = 0;
    for (const uint64_t key : keys)
        differing |= key ^ first;
    std::vector<uint64_t> other(keys.size());
    for (int shift = 0; shift < 64 && (differing >> shift) != 0; shift += kDigitBits) {
        if (((differing >> shift) & (kDigits - 1)) == 0)
            continue;
        std::array<size_t, kDigits> places = {};
        for (const uint64_t key : keys)
            ++places[(key >> shift) & (kDigits - 1)];
        size_t next = 0;
        for (size_t& place : places) {
            const size_t count = place;
            place = next;
            next += count;
        }
        for (const uint64_t key : keys)
            other[places[(key >> shift) & (kDigits - 1)]++] = key;
        keys.swap(other);
    }
}

}  // namespace yard::analytics
