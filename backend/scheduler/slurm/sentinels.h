#pragma once

#include <cstdint>
#include <optional>

namespace yard::scheduler::slurm {

/// The numbers by which Slurm says "not set" and "unlimited", in the widths it packs them.
constexpr uint16_t kNoVal16 = 0xfffe;
constexpr uint16_t kInfinite16 = 0xffff;
constexpr uint32_t kNoVal = 0xfffffffe;
constexpr uint32_t kInfinite = 0xffffffff;
constexpr uint64_t kNoVal64 = 0xfffffffffffffffe;
constexpr uint64_t kInfinite64 = 0xffffffffffffffff;

/// Of a field that is wider than 16 bits: 65534 may be a real count there. Negative numbers are
/// the 64-bit ones printed as signed.
constexpr bool isNotSet(uint64_t value)
{
    return value == kNoVal || value == kNoVal64;
}
constexpr bool isUnlimited(uint64_t value)
{
    return value == kInfinite || value == kInfinite64;
}
/// A count that is a real number, else nothing.
constexpr std::optional<int64_t> countOf(int64_t value)
{
    if (value < 0 || isNotSet(uint64_t(value)) || isUnlimited(uint64_t(value)))
        return std::nullopt;
    return value;
}

}  // namespace yard::scheduler::slurm
