#include "backend/store/series/series_buffer.h"

#include <algorithm>

#include "backend/store/series/series_scale.h"
#include "backend/store/series/series_schema.h"

namespace yard::store {
namespace {

constexpr uint32_t kMostTicks = 20;  // five minutes
constexpr size_t kMostNumbers = 4'000'000;

constexpr int64_t step()
{
    return kRawStep.count();
}

}  // namespace

uint32_t SeriesBuffer::windowTicks(size_t lanes)
{
    const size_t columns = domain::kGpuMetricCount;
    uint32_t ticks = kMostTicks;
    while (ticks > 1 && lanes * columns * ticks > kMostNumbers)
        ticks /= 2;
    // A divisor of an hour's ticks, so that no window crosses the hour.
    while (240 % ticks != 0)
        --ticks;
    return ticks;
}

size_t SeriesBuffer::tickOf(int64_t tickSeconds) const
{
    return size_t((tickSeconds - m_start) / step());
}

bool SeriesBuffer::covers(int64_t tickSeconds) const
{
    const std::lock_guard lock(m_mutex);
    return m_ticks > 0 && tickSeconds >= m_start && tickOf(tickSeconds) < m_ticks;
}

void SeriesBuffer::begin(int64_t tickSeconds, uint32_t windowTicks)
{
    const std::lock_guard lock(m_mutex);
    const int64_t window = int64_t(windowTicks) * step();
    const int64_t ends = (tickSeconds / window + 1) * window;
    m_start = tickSeconds;
    m_ticks = uint32_t((ends - tickSeconds) / step());
    for (size_t kind = 0; kind < m_rows.size(); ++kind)
        m_rows[kind].assign(metricCount(domain::SeriesKind(kind)), {});
}

void SeriesBuffer::put(domain::SeriesKind kind, uint32_t metric, int64_t tickSeconds,
                       const std::vector<uint32_t>& lanes, const std::vector<int32_t>& codes)
{
    const std::lock_guard lock(m_mutex);
    Rows& rows = m_rows[size_t(kind)][metric];
    const size_t tick = tickOf(tickSeconds);
    for (size_t i = 0; i < lanes.size(); ++i) {
        const size_t place = size_t(lanes[i]) * m_ticks + tick;
        if (place >= rows.size()) {
            if (codes[i] == kNoCode)
                continue;
            const size_t groups = lanes[i] / kLanes + 1;
            rows.resize(groups * kLanes * m_ticks, kNoCode);
        }
        rows[place] = codes[i];
    }
}

std::vector<PackedBlock> SeriesBuffer::pack() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<PackedBlock> blocks;
    const size_t size = size_t(kLanes) * m_ticks;
    const BlockShape shape{m_start, uint32_t(step()), m_ticks, kLanes};
    for (size_t kind = 0; kind < m_rows.size(); ++kind)
        for (uint32_t metric = 0; metric < m_rows[kind].size(); ++metric) {
            const Rows& rows = m_rows[kind][metric];
            for (size_t begin = 0; begin < rows.size(); begin += size) {
                const std::span<const int32_t> codes(rows.data() + begin, size);
                if (std::ranges::all_of(codes, [](int32_t code) { return code == kNoCode; }))
                    continue;
                blocks.push_back({SeriesLevel::FreshRaw,
                                  seriesNumber(domain::SeriesKind(kind), metric), m_start,
                                  uint32_t(begin / size), packBlock(shape, codes)});
            }
        }
    return blocks;
}

SeriesBuffer::Piece SeriesBuffer::row(domain::SeriesKind kind, uint32_t metric, uint32_t lane) const
{
    const std::lock_guard lock(m_mutex);
    Piece piece{{m_start, uint32_t(step()), m_ticks, 1}, Rows(m_ticks, kNoCode)};
    if (m_ticks == 0)
        return piece;
    const Rows& rows = m_rows[size_t(kind)][metric];
    const size_t begin = size_t(lane) * m_ticks;
    if (begin < rows.size())
        std::copy_n(rows.begin() + std::ptrdiff_t(begin), m_ticks, piece.codes.begin());
    return piece;
}

std::vector<int32_t> SeriesBuffer::at(domain::SeriesKind kind, uint32_t metric,
                                      int64_t tickSeconds) const
{
    const std::lock_guard lock(m_mutex);
    if (m_ticks == 0 || tickSeconds < m_start || tickOf(tickSeconds) >= m_ticks)
        return {};
    const Rows& rows = m_rows[size_t(kind)][metric];
    std::vector<int32_t> codes(rows.size() / m_ticks, kNoCode);
    for (size_t lane = 0; lane < codes.size(); ++lane)
        codes[lane] = rows[lane * m_ticks + tickOf(tickSeconds)];
    return codes;
}

}  // namespace yard::store
