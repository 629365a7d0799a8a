#include "backend/scheduler/slurm/sacct_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/job_row.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/table_text.h"
#include "backend/scheduler/slurm/time_text.h"

namespace yard::scheduler::slurm {
namespace {

/// Lists of fields that exporters and billing tools ask for, without a header (-n).
constexpr std::array<std::string_view, 3> kKnownLists{
    "admincomment,alloccpus,elapsed,jobid,jobidraw,maxrss,nnodes,ntasks,reqmem,state,submitline,"
    "timelimit,totalcpu",
    "jobid,user,group,partition,start,end,state,reqmem,maxrss,ncpus,totalcpu,nnodes,elapsed,"
    "exitcode,"
    "cluster,nodelist,timelimit,timelimitraw,jobidraw,jobname",
    "alloccpus,elapsed,jobid,jobidraw,maxrss,nnodes,reqmem,state,timelimit,totalcpu,start"};

std::vector<std::string> lowered(const std::vector<std::string_view>& names)
{
    std::vector<std::string> result;
    for (const std::string_view name : names)
        result.push_back(text::lowerCase(text::trimmed(name.substr(0, name.find('%')))));
    return result;
}

bool isHeader(const std::vector<std::string>& names)
{
    return std::find(names.begin(), names.end(), "jobid") != names.end() ||
           std::find(names.begin(), names.end(), "jobidraw") != names.end();
}

bool isState(std::string_view value)
{
    return readJobState(value).isKnown;
}

/// True if the values are what a list of fields would print.
bool fits(const std::vector<std::string>& columns, const std::vector<std::string_view>& values)
{
    for (size_t i = 0; i < columns.size(); ++i) {
        if (i >= values.size())
            return true;  // the record goes on in the next line
        const std::string& column = columns[i];
        const std::string_view value = values[i];
        if ((column == "jobid" || column == "jobidraw") && !isJobId(value))
            return false;
        if (column == "state" && !isState(value))
            return false;
        if (column == "elapsed" && !readDuration(value).seconds)
            return false;
    }
    return true;
}

/// Columns of a table without a header: a known list, else the id and state by what they look like.
std::vector<std::string> guessColumns(const std::vector<std::string_view>& values, bool isCut)
{
    const size_t count =
        !values.empty() && values.back().empty() ? values.size() - 1 : values.size();
    for (const std::string_view list : kKnownLists) {
        const auto columns = lowered(text::split(list, ","));
        const bool isSize = columns.size() == values.size() || columns.size() == count ||
                            (isCut && values.size() < columns.size() && values.size() > 3);
        if (isSize && fits(columns, values))
            return columns;
    }
    std::vector<std::string> columns;
    for (size_t i = 0; i < count; ++i) {
        const auto isNew = [&](std::string_view name) {
            return std::find(columns.begin(), columns.end(), name) == columns.end();
        };
        if (isJobId(values[i]) && isNew("jobid"))
            columns.emplace_back("jobid");
        else if (isState(values[i]) && isNew("state"))
            columns.emplace_back("state");
        else if (readDuration(values[i]).seconds && isNew("elapsed"))
            columns.emplace_back("elapsed");
        else
            columns.push_back("column" + std::to_string(i));
    }
    return columns;
}

/// The default output: a header, a line of dashes that shows the widths, values cut to them.
Table readDashed(const std::vector<std::string_view>& lines,
                 const std::vector<std::string>& columns)
{
    std::vector<std::pair<size_t, size_t>> places;
    size_t at = 0;
    for (const std::string_view dashes : text::split(lines[1], " ")) {
        if (!dashes.empty())
            places.emplace_back(at, dashes.size());
        at += dashes.size() + 1;
    }
    Table table;
    for (size_t i = 2; i < lines.size(); ++i) {
        TableRow row;
        row.line = uint32_t(i + 1);
        for (size_t column = 0; column < places.size() && column < columns.size(); ++column) {
            const auto [start, width] = places[column];
            const std::string_view value =
                start < lines[i].size() ? lines[i].substr(start, width) : std::string_view();
            row.fields.emplace(columns[column], std::string(text::trimmed(value)));
        }
        if (isJobId(row["jobid"]))
            table.rows.push_back(std::move(row));
        else if (!text::trimmed(lines[i]).empty())
            table.badLines.push_back(uint32_t(i + 1));
    }
    return table;
}

/// Whether a table can begin here: with its header, or with a record of a job.
bool beginsTable(std::string_view line)
{
    const std::string_view delimiter = delimiterOf(line);
    const auto values = delimiter.empty() ? text::words(line) : text::split(line, delimiter);
    return isHeader(lowered(values)) || (std::any_of(values.begin(), values.end(), isJobId) &&
                                         std::any_of(values.begin(), values.end(), isState));
}

/// Lines before the table, such as a warning that was written into the same file.
size_t linesBefore(const std::vector<std::string_view>& lines)
{
    const auto first = std::find_if(lines.begin(), lines.end(), beginsTable);
    return first == lines.end() ? 0 : size_t(first - lines.begin());
}

Table readTable(std::string_view output, const std::vector<std::string>& fields)
{
    const std::string_view first = output.substr(0, output.find('\n'));
    const std::string_view delimiter = delimiterOf(first);
    const auto lines = text::lines(output);
    if (delimiter.empty()) {
        const auto header = lowered(text::words(first));
        if (lines.size() > 1 && lines[1].starts_with("---") && isHeader(header))
            return readDashed(lines, header);
    }
    const std::string_view separator = delimiter.empty() ? std::string_view("|") : delimiter;
    auto values = text::split(lines.front(), separator);
    auto columns = lowered(values);
    if (!columns.empty() && columns.back().empty())
        columns.pop_back();
    std::string_view body = output;
    uint32_t firstLine = 1;
    if (isHeader(columns)) {
        body = output.substr(std::min(first.size() + 1, output.size()));
        firstLine = 2;
    } else if (!fields.empty()) {
        columns = fields;
        for (std::string& column : columns)
            column = text::lowerCase(column);
    } else {
        columns = guessColumns(values, lines.size() > 1);
    }
    const bool hasId = std::find(columns.begin(), columns.end(), "jobid") != columns.end();
    return readDelimited(body, firstLine, separator, columns, hasId ? "jobid" : "jobidraw",
                         isJobId);
}

bool endedByRequeue(const JobRecord& record)
{
    const auto& flags = record.job.stateFlags;
    return std::find(flags.begin(), flags.end(), "REQUEUED") != flags.end() ||
           record.job.state == domain::JobState::NodeFail ||
           record.job.state == domain::JobState::Preempted;
}

/// Rows that say again what an earlier one has said, as when two outputs are in one file. Slurm
/// gives each run of a requeued job another submit time; without that column only rows that are
/// the same to the letter tell.
class RowsOnce {
public:
    /// The line of the earlier one, if there is one.
    std::optional<uint32_t> earlier(const TableRow& row)
    {
        const std::string_view submit = text::trimmed(row["submit"]);
        std::string key;
        if (submit.empty() || submit == "Unknown") {
            for (const auto& [column, value] : row.fields)
                key.append(value) += '\x1f';
        } else {
            for (const std::string_view column : {"cluster", "jobid", "jobidraw", "submit"})
                key.append(text::trimmed(row[column])) += '\x1f';
        }
        const auto [first, isNew] = m_lines.emplace(std::move(key), row.line);
        return isNew ? std::nullopt : std::optional(first->second);
    }

private:
    std::map<std::string, uint32_t> m_lines;
};

void addJob(JobsRead& result, std::map<std::pair<std::string, uint64_t>, size_t>& places,
            JobRecord record)
{
    const JobRun run{record.stateWord, record.elapsedSeconds, record.totalCpuSeconds};
    const auto key = std::pair(record.cluster, record.job.id);
    const auto found = places.find(key);
    // The same id again is another run of the job, unless ids have started anew.
    if (found != places.end() && endedByRequeue(result.jobs[found->second])) {
        record.runs = std::move(result.jobs[found->second].runs);
        record.runs.push_back(run);
        record.job.restarts = int(record.runs.size()) - 1;
        result.jobs[found->second] = std::move(record);
        return;
    }
    record.runs.push_back(run);
    places[key] = result.jobs.size();
    result.jobs.push_back(std::move(record));
}

}  // namespace

StatusOr<JobsRead> readSacctText(std::string_view output, const std::vector<std::string>& fields)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    const auto lines = text::lines(output);
    const size_t before = linesBefore(lines);
    if (before > 0)
        output.remove_prefix(size_t(lines[before].data() - output.data()));
    Table table = readTable(output, fields);
    for (uint32_t& line : table.badLines)
        line += uint32_t(before);
    for (TableRow& row : table.rows)
        row.line += uint32_t(before);
    for (size_t line = before; line > 0; --line)
        if (!text::trimmed(lines[line - 1]).empty())
            table.badLines.insert(table.badLines.begin(), uint32_t(line));
    if (table.rows.empty() && !table.badLines.empty())
        return absl::InvalidArgumentError("the output is no table of jobs: no line has a job id");
    JobsRead result;
    result.badLines = table.badLines;
    for (const uint32_t line : table.badLines)
        result.notes.add("sacct, line " + std::to_string(line) +
                         ": the record does not fit the columns. It was skipped.");
    std::map<std::pair<std::string, uint64_t>, size_t> places;
    RowsOnce once;
    for (const TableRow& row : table.rows) {
        const std::string_view name =
            text::trimmed(row.has("jobid") ? row["jobid"] : row["jobidraw"]);
        if (const auto earlier = once.earlier(row)) {
            result.badLines.push_back(row.line);
            result.notes.add("sacct, line " + std::to_string(row.line) + ": " + std::string(name) +
                             " again, as in line " + std::to_string(*earlier) +
                             ". It was skipped.");
            continue;
        }
        ++result.records;
        const auto id = readJobId(name);
        if (id && !id->step.empty()) {
            result.stepIds.emplace_back(name);
            continue;
        }
        if (auto record = jobOf(row, "sacct", result.notes))
            addJob(result, places, *std::move(record));
    }
    std::sort(result.badLines.begin(), result.badLines.end());
    noteOpenEnd(output, "sacct", uint32_t(lines.size()), result.notes);
    return result;
}

}  // namespace yard::scheduler::slurm
