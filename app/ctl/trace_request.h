#pragma once

#include <CLI/App.hpp>

#include <string>
#include <vector>

#include "app/ctl/exit_codes.h"
#include "backend/analytics/job_table.h"
#include "backend/analytics/odd_rows.h"
#include "backend/analytics/trace_reader.h"

namespace yard::ctl {

/// Which files of jobs to read, and how: the same for every verb that reads some.
struct TraceRequest {
    std::vector<std::string> files;
    std::string format;
    std::string zone;
    std::string cluster;

    void addFormatOptions(CLI::App& command);
    /// As the readers take it. `progress` may be empty.
    analytics::TraceOptions options() const;
};

/// A file that was read.
struct TraceSummary {
    std::string path;
    std::string format;
    uint64_t jobs = 0;
    uint64_t steps = 0;
};

struct TraceJobs {
    analytics::JobTable table;
    analytics::OddRows odd;
    std::vector<TraceSummary> files;
};

/// Reads all files into one table; a bar on standard error if that is a terminal. Complains and
/// returns its code if a file cannot be read.
ExitCode readTraces(const TraceRequest& request, TraceJobs& jobs);

/// "Reading trace.csv  45 %" on one line of a terminal's standard error; silent elsewhere.
class ProgressLine {
public:
    explicit ProgressLine(std::string what);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(uint64_t done, uint64_t all);

private:
    std::string m_what;
    bool m_isTerminal;
    int m_percent = -1;
};

/// A line for each kind with its first examples, on standard error.
void tellOddRows(const analytics::OddRows& odd);

}  // namespace yard::ctl
