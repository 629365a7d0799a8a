#include "backend/analytics/trace_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "backend/base/text.h"

namespace yard::analytics {
namespace {

constexpr size_t kRowsBetweenProgress = 4096;
constexpr int32_t kMostGpus = 1'000'000;
constexpr int64_t kLongestSpan = int64_t(60) * 365 * 86'400;  // fits the columns of seconds

/// sacct's words for a time that has not come.
bool isNoTime(std::string_view field)
{
    return field.empty() || field == "Unknown" || field == "None" || field == "N/A";
}

StatusOr<absl::TimeZone> zoneOf(const std::string& name, TraceFormat format)
{
    if (name.empty())
        return format == TraceFormat::Sacct ? absl::LocalTimeZone() : absl::UTCTimeZone();
    absl::TimeZone zone;
    if (!absl::LoadTimeZone(name, &zone))
        return absl::InvalidArgumentError(fmt::format(
            "There is no time zone {}. Give a name such as UTC or Asia/Shanghai.", name));
    return zone;
}

}  // namespace

TraceReader::TraceReader(std::string path, TraceOptions options, TraceLines lines,
                         TraceLayout layout, absl::TimeZone zone)
    : m_path(std::move(path))
    , m_cluster(options.cluster.empty() ? layout.cluster : options.cluster)
    , m_options(std::move(options))
    , m_lines(std::move(lines))
    , m_layout(std::move(layout))
    , m_times(zone)
    , m_fields(m_layout.columns.size())
{
}

StatusOr<TraceReader> TraceReader::open(const std::string& path, TraceOptions options)
{
    StatusOr<TraceLines> lines = TraceLines::open(path);
    if (!lines.ok())
        return lines.status();
    std::string_view heading;
    if (!lines->next(heading)) {
        if (!lines->status().ok())
            return lines->status();
        return absl::InvalidArgumentError(
            fmt::format("The file {} is empty. A trace begins with a line of column names.", path));
    }
    StatusOr<TraceLayout> layout = readHeading(heading, options.format);
    if (!layout.ok())
        return absl::InvalidArgumentError(
            fmt::format("{}:1: {}", path, std::string(layout.status().message())));
    const StatusOr<absl::TimeZone> zone = zoneOf(options.zone, layout->format);
    if (!zone.ok())
        return zone.status();
    return TraceReader(path, std::move(options), *std::move(lines), *std::move(layout), *zone);
}

uint8_t TraceReader::sourceIn(JobTable& table) const
{
    for (size_t i = 0; i < table.sources.size(); ++i) {
        if (table.sources[i].path == m_path)
            return uint8_t(i);
    }
    table.sources.push_back(
        {m_path, m_cluster, m_layout.durationHasWait, m_layout.has(TraceColumn::Duration)});
    return uint8_t(table.sources.size() - 1);
}

StatusOr<bool> TraceReader::read(JobTable& table, size_t limit)
{
    JobRow row;
    const uint8_t source = sourceIn(table);
    std::string_view line;
    for (size_t count = 0; count < limit;) {
        if (!m_lines.next(line)) {
            if (m_options.progress)
                m_options.progress(m_lines.bytesInAll(), m_lines.bytesInAll());
            if (!m_lines.status().ok())
                return m_lines.status();
            return count > 0;
        }
        if (m_options.progress && m_lines.number() % kRowsBetweenProgress == 0)
            m_options.progress(m_lines.bytesRead(), m_lines.bytesInAll());
        if (line.empty())
            continue;
        row = JobRow();
        row.source = source;
        row.cluster = m_cluster;
        switch (parse(line, row)) {
            case Verdict::Job:
                table.add(row);
                ++m_jobs;
                ++count;
                break;
            case Verdict::Step:
                ++m_steps;
                break;
            case Verdict::Odd:
                break;
        }
    }
    return true;
}

Status TraceReader::skipTo(uint64_t line)
{
    std::string_view passed;
    while (m_lines.number() < line && m_lines.next(passed)) {
    }
    return m_lines.status();
}

bool TraceReader::refuse(OddRow kind, std::string_view what)
{
    m_odd.add(kind, m_path, m_lines.number(), what);
    return false;
}

TraceReader::Verdict TraceReader::parse(std::string_view line, JobRow& row)
{
    if (m_lines.isCut()) {
        refuse(OddRow::LongLine, "the line is too long");
        return Verdict::Odd;
    }
    const size_t count = splitRow(line, m_layout.separator, m_fields);
    if (count != m_fields.size()) {
        refuse(OddRow::FieldCount,
               fmt::format("{} fields where the heading has {}", count, m_fields.size()));
        return Verdict::Odd;
    }
    m_gpuTime = -1;
    m_hasAllocation = false;
    for (size_t column = 0; column < count; ++column) {
        if (m_layout.columns[column] != TraceColumn::Ignored &&
            !take(column, m_fields[column], row))
            return Verdict::Odd;
    }
    // Steps: "123.batch". Ids of AcmeTrace have no point.
    if (m_layout.format == TraceFormat::Sacct && row.id.find('.') != std::string_view::npos)
        return Verdict::Step;
    return complete(row) ? Verdict::Job : Verdict::Odd;
}

bool TraceReader::takeTime(size_t column, std::string_view field, int64_t& time)
{
    if (isNoTime(field))
        return true;
    const std::optional<int64_t> seconds = m_times.read(field);
    if (!seconds)
        return refuse(OddRow::BadTime,
                      fmt::format("{} \"{}\" is no time", m_layout.headings[column], field));
    time = *seconds;
    return true;
}

bool TraceReader::takeCount(size_t column, std::string_view field, int32_t& count)
{
    if (field.empty())
        return true;
    const bool isElapsed =
        m_layout.format == TraceFormat::Sacct && m_layout.columns[column] == TraceColumn::Duration;
    const std::optional<int32_t> value = isElapsed ? readElapsed(field) : readCount(field);
    if (!value)
        return refuse(OddRow::BadNumber,
                      fmt::format("{} \"{}\" is no number", m_layout.headings[column], field));
    count = *value;
    return true;
}

bool TraceReader::take(size_t column, std::string_view field, JobRow& row)
{
    switch (m_layout.columns[column]) {
        case TraceColumn::Ignored:
            return true;
        case TraceColumn::Id:
            if (row.id.empty())
                row.id = field;
            return true;
        case TraceColumn::RawId:
            row.id = field.empty() ? row.id : field;
            return true;
        case TraceColumn::Cluster:
            row.cluster = field.empty() ? row.cluster : field;
            return true;
        case TraceColumn::User:
            row.user = field;
            return true;
        case TraceColumn::Account:
            row.account = field;
            return true;
        case TraceColumn::Partition:
            row.partition = field;
            return true;
        case TraceColumn::Qos:
            row.qos = field;
            return true;
        case TraceColumn::Name:
            row.name = field;
            return true;
        case TraceColumn::Comment:
            row.comment = field;
            return true;
        case TraceColumn::Type:
            row.type = field;
            return true;
        case TraceColumn::State:
            // "CANCELLED by 1000"
            row.state = domain::jobStateFrom(field.substr(0, field.find(' ')));
            if (row.state == domain::JobState::Unknown && !field.empty())
                refuse(OddRow::UnknownState, fmt::format("state \"{}\"", field));
            return true;
        case TraceColumn::Nodes:
            return takeCount(column, field, row.nodes);
        case TraceColumn::Gpus:
            return takeCount(column, field, row.gpus);
        case TraceColumn::Cpus:
            return takeCount(column, field, row.cpus);
        case TraceColumn::AllocatedTres:
            if (!field.empty()) {
                row.gpus = gpusOfTres(field);
                m_hasAllocation = true;
            }
            return true;
        case TraceColumn::RequestedTres:
            if (!m_hasAllocation)
                row.gpus = gpusOfTres(field);
            return true;
        case TraceColumn::Submit:
            return takeTime(column, field, row.submit);
        case TraceColumn::Start:
            return takeTime(column, field, row.start);
        case TraceColumn::End:
            return takeTime(column, field, row.end);
        case TraceColumn::Duration:
            return takeCount(column, field, row.duration);
        case TraceColumn::Queue:
            return takeCount(column, field, row.queue);
        case TraceColumn::GpuTime: {
            double seconds = 0;
            const char* const end = field.data() + field.size();
            if (field.empty())
                return true;
            if (std::from_chars(field.data(), end, seconds).ptr != end || !(seconds >= 0) ||
                seconds > 9e15)
                return refuse(OddRow::BadNumber, fmt::format("{} \"{}\" is no number",
                                                             m_layout.headings[column], field));
            m_gpuTime = int64_t(seconds);
            return true;
        }
    }
    return true;
}

bool TraceReader::complete(JobRow& row)
{
    if (row.id.empty())
        return refuse(OddRow::NoId, "no job id");
    if (row.gpus > kMostGpus)
        return refuse(OddRow::BadNumber, fmt::format("{} GPUs for one job", row.gpus));
    if (row.submit == kNoTime)
        return refuse(OddRow::NoSubmitTime, "no submit time");
    const bool hasStart = row.start != kNoTime;
    const bool hasEnd = row.end != kNoTime;
    if ((hasStart && row.start < row.submit) || (hasEnd && row.end < row.submit) ||
        (hasStart && hasEnd && row.end < row.start))
        return refuse(OddRow::EndsBeforeItStarts, "submit, start and end are not in order");
    if (std::max(row.start, row.end) > row.submit + kLongestSpan)
        return refuse(OddRow::BadTime, "more than 60 years between its times");

    // What the file does not write follows from the times.
    const int64_t begin = m_layout.durationHasWait ? row.submit : row.start;
    if (begin != kNoTime && hasEnd) {
        if (row.duration == kNoSeconds)
            row.duration = int32_t(row.end - begin);
        else if (row.duration != row.end - begin)
            refuse(OddRow::DurationDisagrees, fmt::format("duration {} where the times make {}",
                                                          row.duration, row.end - begin));
    }
    if (hasStart) {
        if (row.queue == kNoSeconds)
            row.queue = int32_t(row.start - row.submit);
        else if (row.queue != row.start - row.submit)
            refuse(OddRow::DurationDisagrees, fmt::format("queue {} where the times make {}",
                                                          row.queue, row.start - row.submit));
    }
    if (m_gpuTime >= 0 && row.duration != kNoSeconds &&
        m_gpuTime != int64_t(row.gpus) * row.duration)
        refuse(OddRow::GpuTimeDisagrees,
               fmt::format("GPU time {} where {} GPUs x {} s make {}", m_gpuTime, row.gpus,
                           row.duration, int64_t(row.gpus) * row.duration));
    if (row.type.empty() && row.gpus == 0 && m_layout.format == TraceFormat::Sacct)
        row.type = "CPU";
    return true;
}

StatusOr<OddRows> readTrace(const std::string& path, const TraceOptions& options, JobTable& table)
{
    StatusOr<TraceReader> reader = TraceReader::open(path, options);
    if (!reader.ok())
        return reader.status();
    const StatusOr<bool> more = reader->read(table, std::numeric_limits<size_t>::max());
    if (!more.ok())
        return more.status();
    return reader->oddRows();
}

}  // namespace yard::analytics
