#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::store {

/// Lanes of one block: as many GPUs or nodes share it.
constexpr uint32_t kLanes = 64;
/// "No reading" in a block.
constexpr int32_t kNoCode = std::numeric_limits<int32_t>::min();

/// Where a block lies in time, and how many rows of numbers it has: one a lane, or three where it
/// holds min, mean and max.
struct BlockShape {
    int64_t startSeconds = 0;
    uint32_t stepSeconds = 15;
    uint32_t ticks = 0;
    uint32_t rows = kLanes;
    int64_t endSeconds() const { return startSeconds + int64_t(stepSeconds) * ticks; }
    bool operator==(const BlockShape&) const = default;
};

/// Whole numbers, rows × ticks, packed: differences along time, zigzag, split into byte planes,
/// zstd with a checksum. Smooth series take about a byte a number.
///
/// `codes` has rows × ticks numbers, row by row.
std::string packBlock(const BlockShape& shape, std::span<const int32_t> codes);

/// An unpacked block. Reading one row or one tick costs only that.
class Block {
public:
    /// DATA_LOSS if the bytes are no block, are cut or do not match their checksum.
    static StatusOr<Block> unpack(std::string_view packed);

    const BlockShape& shape() const { return m_shape; }
    /// Ticks numbers; kNoCode where there is no reading.
    std::vector<int32_t> row(uint32_t row) const;
    /// The number of every row at one tick.
    std::vector<int32_t> at(uint32_t tick) const;
    std::vector<int32_t> all() const;

private:
    uint32_t zigzag(size_t position) const;

    BlockShape m_shape;
    std::string m_planes;
};

}  // namespace yard::store
