#include "backend/store/series/series_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/base/log.h"
#include "backend/store/series/series_compaction.h"
#include "backend/store/series/series_scale.h"
#include "backend/store/series/series_schema.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

constexpr size_t kMostBacklogBytes = 32U << 20;
constexpr int64_t kTidyEverySeconds = 3600;
constexpr size_t kKinds = 2;

}  // namespace

SeriesWriter::SeriesWriter(Database database, SubjectBook& book, SeriesBuffer& buffer,
                           const Clock& clock, SeriesRetention retention)
    : m_database(std::move(database))
    , m_book(book)
    , m_buffer(buffer)
    , m_clock(clock)
    , m_retention(retention)
{
}

SeriesWriter::~SeriesWriter()
{
    onHealth(nullptr);
    (void)m_loop.post([this] { report(writeWindow()); });
}

void SeriesWriter::append(SeriesTick tick)
{
    auto shared = std::make_shared<SeriesTick>(std::move(tick));
    if (m_loop.post([this, shared] { take(*shared); }))
        return;
    const std::lock_guard lock(m_healthMutex);
    ++m_health.lostTicks;
}

void SeriesWriter::flush(std::function<void(Status)> done)
{
    const bool posted = m_loop.post([this, done] {
        const size_t before = m_backlog.size();
        const Status status = writeWindow();
        // The window is still open and will come again.
        while (!status.ok() && m_backlog.size() > before) {
            m_backlogBytes -= m_backlog.back().data.size();
            m_backlog.pop_back();
        }
        report(status);
        done(status);
    });
    if (!posted)
        done(absl::ResourceExhaustedError("The writer of readings is behind. Try again."));
}

void SeriesWriter::onHealth(std::function<void(SeriesHealth)> changed)
{
    const std::lock_guard lock(m_healthMutex);
    m_changed = std::move(changed);
}

void SeriesWriter::take(const SeriesTick& tick)
{
    const int64_t step = kRawStep.count();
    const int64_t at = toSeconds(tick.at);
    const int64_t seconds = at >= 0 ? at / step * step : 0;
    if (!m_buffer.covers(seconds)) {
        report(writeWindow());
        size_t lanes = 0;
        for (size_t kind = 0; kind < kKinds; ++kind)
            if (tick.kinds[kind].subjects)
                lanes = std::max(lanes, tick.kinds[kind].subjects->size());
        m_buffer.begin(seconds, SeriesBuffer::windowTicks(lanes));
        m_ticksInWindow = 0;
        tidy();
    }
    ++m_ticksInWindow;
    for (size_t kind = 0; kind < kKinds; ++kind)
        if (const Status status = takeKind(tick, domain::SeriesKind(kind), seconds); !status.ok())
            report(status);
}

Status SeriesWriter::takeKind(const SeriesTick& tick, domain::SeriesKind kind, int64_t seconds)
{
    const SeriesTick::Columns& columns = tick.kinds[size_t(kind)];
    if (!columns.subjects || columns.subjects->empty())
        return absl::OkStatus();
    Known& known = m_known[size_t(kind)];
    if (known.subjects != columns.subjects) {
        StatusOr<std::vector<uint32_t>> lanes = m_book.assign(m_database, kind, *columns.subjects);
        if (!lanes.ok())
            return lanes.status();
        known = {columns.subjects, *std::move(lanes)};
    }
    std::vector<int32_t> codes(known.lanes.size());
    const auto metrics = std::min<size_t>(columns.values.size(), metricCount(kind));
    for (uint32_t metric = 0; metric < metrics; ++metric) {
        const std::vector<float>& values = columns.values[metric];
        if (values.size() != codes.size())
            continue;
        const double scale = resolution(kind, metric);
        std::ranges::transform(values, codes.begin(),
                               [scale](float value) { return toCode(value, scale); });
        m_buffer.put(kind, metric, seconds, known.lanes, codes);
    }
    return absl::OkStatus();
}

Status SeriesWriter::writeWindow()
{
    for (PackedBlock& block : m_buffer.pack()) {
        m_backlogBytes += block.data.size();
        m_backlog.push_back(std::move(block));
    }
    const Status status = writeBacklog();
    if (!status.ok() && m_backlogBytes > kMostBacklogBytes) {
        // The oldest go first: what is newest is asked for most.
        while (m_backlogBytes > kMostBacklogBytes / 2) {
            m_backlogBytes -= m_backlog.front().data.size();
            m_backlog.pop_front();
        }
        const std::lock_guard lock(m_healthMutex);
        m_health.lostTicks += m_ticksInWindow;
    }
    return status;
}

Status SeriesWriter::writeBacklog()
{
    if (m_backlog.empty())
        return absl::OkStatus();
    StatusOr<Statement> insert = m_database.prepare(kInsertBlock);
    if (!insert.ok())
        return insert.status();
    YARD_RETURN_IF_ERROR(m_database.begin());
    Status status;
    for (const PackedBlock& block : m_backlog) {
        insert->bind(1, int64_t(block.level)).bind(2, block.series).bind(3, block.startSeconds);
        insert->bind(4, int64_t(block.group)).bindBlob(5, block.data);
        status = insert->run();
        if (!status.ok())
            break;
    }
    if (status.ok())
        status = m_database.commit();
    if (!status.ok()) {
        m_database.rollback();
        return status;
    }
    m_backlog.clear();
    m_backlogBytes = 0;
    return status;
}

void SeriesWriter::tidy()
{
    const int64_t now = toSeconds(m_clock.now());
    SeriesCompaction compaction(m_database);
    // A few series a window, so that ticks never wait long behind a whole hour's compaction.
    for (int series = 0; series < 8; ++series) {
        const StatusOr<bool> more = compaction.step(now);
        if (!more.ok()) {
            report(more.status());
            return;
        }
        if (!*more)
            break;
    }
    if (now - m_lastTidy < kTidyEverySeconds)
        return;
    m_lastTidy = now;
    if (const Status status = compaction.retain(m_retention, now); !status.ok())
        report(status);
}

void SeriesWriter::report(const Status& status)
{
    std::function<void(SeriesHealth)> changed;
    SeriesHealth health;
    {
        const std::lock_guard lock(m_healthMutex);
        const std::string error =
            status.ok() ? std::string()
                        : std::string(status.message()) + " Readings are not being kept.";
        if (error == m_health.error)
            return;
        m_health.ok = status.ok();
        m_health.error = error;
        health = m_health;
        changed = m_changed;
    }
    if (health.ok)
        log::info(fmt::format("Readings are kept again; {} moments were lost.", health.lostTicks));
    else
        log::error(health.error);
    if (changed)
        changed(health);
}

}  // namespace yard::store
