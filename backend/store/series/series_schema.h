#pragma once

#include "backend/domain/series.h"
#include "backend/store/sqlite.h"

namespace yard::store {

/// Makes a new file into a database of series, or checks that it is one. FAILED_PRECONDITION with a
/// sentence if it is another's or newer; it is left as it is then.
Status prepareSeries(Database& database, std::string_view path);

/// Series of one kind and metric, as the table of blocks names them.
constexpr int64_t seriesNumber(domain::SeriesKind kind, uint32_t metric)
{
    return int64_t(kind) * 256 + metric;
}

/// Level, series, start, group, data; a block in the same place gives way.
constexpr std::string_view kInsertBlock =
    "INSERT OR REPLACE INTO block(level, series, start_s, lane_group, data) VALUES(?,?,?,?,?)";

/// Every subject of a kind in the order of their lanes: subject i is lane i % 64 of group i / 64.
StatusOr<std::vector<domain::SeriesSubject>> loadSubjects(Database& database,
                                                          domain::SeriesKind kind);

}  // namespace yard::store
