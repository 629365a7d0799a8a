#include "backend/scheduler/slurm/sinfo_text.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "backend/base/text.h"
#include "backend/scheduler/slurm/client_error.h"
#include "backend/scheduler/slurm/gres.h"
#include "backend/scheduler/slurm/size_text.h"
#include "backend/scheduler/slurm/state_words.h"
#include "backend/scheduler/slurm/table_text.h"

namespace yard::scheduler::slurm {
namespace {

using Columns = std::vector<std::string>;

constexpr size_t kColumnWidth = 20;  // of -O, unless asked otherwise

/// The names that -o, -O and the header have for one thing.
std::string columnName(std::string_view name)
{
    std::string lower = text::lowerCase(text::trimmed(name));
    if (lower == "nodelist" || lower == "nodehost" || lower == "hostnames" || lower == "hostname" ||
        lower == "node")
        return "nodelist";
    if (lower == "cpus(a/i/o/t)" || lower == "cpusstate")
        return "cpusstate";
    if (lower == "statelong" || lower == "statecompact" || lower == "statecomplete")
        return "state";
    if (lower == "gres_used")
        return "gresused";
    if (lower == "alloc_mem" || lower == "allocmem" || lower == "allocmemory")
        return "allocmem";
    if (lower == "free_mem" || lower == "freemem")
        return "freemem";
    if (lower == "cpu_load" || lower == "cpusload" || lower == "cpuload")
        return "cpuload";
    return lower;
}

Columns columnsOf(const std::vector<std::string_view>& names)
{
    Columns columns;
    for (const std::string_view name : names)
        columns.push_back(columnName(name));
    return columns;
}

bool has(const Columns& columns, std::string_view name)
{
    return std::find(columns.begin(), columns.end(), name) != columns.end();
}

bool isCpusState(std::string_view text)
{
    const auto parts = text::split(text, "/");
    return parts.size() == 4 && std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
               return text::number<uint32_t>(part).has_value();
           });
}

/// Columns of a line without a header, by what the values look like. The two numbers are memory: in
/// use first, as -O AllocMem,Memory has it.
Columns guessColumns(const std::vector<std::string_view>& values)
{
    Columns columns;
    for (size_t i = 0; i < values.size(); ++i) {
        const bool isNumber = text::number<uint64_t>(values[i]).has_value();
        if (i == 0)
            columns.emplace_back("nodelist");
        else if (isCpusState(values[i]) && !has(columns, "cpusstate"))
            columns.emplace_back("cpusstate");
        else if (isNumber && !has(columns, "allocmem") && i + 1 < values.size() &&
                 text::number<uint64_t>(values[i + 1]))
            columns.emplace_back("allocmem");
        else if (isNumber && !has(columns, "memory"))
            columns.emplace_back("memory");
        else if (readNodeState(values[i]).isKnown && !has(columns, "state"))
            columns.emplace_back("state");
        else if (values[i].find("gpu") != std::string_view::npos && !has(columns, "gres"))
            columns.emplace_back("gres");
        else
            columns.push_back("column" + std::to_string(i));
    }
    return columns;
}

/// Whether anything but the first word was known for what it is: else the line is no row of a
/// table.
bool isGuess(const Columns& columns, std::string_view name)
{
    if (columns.size() == 1)
        return std::any_of(name.begin(), name.end(), text::isDigit);
    return std::any_of(columns.begin() + 1, columns.end(), [](const std::string& column) {
        return !column.starts_with("column") && column != "memory";
    });
}

bool isNodeList(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || text::isDigit(c) ||
               std::string_view("-_.[],").find(c) != std::string_view::npos;
    });
}

bool isFull(const TableRow& row, const Columns& columns)
{
    return std::all_of(columns.begin(), columns.end(), [&](const std::string& column) {
        const std::string_view value = row[column];
        if (column == "cpusstate")
            return isCpusState(value);
        if (column == "allocmem" || column == "memory")
            return readMemoryMib(value).has_value();
        return column != "state" || readNodeState(value).isKnown;
    });
}

void readCpus(const TableRow& row, NodeRecord& record)
{
    domain::Node& node = record.node;
    if (!isCpusState(row["cpusstate"])) {
        node.cpusTotal = text::number<int>(text::trimmed(row["cpus"]));
        return;
    }
    const auto parts = text::split(row["cpusstate"], "/");
    node.cpusAllocated = text::number<int>(parts[0]);
    record.cpusIdle = text::number<int>(parts[1]);
    record.cpusOther = text::number<int>(parts[2]);
    node.cpusTotal = text::number<int>(parts[3]);
}

std::optional<int64_t> memory(std::string_view text)
{
    const auto mib = readMemoryMib(text::trimmed(text));
    return mib && *mib < 1e15 ? std::optional(int64_t(*mib)) : std::nullopt;
}

NodeRecord recordOf(const TableRow& row, domain::ReadNotes& notes)
{
    const std::string where = "sinfo, line " + std::to_string(row.line);
    NodeRecord record;
    domain::Node& node = record.node;
    const NodeWords words = readNodeState(row["state"]);
    node.state = words.state;
    node.flags = words.flags;
    node.stateText = std::string(text::trimmed(row["state"]));
    record.category = words.category;
    readCpus(row, record);
    node.memoryTotalMib = memory(row["memory"]);
    node.memoryAllocatedMib = memory(row["allocmem"]);
    node.memoryFreeMib = memory(row["freemem"]);
    if (row.has("gres")) {
        const Gres gres = readGres(row["gres"]);
        node.gpusTotal = gres.gpus();
        node.gpuType = gres.gpuType();
        noteOdd(gres, where, notes);
        record.knowsGpusTotal = gres.isGood || node.gpusTotal > 0;
    }
    if (row.has("gresused")) {
        const Gres used = readGres(row["gresused"]);
        node.gpusAllocated = used.gpus();
        node.gpuIndicesInUse = used.gpuIndices();
        noteOdd(used, where, notes);
        record.knowsGpusAllocated = used.isGood || node.gpusAllocated > 0;
    }
    const std::string_view reason = text::trimmed(row["reason"]);
    node.reason = std::string(reason == "none" ? std::string_view() : reason);
    return record;
}

class InfoReader {
public:
    NodesRead run(std::string_view output);

private:
    void readLine(std::string_view line);
    std::optional<TableRow> spaced(std::string_view line) const;
    std::optional<TableRow> byPosition(std::string_view line) const;
    void addRow(const TableRow& row);
    void noteBad(std::string_view what);

    NodesRead m_result;
    std::unordered_map<std::string, size_t> m_places;
    Columns m_columns;
    std::string m_delimiter;
    uint32_t m_line = 0;
};

NodesRead InfoReader::run(std::string_view output)
{
    for (const std::string_view line : text::lines(output)) {
        ++m_line;
        if (!text::trimmed(line).empty())
            readLine(line);
    }
    noteOpenEnd(output, "sinfo", m_line, m_result.notes);
    return std::move(m_result);
}

void InfoReader::readLine(std::string_view line)
{
    std::string_view rest = text::trimmed(line);
    if (text::takePrefix(rest, "CLUSTER: ")) {
        m_result.cluster = std::string(text::trimmed(rest));
        m_columns.clear();
        return;
    }
    if (m_columns.empty()) {
        const bool hasBar = rest.find('|') != std::string_view::npos;
        m_delimiter = hasBar ? "|" : "";
        const auto values = hasBar ? text::split(rest, "|") : text::words(rest);
        m_columns = columnsOf(values);
        if (has(m_columns, "nodelist"))
            return;
        m_columns = guessColumns(values);
        if (!isNodeList(text::trimmed(values.front())) || !isGuess(m_columns, values.front())) {
            m_columns.clear();  // the table may begin below
            return noteBad("it is neither a header nor a node");
        }
    }
    auto row = spaced(line);
    if (!row)
        row = byPosition(line);
    if (row)
        addRow(*row);
    else
        noteBad("the values do not fit the columns");
}

std::optional<TableRow> InfoReader::spaced(std::string_view line) const
{
    Table table =
        m_delimiter.empty()
            ? readSpaced({line}, m_line, m_columns, has(m_columns, "reason") ? "reason" : "")
            : readDelimited(line, m_line, m_delimiter, m_columns, "nodelist",
                            [](std::string_view name) { return !text::trimmed(name).empty(); });
    if (table.rows.empty() || !isFull(table.rows.front(), m_columns))
        return std::nullopt;
    return std::move(table.rows.front());
}

/// Columns of 20 with nothing between them. A value without a blank behind it may have been cut.
std::optional<TableRow> InfoReader::byPosition(std::string_view line) const
{
    TableRow row;
    row.line = m_line;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        if (i * kColumnWidth >= line.size())
            return std::nullopt;
        const std::string_view cell = line.substr(i * kColumnWidth, kColumnWidth);
        if (cell.size() == kColumnWidth && cell.back() != ' ')
            return std::nullopt;
        row.fields.emplace(m_columns[i], std::string(text::trimmed(cell)));
    }
    return isFull(row, m_columns) ? std::optional(row) : std::nullopt;
}

void InfoReader::addRow(const TableRow& row)
{
    if (!isNodeList(text::trimmed(row["nodelist"])))
        return noteBad("no node name");
    const auto names = nodesOf(row["nodelist"], m_result.notes);
    if (names.empty()) {
        noteBad("no node name");
        return;
    }
    std::string partition(text::trimmed(row["partition"]));
    if (partition.ends_with('*'))
        partition.pop_back();
    bool isAgain = false;
    for (const std::string& name : names) {
        const auto [place, isNew] = m_places.emplace(name, m_result.nodes.size());
        if (isNew) {
            m_result.nodes.push_back(recordOf(row, m_result.notes));
            m_result.nodes.back().node.name = name;
        }
        auto& partitions = m_result.nodes[place->second].node.partitions;
        if (partition.empty())
            continue;
        if (std::find(partitions.begin(), partitions.end(), partition) == partitions.end())
            partitions.push_back(partition);
        else if (!std::exchange(isAgain, true))
            noteBad(name + " of the partition " + partition + " again");
    }
}

void InfoReader::noteBad(std::string_view what)
{
    m_result.badLines.push_back(m_line);
    m_result.notes.add("sinfo, line " + std::to_string(m_line) + ": " + std::string(what) +
                       ". The line was skipped.");
}

}  // namespace

StatusOr<NodesRead> readSinfoText(std::string_view output)
{
    YARD_RETURN_IF_ERROR(checkOutput(output));
    NodesRead result = InfoReader().run(output);
    if (result.nodes.empty())
        return absl::InvalidArgumentError("the output is no list of nodes");
    return result;
}

}  // namespace yard::scheduler::slurm
