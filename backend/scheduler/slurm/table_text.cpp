#include "backend/scheduler/slurm/table_text.h"

#include <algorithm>

#include "backend/base/text.h"

namespace yard::scheduler::slurm {
namespace {

constexpr size_t kMaxLinesPerRecord = 200;

TableRow rowOf(uint32_t line, const std::vector<std::string>& columns,
               const std::vector<std::string_view>& values)
{
    TableRow row;
    row.line = line;
    for (size_t i = 0; i < columns.size() && i < values.size(); ++i)
        row.fields.emplace(columns[i], std::string(values[i]));
    return row;
}

/// The place of each line in `text`, so that a record of several lines is one piece of it.
std::vector<size_t> lineStarts(std::string_view text)
{
    std::vector<size_t> starts{0};
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
        starts.push_back(at + 1);
    if (starts.back() != text.size())
        starts.push_back(text.size() + 1);
    return starts;
}

std::string_view withoutLineEnd(std::string_view text)
{
    if (text.ends_with('\n'))
        text.remove_suffix(1);
    if (text.ends_with('\r'))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view TableRow::operator[](std::string_view column) const
{
    const auto found = fields.find(column);
    return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

Table readDelimited(std::string_view text, uint32_t firstLine, std::string_view delimiter,
                    const std::vector<std::string>& columns, std::string_view keyColumn,
                    bool (*isKey)(std::string_view))
{
    Table table;
    const auto starts = lineStarts(text);
    const auto key = size_t(std::find(columns.begin(), columns.end(), keyColumn) - columns.begin());
    const auto piece = [&](size_t from, size_t to) {
        return withoutLineEnd(
            text.substr(starts[from], std::min(starts[to], text.size()) - starts[from]));
    };
    for (size_t line = 0; line + 1 < starts.size();) {
        if (text::trimmed(piece(line, line + 1)).empty()) {
            ++line;
            continue;
        }
        size_t end = line + 1;
        std::vector<std::string_view> values = text::split(piece(line, end), delimiter);
        while (values.size() < columns.size() && end + 1 < starts.size() &&
               end - line < kMaxLinesPerRecord)
            values = text::split(piece(line, ++end), delimiter);
        // sacct -p ends each record with the delimiter.
        if (values.size() == columns.size() + 1 && text::trimmed(values.back()).empty())
            values.pop_back();
        const bool isGood =
            values.size() == columns.size() && key < values.size() && isKey(values[key]);
        if (isGood)
            table.rows.push_back(rowOf(firstLine + uint32_t(line), columns, values));
        else
            table.badLines.push_back(firstLine + uint32_t(line));
        line = isGood ? end : line + 1;
    }
    return table;
}

Table readSpaced(const std::vector<std::string_view>& lines, uint32_t firstLine,
                 const std::vector<std::string>& columns, std::string_view wideColumn)
{
    Table table;
    const auto wide =
        size_t(std::find(columns.begin(), columns.end(), wideColumn) - columns.begin());
    for (size_t i = 0; i < lines.size(); ++i) {
        const uint32_t line = firstLine + uint32_t(i);
        auto words = text::words(lines[i]);
        if (words.empty())
            continue;
        const auto join = [&](size_t first, size_t last) {
            const char* const from = words[first].data();
            words[first] = {from, size_t(words[last].data() + words[last].size() - from)};
            words.erase(words.begin() + int64_t(first) + 1, words.begin() + int64_t(last) + 1);
        };
        const auto open = std::find_if(words.begin(), words.end(),
                                       [](std::string_view word) { return word.starts_with('('); });
        if (open != words.end() && size_t(open - words.begin()) + 1 >= columns.size())
            join(size_t(open - words.begin()), words.size() - 1);
        if (words.size() > columns.size() && wide < columns.size())
            join(wide, wide + words.size() - columns.size());
        if (words.size() == columns.size() || words.size() + 1 == columns.size())
            table.rows.push_back(rowOf(line, columns, words));
        else
            table.badLines.push_back(line);
    }
    return table;
}

void noteOpenEnd(std::string_view output, std::string_view command, uint32_t line,
                 domain::ReadNotes& notes)
{
    if (!output.empty() && !output.ends_with('\n'))
        notes.add(std::string(command) + ", line " + std::to_string(line) +
                  ": the output ends within this line, so its last values may be cut off.");
}

std::string_view delimiterOf(std::string_view line)
{
    for (const std::string_view delimiter : {"^|^", "\x1f", "|", "\t", ";"}) {
        if (line.find(delimiter) != std::string_view::npos)
            return delimiter;
    }
    const bool hasBlank = text::trimmed(line).find(' ') != std::string_view::npos;
    return !hasBlank && line.find(',') != std::string_view::npos ? "," : "";
}

}  // namespace yard::scheduler::slurm
