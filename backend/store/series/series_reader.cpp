#include "backend/store/series/series_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/store/series/series_scale.h"
#include "backend/store/series/series_schema.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr int64_t kRawAtMost = 2 * 86400;    // spans up to two days are shown raw
constexpr int64_t kFiveAtMost = 60 * 86400;  // up to two months in five minutes

constexpr const char* kOne =
    "SELECT data FROM block WHERE level=? AND series=? AND start_s=? AND lane_group=?";
constexpr const char* kFresh =
    "SELECT data FROM block WHERE level=0 AND series=? AND start_s>=? AND start_s<? AND "
    "lane_group=? ORDER BY start_s";
constexpr const char* kAll =
    "SELECT lane_group, data FROM block WHERE level=? AND series=? AND start_s=?";
constexpr const char* kAllFresh =
    "SELECT lane_group, data FROM block WHERE level=0 AND series=? AND start_s>? AND start_s<=? "
    "ORDER BY start_s";

Time timeOf(int64_t seconds)
{
    return Time(std::chrono::seconds(seconds));
}

std::optional<SeriesLevel> finer(SeriesLevel level)
{
    switch (level) {
        case SeriesLevel::Hour:
            return SeriesLevel::Five;
        case SeriesLevel::Five:
            return SeriesLevel::FreshFive;
        case SeriesLevel::FreshFive:
            return SeriesLevel::Raw;
        case SeriesLevel::Raw:
            return SeriesLevel::FreshRaw;
        case SeriesLevel::FreshRaw:
            break;
    }
    return std::nullopt;
}

/// The level's own step, or as many of them as it takes for `most` points.
std::chrono::seconds stepFor(SeriesLevel level, int64_t span, uint32_t most)
{
    const std::chrono::seconds own = shapeOf(level).step;
    const int64_t steps = span / own.count() + 1;
    return own * (most == 0 ? 1 : (steps + most - 1) / most);
}

domain::SeriesPoint pointOf(int64_t seconds, int32_t min, int32_t mean, int32_t max, double scale)
{
    return {timeOf(seconds), fromCode(min, scale), fromCode(mean, scale), fromCode(max, scale)};
}

}  // namespace

SeriesReader::SeriesReader(Database database, const SubjectBook& book, const SeriesBuffer& buffer,
                           const Clock& clock, SeriesRetention retention)
    : m_database(std::move(database))
    , m_book(book)
    , m_buffer(buffer)
    , m_clock(clock)
    , m_retention(retention)
{
}

Status SeriesReader::prepare()
{
    for (const auto& [statement, sql] :
         {std::pair(&m_one, kOne), {&m_fresh, kFresh}, {&m_all, kAll}, {&m_allFresh, kAllFresh}}) {
        StatusOr<Statement> prepared = m_database.prepare(sql);
        if (!prepared.ok())
            return prepared.status();
        *statement = *std::move(prepared);
    }
    return absl::OkStatus();
}

SeriesLevel SeriesReader::levelFor(int64_t from, int64_t to) const
{
    const int64_t age = toSeconds(m_clock.now()) - from;
    const auto kept = [age](std::chrono::hours keep) {
        return age <= std::chrono::seconds(keep).count();
    };
    if (to - from <= kRawAtMost && kept(m_retention.raw))
        return SeriesLevel::Raw;
    if (to - from <= kFiveAtMost && kept(m_retention.five))
        return SeriesLevel::Five;
    return SeriesLevel::Hour;
}

StatusOr<domain::SeriesAnswer> SeriesReader::range(const domain::SeriesRequest& request)
{
    const std::optional<uint32_t> lane = m_book.lane(request.kind, request.subject);
    if (!lane)
        return absl::NotFoundError(
            fmt::format("No readings of {} were ever kept.", request.subject.node));
    const int64_t from = toSeconds(request.from);
    const int64_t to = std::min(toSeconds(request.to), toSeconds(m_clock.now()) + 1);
    domain::SeriesAnswer answer;
    m_damaged = 0;
    const SeriesLevel level = levelFor(from, to);
    answer.step = stepFor(level, to - from, request.maxPoints);
    for (const uint32_t metric : request.metrics) {
        if (metric >= metricCount(request.kind))
            return absl::InvalidArgumentError("There is no such metric.");
        const Lane one{request.kind, metric, *lane};
        Points points;
        const StatusOr<int64_t> first = firstStart(one);
        if (!first.ok())
            return first.status();
        YARD_RETURN_IF_ERROR(collect(level, one, std::max(from, *first), to, points));
        answer.series.push_back(thin(std::move(points), answer.step));
    }
    if (m_damaged)
        answer.warnings.push_back(fmt::format(
            "{} blocks of readings are damaged; what they held is missing.", m_damaged));
    return answer;
}

StatusOr<int64_t> SeriesReader::firstStart(const Lane& lane)
{
    // Nothing is older than the oldest block of the series; without any, the buffer is all.
    int64_t first = toSeconds(m_clock.now());
    StatusOr<Statement> oldest =
        m_database.prepare("SELECT min(start_s) FROM block WHERE level=? AND series=?");
    if (!oldest.ok())
        return oldest.status();
    for (int64_t level = 0; level <= int64_t(SeriesLevel::Hour); ++level) {
        oldest->bind(1, level).bind(2, seriesNumber(lane.kind, lane.metric));
        const StatusOr<bool> row = oldest->step();
        if (!row.ok())
            return row.status();
        if (*row && !oldest->isNull(0))
            first = std::min(first, oldest->integer(0));
        oldest->reset();
    }
    return first - shapeOf(SeriesLevel::Raw).span.count();
}

Status SeriesReader::collect(SeriesLevel level, const Lane& lane, int64_t from, int64_t to,
                             Points& points)
{
    if (level == SeriesLevel::FreshRaw)
        return collectFresh(lane, from, to, points);
    const int64_t span = shapeOf(level).span.count();
    for (int64_t start = spanStart(level, from); start < to; start += span) {
        m_one.bind(1, int64_t(level)).bind(2, seriesNumber(lane.kind, lane.metric));
        m_one.bind(3, start).bind(4, int64_t(lane.lane / kLanes));
        const StatusOr<bool> row = m_one.step();
        if (!row.ok())
            return row.status();
        if (*row)
            appendBlock(m_one.blob(0), lane, from, to, points);
        m_one.reset();
        if (!*row)
            YARD_RETURN_IF_ERROR(collect(*finer(level), lane, std::max(from, start),
                                         std::min(to, start + span), points));
    }
    return absl::OkStatus();
}

Status SeriesReader::collectFresh(const Lane& lane, int64_t from, int64_t to, Points& points)
{
    const int64_t span = shapeOf(SeriesLevel::FreshRaw).span.count();
    m_fresh.bind(1, seriesNumber(lane.kind, lane.metric)).bind(2, from - span).bind(3, to);
    m_fresh.bind(4, int64_t(lane.lane / kLanes));
    for (;;) {
        const StatusOr<bool> row = m_fresh.step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
        appendBlock(m_fresh.blob(0), lane, from, to, points);
    }
    m_fresh.reset();
    const SeriesBuffer::Piece live = m_buffer.row(lane.kind, lane.metric, lane.lane);
    const double scale = resolution(lane.kind, lane.metric);
    const int64_t after = points.empty() ? INT64_MIN : toSeconds(points.back().at);
    for (uint32_t tick = 0; tick < live.shape.ticks; ++tick) {
        const int64_t at = live.shape.startSeconds + int64_t(tick) * live.shape.stepSeconds;
        const int32_t code = live.codes[tick];
        if (at >= from && at < to && at > after && code != kNoCode)
            points.push_back(pointOf(at, code, code, code, scale));
    }
    return absl::OkStatus();
}

void SeriesReader::appendBlock(std::string_view data, const Lane& lane, int64_t from, int64_t to,
                               Points& points)
{
    const StatusOr<Block> block = Block::unpack(data);
    if (!block.ok()) {
        ++m_damaged;
        return;
    }
    const BlockShape& shape = block->shape();
    const uint32_t row = lane.lane % kLanes;
    const bool extremes = shape.rows == 3 * kLanes;
    const std::vector<int32_t> mean = block->row(extremes ? 3 * row + 1 : row);
    const std::vector<int32_t> least = extremes ? block->row(3 * row) : mean;
    const std::vector<int32_t> most = extremes ? block->row(3 * row + 2) : mean;
    const double scale = resolution(lane.kind, lane.metric);
    const int64_t after = points.empty() ? INT64_MIN : toSeconds(points.back().at);
    for (uint32_t tick = 0; tick < shape.ticks; ++tick) {
        const int64_t at = shape.startSeconds + int64_t(tick) * shape.stepSeconds;
        if (at + int64_t(shape.stepSeconds) > from && at < to && at > after &&
            mean[tick] != kNoCode)
            points.push_back(pointOf(at, least[tick], mean[tick], most[tick], scale));
    }
}

StatusOr<domain::InstantAnswer> SeriesReader::at(const domain::InstantRequest& request)
{
    if (request.metric >= metricCount(request.kind))
        return absl::InvalidArgumentError("There is no such metric.");
    domain::InstantAnswer answer;
    answer.subjects = m_book.all(request.kind);
    answer.values.assign(answer.subjects->size(), domain::kNoReading);
    m_damaged = 0;
    const int64_t raw = kRawStep.count();
    const int64_t seconds = toSeconds(request.at);
    const int64_t tick = seconds >= 0 ? seconds / raw * raw : 0;

    const std::vector<int32_t> live = m_buffer.at(request.kind, request.metric, tick);
    answer.step = kRawStep;
    if (!live.empty()) {
        const double scale = resolution(request.kind, request.metric);
        for (size_t lane = 0; lane < std::min(live.size(), answer.values.size()); ++lane)
            answer.values[lane] = fromCode(live[lane], scale);
        return answer;
    }
    for (const SeriesLevel level : {SeriesLevel::Raw, SeriesLevel::FreshRaw, SeriesLevel::FreshFive,
                                    SeriesLevel::Five, SeriesLevel::Hour}) {
        const StatusOr<bool> found = instant(level, request, seconds, answer.values);
        if (!found.ok())
            return found.status();
        if (!*found)
            continue;
        answer.step = shapeOf(level).step;
        break;
    }
    if (m_damaged)
        answer.warnings.push_back(fmt::format(
            "{} blocks of readings are damaged; what they held is missing.", m_damaged));
    return answer;
}

StatusOr<bool> SeriesReader::instant(SeriesLevel level, const domain::InstantRequest& request,
                                     int64_t seconds, std::vector<float>& values)
{
    const bool fresh = level == SeriesLevel::FreshRaw;
    Statement& query = fresh ? m_allFresh : m_all;
    const int64_t series = seriesNumber(request.kind, request.metric);
    if (fresh)
        query.bind(1, series).bind(2, seconds - shapeOf(level).span.count()).bind(3, seconds);
    else
        query.bind(1, int64_t(level)).bind(2, series).bind(3, spanStart(level, seconds));
    const double scale = resolution(request.kind, request.metric);
    bool found = false;
    for (;;) {
        const StatusOr<bool> row = query.step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
        const StatusOr<Block> block = Block::unpack(query.blob(1));
        if (!block.ok()) {
            ++m_damaged;
            continue;
        }
        const BlockShape& shape = block->shape();
        if (seconds < shape.startSeconds || seconds >= shape.endSeconds())
            continue;
        found = true;
        const auto tick = uint32_t((seconds - shape.startSeconds) / shape.stepSeconds);
        const std::vector<int32_t> codes = block->at(tick);
        const bool extremes = shape.rows == 3 * kLanes;
        const size_t first = size_t(query.integer(0)) * kLanes;
        for (size_t lane = 0; lane < kLanes && first + lane < values.size(); ++lane)
            values[first + lane] = fromCode(codes[extremes ? 3 * lane + 1 : lane], scale);
    }
    query.reset();
    return found;
}

std::vector<domain::SeriesPoint> thin(std::vector<domain::SeriesPoint> points,
                                      std::chrono::seconds step)
{
    const int64_t length = std::max<int64_t>(step.count(), 1);
    size_t kept = 0;
    for (size_t begin = 0; begin < points.size();) {
        const int64_t seconds = toSeconds(points[begin].at);
        domain::SeriesPoint all = points[begin];
        all.at = timeOf(seconds - seconds % length);
        double sum = 0;
        size_t end = begin;
        for (; end < points.size() && points[end].at < all.at + step; ++end) {
            all.min = std::min(all.min, points[end].min);
            all.max = std::max(all.max, points[end].max);
            sum += points[end].mean;
        }
        end = std::max(end, begin + 1);
        all.mean = float(sum / double(end - begin));
        points[kept++] = all;
        begin = end;
    }
    points.resize(kept);
    return points;
}

}  // namespace yard::store
