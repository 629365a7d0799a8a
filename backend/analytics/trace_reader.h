#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/analytics/job_table.h"
#include "backend/analytics/odd_rows.h"
#include "backend/analytics/trace_fields.h"
#include "backend/analytics/trace_format.h"
#include "backend/analytics/trace_lines.h"
#include "backend/base/status.h"

namespace yard::analytics {

struct TraceOptions {
    std::optional<TraceFormat> format;  ///< empty: by the heading
    std::string zone;     ///< of times without an offset; empty: local for sacct, UTC for others
    std::string cluster;  ///< of jobs whose row and format name none
    /// Bytes read and in all, at most once a read() of some thousand rows.
    std::function<void(uint64_t, uint64_t)> progress;
};

/// Reads the jobs of one trace, plain or gzip: AcmeTrace (columns of Seren or Kalos), the Philly
/// job table, `sacct -P` with any columns. A bad row costs that row. Steps of sacct are no jobs.
///
/// Thread: one at a time.
class TraceReader {
public:
    /// INVALID_ARGUMENT if the heading is none of the format or the zone is not known.
    static StatusOr<TraceReader> open(const std::string& path, TraceOptions options);

    /// Appends at most `limit` jobs. False when there are no more; DATA_LOSS for a cut file, whose
    /// jobs before the cut are in the table.
    StatusOr<bool> read(JobTable& table, size_t limit);
    /// Passes over lines, as of an import that was interrupted.
    Status skipTo(uint64_t line);

    const TraceLayout& layout() const { return m_layout; }
    const std::string& cluster() const { return m_cluster; }
    const OddRows& oddRows() const { return m_odd; }
    uint64_t line() const { return m_lines.number(); }  ///< last one read
    uint64_t jobs() const { return m_jobs; }
    uint64_t steps() const { return m_steps; }
    uint64_t bytesRead() const { return m_lines.bytesRead(); }
    uint64_t bytesInAll() const { return m_lines.bytesInAll(); }

private:
    TraceReader(std::string path, TraceOptions options, TraceLines lines, TraceLayout layout,
                absl::TimeZone zone);
    enum class Verdict { Job, Step, Odd };
    Verdict parse(std::string_view line, JobRow& row);
    bool take(size_t column, std::string_view field, JobRow& row);
    bool takeTime(size_t column, std::string_view field, int64_t& time);
    bool takeCount(size_t column, std::string_view field, int32_t& count);
    bool complete(JobRow& row);
    bool refuse(OddRow kind, std::string_view what);
    uint8_t sourceIn(JobTable& table) const;

    std::string m_path;
    std::string m_cluster;
    TraceOptions m_options;
    TraceLines m_lines;
    TraceLayout m_layout;
    TimeReader m_times;
    std::vector<std::string_view> m_fields;
    OddRows m_odd;
    uint64_t m_jobs = 0;
    uint64_t m_steps = 0;
    int64_t m_gpuTime = -1;  // of the row at hand, as it is written
    bool m_hasAllocation = false;
};

/// The whole file, from its first row.
StatusOr<OddRows> readTrace(const std::string& path, const TraceOptions& options, JobTable& table);

}  // namespace yard::analytics
