#include "backend/store/series/series_compaction.h"

#include <algorithm>

#include "backend/store/series/series_block.h"
#include "backend/store/series/series_scale.h"
#include "backend/store/series/series_schema.h"

namespace yard::store {
namespace {

struct Coarse {
    int32_t min = kNoCode;
    int32_t max = kNoCode;
    int64_t sum = 0;
    int64_t count = 0;

    void add(int32_t least, int32_t mean, int32_t most)
    {
        if (mean == kNoCode)
            return;
        min = count ? std::min(min, least) : least;
        max = count ? std::max(max, most) : most;
        sum += mean;
        ++count;
    }
    int32_t mean() const
    {
        if (!count)
            return kNoCode;
        const int64_t half = sum >= 0 ? count / 2 : -(count / 2);
        return int32_t((sum + half) / count);
    }
};

SeriesLevel wholeOf(SeriesLevel fresh)
{
    return fresh == SeriesLevel::FreshRaw ? SeriesLevel::Raw : SeriesLevel::Five;
}

/// Copies what `block` has over what the whole has, where they overlap in time.
void lay(const Block& block, const BlockShape& whole, std::vector<int32_t>& codes)
{
    const BlockShape& shape = block.shape();
    if (shape.stepSeconds != whole.stepSeconds || shape.rows != whole.rows)
        return;
    const int64_t shift = (shape.startSeconds - whole.startSeconds) / whole.stepSeconds;
    for (uint32_t row = 0; row < shape.rows; ++row) {
        const std::vector<int32_t> values = block.row(row);
        for (uint32_t tick = 0; tick < shape.ticks; ++tick) {
            const int64_t place = shift + tick;
            if (values[tick] != kNoCode && place >= 0 && place < whole.ticks)
                codes[size_t(row) * whole.ticks + size_t(place)] = values[tick];
        }
    }
}

}  // namespace

std::vector<int32_t> coarser(const std::vector<int32_t>& codes, uint32_t ticks, uint32_t every,
                             bool hasExtremes)
{
    const uint32_t coarseTicks = ticks / every;
    const size_t perLane = hasExtremes ? 3 : 1;
    const size_t lanes = codes.size() / (size_t(ticks) * perLane);
    std::vector<int32_t> result(lanes * 3 * coarseTicks, kNoCode);
    for (size_t lane = 0; lane < lanes; ++lane) {
        const int32_t* least = codes.data() + lane * perLane * ticks;
        const int32_t* mean = hasExtremes ? least + ticks : least;
        const int32_t* most = hasExtremes ? mean + ticks : least;
        for (uint32_t coarse = 0; coarse < coarseTicks; ++coarse) {
            Coarse all;
            for (uint32_t tick = coarse * every; tick < (coarse + 1) * every; ++tick)
                all.add(least[tick], mean[tick], most[tick]);
            int32_t* out = result.data() + lane * 3 * coarseTicks + coarse;
            out[0] = all.min;
            out[coarseTicks] = all.mean();
            out[size_t(2) * coarseTicks] = all.max;
        }
    }
    return result;
}

StatusOr<bool> SeriesCompaction::step(int64_t nowSeconds)
{
    for (const SeriesLevel fresh : {SeriesLevel::FreshRaw, SeriesLevel::FreshFive}) {
        Work work;
        const StatusOr<bool> found = find(fresh, spanStart(wholeOf(fresh), nowSeconds), work);
        if (!found.ok())
            return found.status();
        if (!*found)
            continue;
        YARD_RETURN_IF_ERROR(m_database.begin());
        Status status = compact(fresh, work);
        if (status.ok())
            status = m_database.commit();
        if (!status.ok()) {
            m_database.rollback();
            return status;
        }
        return true;
    }
    return false;
}

StatusOr<bool> SeriesCompaction::find(SeriesLevel fresh, int64_t before, Work& work)
{
    StatusOr<Statement> query =
        m_database.prepare("SELECT series, start_s FROM block WHERE level=? AND start_s<? LIMIT 1");
    if (!query.ok())
        return query.status();
    query->bind(1, int64_t(fresh)).bind(2, before);
    const StatusOr<bool> row = query->step();
    if (!row.ok() || !*row)
        return row;
    work.series = query->integer(0);
    work.startSeconds = spanStart(wholeOf(fresh), query->integer(1));
    return true;
}

Status SeriesCompaction::compact(SeriesLevel fresh, const Work& work)
{
    const int64_t end = work.startSeconds + shapeOf(wholeOf(fresh)).span.count();
    StatusOr<Statement> groups = m_database.prepare(
        "SELECT DISTINCT lane_group FROM block WHERE level=? AND series=? AND start_s>=? AND "
        "start_s<?");
    if (!groups.ok())
        return groups.status();
    groups->bind(1, int64_t(fresh)).bind(2, work.series).bind(3, work.startSeconds).bind(4, end);
    std::vector<uint32_t> all;
    for (;;) {
        const StatusOr<bool> row = groups->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
        all.push_back(uint32_t(groups->integer(0)));
    }
    for (const uint32_t group : all)
        YARD_RETURN_IF_ERROR(compactGroup(fresh, work, group));
    StatusOr<Statement> remove = m_database.prepare(
        "DELETE FROM block WHERE level=? AND series=? AND start_s>=? AND start_s<?");
    if (!remove.ok())
        return remove.status();
    remove->bind(1, int64_t(fresh)).bind(2, work.series).bind(3, work.startSeconds).bind(4, end);
    return remove->run();
}

Status SeriesCompaction::compactGroup(SeriesLevel fresh, const Work& work, uint32_t group)
{
    const SeriesLevel level = wholeOf(fresh);
    const LevelShape form = shapeOf(level);
    const BlockShape whole{work.startSeconds, uint32_t(form.step.count()),
                           uint32_t(form.span / form.step), form.hasExtremes ? 3 * kLanes : kLanes};
    std::vector<int32_t> codes(size_t(whole.rows) * whole.ticks, kNoCode);
    // A whole block is there already if the clock was set back: it comes first.
    StatusOr<Statement> blocks = m_database.prepare(
        "SELECT data FROM block WHERE level IN (?,?) AND series=? AND start_s>=? AND start_s<? AND "
        "lane_group=? ORDER BY level DESC, rowid");
    if (!blocks.ok())
        return blocks.status();
    blocks->bind(1, int64_t(fresh)).bind(2, int64_t(level)).bind(3, work.series);
    blocks->bind(4, work.startSeconds).bind(5, whole.endSeconds()).bind(6, int64_t(group));
    for (;;) {
        const StatusOr<bool> row = blocks->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
        // A damaged block costs its own readings only.
        if (const StatusOr<Block> block = Block::unpack(blocks->blob(0)); block.ok())
            lay(*block, whole, codes);
    }
    YARD_RETURN_IF_ERROR(insert(level, work, work.startSeconds, group, packBlock(whole, codes)));

    const SeriesLevel above =
        fresh == SeriesLevel::FreshRaw ? SeriesLevel::FreshFive : SeriesLevel::Hour;
    const auto every = uint32_t(shapeOf(above).step / form.step);
    const BlockShape coarse{work.startSeconds, uint32_t(shapeOf(above).step.count()),
                            whole.ticks / every, 3 * kLanes};
    return insert(above, work, work.startSeconds, group,
                  packBlock(coarse, coarser(codes, whole.ticks, every, form.hasExtremes)));
}

Status SeriesCompaction::insert(SeriesLevel level, const Work& work, int64_t start, uint32_t group,
                                const std::string& data)
{
    StatusOr<Statement> statement = m_database.prepare(kInsertBlock);
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(level)).bind(2, work.series).bind(3, start);
    statement->bind(4, int64_t(group)).bindBlob(5, data);
    return statement->run();
}

Status SeriesCompaction::retain(const SeriesRetention& retention, int64_t nowSeconds)
{
    const auto drop = [&](std::initializer_list<SeriesLevel> levels, std::chrono::hours keep) {
        StatusOr<Statement> remove =
            m_database.prepare("DELETE FROM block WHERE level=? AND series=? AND start_s<?");
        if (!remove.ok())
            return remove.status();
        for (const SeriesLevel level : levels)
            for (int64_t kind = 0; kind < 2; ++kind)
                for (uint32_t metric = 0; metric < metricCount(domain::SeriesKind(kind));
                     ++metric) {
                    const int64_t oldest = nowSeconds - std::chrono::seconds(keep).count();
                    remove->bind(1, int64_t(level))
                        .bind(2, seriesNumber(domain::SeriesKind(kind), metric));
                    remove->bind(3, spanStart(level, oldest));
                    YARD_RETURN_IF_ERROR(remove->run());
                }
        return absl::OkStatus();
    };
    YARD_RETURN_IF_ERROR(drop({SeriesLevel::FreshRaw, SeriesLevel::Raw}, retention.raw));
    YARD_RETURN_IF_ERROR(drop({SeriesLevel::FreshFive, SeriesLevel::Five}, retention.five));
    YARD_RETURN_IF_ERROR(drop({SeriesLevel::Hour}, retention.hour));
    return m_database.execute("PRAGMA incremental_vacuum(2000)");
}

}  // namespace yard::store
