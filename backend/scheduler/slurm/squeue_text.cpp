#include "backend/scheduler/slurm/squeue_text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/job_row.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/table_text.h"

namespace yard::scheduler::slurm {
namespace {

using Columns = std::vector<std::string>;

constexpr std::string_view kNoFit = "the record does not fit the columns.";

Columns lowered(const std::vector<std::string_view>& names)
{
    Columns result;
    for (const std::string_view name : names)
        result.push_back(text::lowerCase(text::trimmed(name)));
    return result;
}

bool isHeader(const Columns& columns)
{
    return !columns.empty() && std::find(columns.begin(), columns.end(), "jobid") != columns.end();
}

/// Columns without a header (-h): the usual lists, else id and state by what they look like.
Columns guessColumns(const std::vector<std::string_view>& values)
{
    constexpr std::array<std::string_view, 2> kKnownLists{
        "jobid partition name user st time nodes nodelist(reason)",
        "jobid partition name user state time time_limit nodes nodelist(reason)"};
    for (const std::string_view list : kKnownLists) {
        const Columns columns = lowered(text::words(list));
        if (columns.size() == values.size() && isJobId(values[0]) &&
            readJobState(values[4]).isKnown)
            return columns;
    }
    Columns columns;
    bool hasId = false;
    bool hasState = false;
    for (size_t i = 0; i < values.size(); ++i) {
        if (!hasId && isJobId(values[i])) {
            columns.emplace_back("jobid");
            hasId = true;
        } else if (!hasState && readJobState(values[i]).isKnown) {
            columns.emplace_back("state");
            hasState = true;
        } else {
            columns.push_back("column" + std::to_string(i));
        }
    }
    return columns;
}

/// A number somewhere in a line does not make it a job.
bool isGuess(const Columns& columns, const std::vector<std::string_view>& values)
{
    const auto has = [&](std::string_view name) {
        return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    return isJobId(values.front()) || (has("jobid") && (has("state") || has("st")));
}

class QueueReader {
public:
    JobsRead run(std::string_view output);

private:
    void readLine(std::string_view line);
    void readJsonLine(std::string_view line);
    void addRow(TableRow row);
    void noteBad(std::string_view why);

    JobsRead m_result;
    std::string m_cluster;
    std::string m_delimiter;
    Columns m_columns;
    uint32_t m_line = 0;
    bool m_isOpen = false;  ///< the last line, without its end
    std::map<std::string, uint32_t> m_seen;
    simdjson::dom::parser m_parser;
};

JobsRead QueueReader::run(std::string_view output)
{
    for (const std::string_view line : text::lines(output)) {
        ++m_line;
        m_isOpen = line.data() + line.size() == output.data() + output.size();
        readLine(line);
    }
    noteOpenEnd(output, "squeue", m_line, m_result.notes);
    m_result.records = m_result.jobs.size();
    return std::move(m_result);
}

void QueueReader::readLine(std::string_view line)
{
    std::string_view rest = text::trimmed(line);
    if (rest.empty())
        return;
    if (text::takePrefix(rest, "CLUSTER: ")) {
        m_cluster = std::string(text::trimmed(rest));
        m_columns.clear();
        return;
    }
    if (rest.front() == '{') {
        readJsonLine(rest);
        return;
    }
    const std::string delimiter(m_columns.empty() ? delimiterOf(rest)
                                                  : std::string_view(m_delimiter));
    const auto values = delimiter.empty() ? text::words(rest) : text::split(rest, delimiter);
    if (m_columns.empty()) {
        m_delimiter = delimiter;
        m_columns = lowered(values);
        if (isHeader(m_columns))
            return;
        m_columns = guessColumns(values);
        if (!isGuess(m_columns, values)) {
            m_columns.clear();  // the table may begin below
            return noteBad(kNoFit);
        }
    } else if (lowered(values) == m_columns) {
        return;
    }
    const Table table = delimiter.empty()
                            ? readSpaced({rest}, m_line, m_columns, "name")
                            : readDelimited(rest, m_line, delimiter, m_columns, "jobid", isJobId);
    if (table.rows.empty())
        noteBad(kNoFit);
    for (const TableRow& row : table.rows) {
        if (m_isOpen && !row.has(m_columns.back()))
            noteBad("the record is cut.");
        else
            addRow(row);
    }
}

/// A value of a hand-made JSON line, as text.
std::string asText(simdjson::dom::element value)
{
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS)
        return std::string(text);
    int64_t number = 0;
    return value.get(number) == simdjson::SUCCESS ? std::to_string(number) : std::string();
}

void QueueReader::readJsonLine(std::string_view line)
{
    const std::string valid = text::validUtf8(line);
    simdjson::dom::object object;
    if (m_parser.parse(valid).get(object) != simdjson::SUCCESS) {
        noteBad(kNoFit);
        return;
    }
    TableRow row;
    row.line = m_line;
    for (const auto& field : object)
        row.fields.emplace(text::lowerCase(field.key), asText(field.value));
    addRow(std::move(row));
}

void QueueReader::addRow(TableRow row)
{
    auto record = jobOf(row, "squeue", m_result.notes);
    if (!record)
        return noteBad(kNoFit);
    if (record->cluster.empty())
        record->cluster = m_cluster;
    const auto [first, isNew] =
        m_seen.emplace(record->cluster + " " + record->job.displayId, m_line);
    if (!isNew)
        return noteBad("job " + record->job.displayId + " again, as in line " +
                       std::to_string(first->second) + ".");
    m_result.jobs.push_back(*std::move(record));
}

void QueueReader::noteBad(std::string_view why)
{
    m_result.badLines.push_back(m_line);
    m_result.notes.add("squeue, line " + std::to_string(m_line) + ": " + std::string(why) +
                       " It was skipped.");
}

}  // namespace

StatusOr<JobsRead> readSqueueText(std::string_view output)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    JobsRead result = QueueReader().run(output);
    if (result.jobs.empty() && !result.badLines.empty())
        return absl::InvalidArgumentError("the output is no list of jobs: no line has a job id");
    return result;
}

}  // namespace yard::scheduler::slurm
