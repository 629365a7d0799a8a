#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "backend/domain/cluster.h"

namespace yard::scheduler::slurm {

/// A record of a table, its values by column name (lower case).
struct TableRow {
    uint32_t line = 0;  ///< from 1, of its first line
    std::map<std::string, std::string, std::less<>> fields;
    /// Empty if there is no such column.
    std::string_view operator[](std::string_view column) const;
    bool has(std::string_view column) const { return fields.contains(column); }
};

struct Table {
    std::vector<TableRow> rows;
    std::vector<uint32_t> badLines;  ///< records that do not fit the columns
};

/// Columns parted by a delimiter. A value may hold line ends: a record is as many lines as it takes
/// to have all columns, and starts with a job id or name in `keyColumn` that `isKey` accepts.
Table readDelimited(std::string_view text, uint32_t firstLine, std::string_view delimiter,
                    const std::vector<std::string>& columns, std::string_view keyColumn,
                    bool (*isKey)(std::string_view));

/// Columns parted by blanks. Words too many belong to `wideColumn`, and what follows the first '('
/// of the last column belongs to it.
Table readSpaced(const std::vector<std::string_view>& lines, uint32_t firstLine,
                 const std::vector<std::string>& columns, std::string_view wideColumn);

/// The delimiter that a first line is parted by: "^|^", \x1f, "|", tab, ";" or ","; empty for
/// blanks.
std::string_view delimiterOf(std::string_view line);

/// Notes a last line without its end, at `line`: what it says last may be cut off.
void noteOpenEnd(std::string_view output, std::string_view command, uint32_t line,
                 domain::ReadNotes& notes);

}  // namespace yard::scheduler::slurm
