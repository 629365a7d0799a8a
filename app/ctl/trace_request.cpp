#include "app/ctl/trace_request.h"

#include <fmt/format.h>
#include <unistd.h>

#include <limits>

#include "app/ctl/connection.h"

namespace yard::ctl {
namespace {

constexpr size_t kMostFiles = 200;

}  // namespace

void TraceRequest::addFormatOptions(CLI::App& command)
{
    command.add_option("--format", format, "acme, philly or sacct; found by the heading otherwise")
        ->check(CLI::IsMember({"acme", "philly", "sacct"}));
    command.add_option("--zone", zone,
                       "Time zone of times without an offset, such as Asia/Shanghai; otherwise "
                       "this computer's for sacct, UTC for traces");
}

analytics::TraceOptions TraceRequest::options() const
{
    analytics::TraceOptions options;
    options.format = analytics::traceFormatFrom(format);
    options.zone = zone;
    return options;
}

ExitCode readTraces(const TraceRequest& request, TraceJobs& jobs)
{
    if (request.files.size() > kMostFiles)
        return complain(BadUsage, fmt::format("{} files are too many, {} can be read together.",
                                              request.files.size(), kMostFiles));
    for (const std::string& file : request.files) {
        ProgressLine line("Reading " + file);
        analytics::TraceOptions options = request.options();
        options.progress = [&line](uint64_t done, uint64_t all) { line.show(done, all); };
        auto reader = analytics::TraceReader::open(file, std::move(options));
        if (!reader.ok())
            return complain(BadInput, std::string(reader.status().message()));
        const auto more = reader->read(jobs.table, std::numeric_limits<size_t>::max());
        if (!more.ok())
            return complain(BadInput, std::string(more.status().message()));
        jobs.odd.add(reader->oddRows());
        jobs.files.push_back({file, std::string(analytics::name(reader->layout().format)),
                              reader->jobs(), reader->steps()});
    }
    return Done;
}

ProgressLine::ProgressLine(std::string what)
    : m_what(std::move(what))
    , m_isTerminal(isatty(STDERR_FILENO) == 1)
{
}

ProgressLine::~ProgressLine()
{
    if (m_percent >= 0)
        fmt::print(stderr, "\r\x1b[K");
}

void ProgressLine::show(uint64_t done, uint64_t all)
{
    const int percent = all == 0 ? 100 : int(double(done) / double(all) * 100);
    if (!m_isTerminal || percent == m_percent)
        return;
    m_percent = percent;
    constexpr int kBar = 30;
    const int filled = percent * kBar / 100;
    fmt::print(stderr, "\r{}  [{:#<{}}{:.<{}}] {:3} %", m_what, "", filled, "", kBar - filled,
               percent);
}

void tellOddRows(const analytics::OddRows& odd)
{
    for (size_t i = 0; i < analytics::kOddRowCount; ++i) {
        const auto kind = analytics::OddRow(i);
        if (odd.count(kind) == 0)
            continue;
        fmt::print(stderr, "{} rows, {}: {}\n", odd.count(kind), analytics::id(kind),
                   analytics::words(kind));
        for (const std::string& example : odd.examples(kind))
            fmt::print(stderr, "    {}\n", example);
    }
}

}  // namespace yard::ctl
