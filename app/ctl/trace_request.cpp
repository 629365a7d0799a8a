#include "app/ctl/trace_request.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <map>

#include "app/ctl/connection.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

constexpr size_t kMostFiles = 200;

/// Files by what they are, not by their names: the same jobs must not be counted twice.
class FilesOnce {
public:
    /// Says so where `file` is one that was named before.
    bool isNew(const std::string& file)
    {
        struct stat about = {};
        if (stat(file.c_str(), &about) != 0)
            return true;  // the reader says why it cannot be read
        const auto [place, isNew] = m_names.try_emplace({about.st_dev, about.st_ino}, file);
        if (!isNew && place->second == file)
            fmt::print(stderr, "{} is named twice; it was read once.\n", file);
        else if (!isNew)
            fmt::print(stderr, "{} is the same file as {}; it was read once.\n", file,
                       place->second);
        return isNew;
    }

private:
    std::map<std::pair<dev_t, ino_t>, std::string> m_names;
};

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
    FilesOnce once;
    for (const std::string& file : request.files) {
        if (!once.isNew(file))
            continue;
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
        if (reader->jobs() == 0 && reader->steps() == 0 && reader->oddRows().lost() == 0)
            fmt::print(stderr, "{} has a heading and no row below it.\n", file);
        jobs.files.push_back({file, std::string(analytics::name(reader->layout().format)),
                              reader->jobs(), reader->steps()});
    }
    if (jobs.table.size() > 0)
        return Done;
    tellOddRows(jobs.odd);
    return complain(BadInput, "There is no job to look at: no row could be read as one.");
}

ProgressLine::ProgressLine(std::string what)
    : m_what(text::visible(what))
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
            fmt::print(stderr, "    {}\n", text::visible(example));
    }
}

}  // namespace yard::ctl
