#include "backend/store/series/series_block.h"

#include <fmt/format.h>
#include <zstd.h>

#include <cstring>
#include <memory>

namespace yard::store {
namespace {

constexpr uint32_t kMagic = 0x314b4259;  // "YBK1", little endian
constexpr int kLevel = 1;                // level 3 takes three times as long for half a percent
constexpr size_t kPlanes = 4;
constexpr uint32_t kMaxTicks = 4096;
constexpr uint32_t kMaxRows = 3 * kLanes;

struct Header {
    uint32_t magic;
    uint32_t stepSeconds;
    int64_t startSeconds;
    uint32_t ticks;
    uint32_t rows;
};

struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

ZSTD_CCtx* packer()
{
    thread_local const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    return context.get();
}

ZSTD_DCtx* unpacker()
{
    thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
    return context.get();
}

// Differences wrap around: kNoCode beside any number is a difference like another.
uint32_t toZigzag(uint32_t difference)
{
    return (difference << 1) ^ (0U - (difference >> 31));
}

uint32_t fromZigzag(uint32_t zigzag)
{
    return (zigzag >> 1) ^ (0U - (zigzag & 1));
}

Status damaged(std::string_view what)
{
    return absl::DataLossError(fmt::format("A block of readings is damaged ({}).", what));
}

}  // namespace

std::string packBlock(const BlockShape& shape, std::span<const int32_t> codes)
{
    const size_t count = codes.size();
    thread_local std::string planes;
    planes.resize(count * kPlanes);
    auto* bytes = reinterpret_cast<uint8_t*>(planes.data());
    for (size_t row = 0; row < shape.rows; ++row) {
        uint32_t before = 0;
        for (size_t i = row * shape.ticks; i < (row + 1) * shape.ticks; ++i) {
            const auto code = uint32_t(codes[i]);
            const uint32_t zigzag = toZigzag(code - before);
            before = code;
            for (size_t plane = 0; plane < kPlanes; ++plane)
                bytes[plane * count + i] = uint8_t(zigzag >> (8 * plane));
        }
    }
    const Header header{kMagic, shape.stepSeconds, shape.startSeconds, shape.ticks, shape.rows};
    std::string packed(sizeof header + ZSTD_compressBound(planes.size()), '\0');
    std::memcpy(packed.data(), &header, sizeof header);
    // Cannot fail: the room is ZSTD_compressBound().
    const size_t size = ZSTD_compress2(packer(), packed.data() + sizeof header,
                                       packed.size() - sizeof header, planes.data(), planes.size());
    packed.resize(sizeof header + size);
    return packed;
}

StatusOr<Block> Block::unpack(std::string_view packed)
{
    Header header{};
    if (packed.size() < sizeof header)
        return damaged("it is cut");
    std::memcpy(&header, packed.data(), sizeof header);
    if (header.magic != kMagic)
        return damaged("its first bytes are not those of a block");
    if (header.ticks == 0 || header.ticks > kMaxTicks || header.rows == 0 ||
        header.rows > kMaxRows || header.stepSeconds == 0)
        return damaged("its size makes no sense");
    Block block;
    block.m_shape = {header.startSeconds, header.stepSeconds, header.ticks, header.rows};
    block.m_planes.resize(size_t(header.ticks) * header.rows * kPlanes);
    packed.remove_prefix(sizeof header);
    const size_t size = ZSTD_decompressDCtx(unpacker(), block.m_planes.data(),
                                            block.m_planes.size(), packed.data(), packed.size());
    if (ZSTD_isError(size))
        return damaged(ZSTD_getErrorName(size));
    if (size != block.m_planes.size())
        return damaged("it is shorter than it says");
    return block;
}

uint32_t Block::zigzag(size_t position) const
{
    const size_t count = m_planes.size() / kPlanes;
    const auto* bytes = reinterpret_cast<const uint8_t*>(m_planes.data()) + position;
    return uint32_t(bytes[0]) | uint32_t(bytes[count]) << 8 | uint32_t(bytes[2 * count]) << 16 |
           uint32_t(bytes[3 * count]) << 24;
}

std::vector<int32_t> Block::row(uint32_t row) const
{
    std::vector<int32_t> codes(m_shape.ticks, kNoCode);
    if (row >= m_shape.rows)
        return codes;
    uint32_t code = 0;
    for (uint32_t tick = 0; tick < m_shape.ticks; ++tick) {
        code += fromZigzag(zigzag(size_t(row) * m_shape.ticks + tick));
        codes[tick] = int32_t(code);
    }
    return codes;
}

std::vector<int32_t> Block::at(uint32_t tick) const
{
    std::vector<int32_t> codes(m_shape.rows, kNoCode);
    if (tick >= m_shape.ticks)
        return codes;
    for (uint32_t row = 0; row < m_shape.rows; ++row) {
        uint32_t code = 0;
        for (uint32_t i = 0; i <= tick; ++i)
            code += fromZigzag(zigzag(size_t(row) * m_shape.ticks + i));
        codes[row] = int32_t(code);
    }
    return codes;
}

std::vector<int32_t> Block::all() const
{
    std::vector<int32_t> codes;
    codes.reserve(size_t(m_shape.rows) * m_shape.ticks);
    for (uint32_t one = 0; one < m_shape.rows; ++one) {
        const std::vector<int32_t> values = row(one);
        codes.insert(codes.end(), values.begin(), values.end());
    }
    return codes;
}

}  // namespace yard::store
