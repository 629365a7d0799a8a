#include "backend/store/series/series_schema.h"

#include <fmt/format.h>

namespace yard::store {
namespace {

constexpr int64_t kSeriesApplicationId = 0x59415253;  // "YARS"
constexpr int64_t kVersion = 1;

constexpr const char* kSchema =
    R"(CREATE TABLE subject(
           kind INTEGER NOT NULL,
           lane INTEGER NOT NULL,
           node TEXT NOT NULL,
           gpu INTEGER NOT NULL,
           uuid TEXT NOT NULL,
           PRIMARY KEY(kind, lane)) WITHOUT ROWID;
       CREATE TABLE block(
           level INTEGER NOT NULL,
           series INTEGER NOT NULL,
           start_s INTEGER NOT NULL,
           lane_group INTEGER NOT NULL,
           data BLOB NOT NULL);
       CREATE UNIQUE INDEX block_by_place ON block(level, series, start_s, lane_group);)";

}  // namespace

Status prepareSeries(Database& database, std::string_view path)
{
    const StatusOr<int64_t> owner = database.integer("PRAGMA application_id");
    if (!owner.ok())
        return owner.status();
    const StatusOr<int64_t> version = database.integer("PRAGMA user_version");
    if (!version.ok())
        return version.status();
    const StatusOr<int64_t> tables = database.integer("SELECT count(*) FROM sqlite_master");
    if (!tables.ok())
        return tables.status();
    if (*owner == kSeriesApplicationId && *version == kVersion)
        return database.execute("PRAGMA journal_mode=WAL");
    if (*owner == kSeriesApplicationId && *version > kVersion)
        return absl::FailedPreconditionError(fmt::format(
            "The readings in {} have version {}, this program knows up to {}. They were left as "
            "they are; start the newer program.",
            path, *version, kVersion));
    if (*owner != 0 || *version != 0 || *tables != 0)
        return absl::FailedPreconditionError(
            fmt::format("The database {} belongs to another program. It was left as it is.", path));
    YARD_RETURN_IF_ERROR(database.execute("PRAGMA page_size=8192"));
    YARD_RETURN_IF_ERROR(database.execute("PRAGMA auto_vacuum=INCREMENTAL"));
    YARD_RETURN_IF_ERROR(database.execute("PRAGMA journal_mode=WAL"));
    YARD_RETURN_IF_ERROR(database.begin());
    Status status = database.execute(kSchema);
    if (status.ok())
        status =
            database.execute(fmt::format("PRAGMA application_id={}", kSeriesApplicationId).c_str());
    if (status.ok())
        status = database.execute(fmt::format("PRAGMA user_version={}", kVersion).c_str());
    if (status.ok())
        status = database.commit();
    if (!status.ok())
        database.rollback();
    return status;
}

StatusOr<std::vector<domain::SeriesSubject>> loadSubjects(Database& database,
                                                          domain::SeriesKind kind)
{
    StatusOr<Statement> statement =
        database.prepare("SELECT lane, node, gpu, uuid FROM subject WHERE kind=? ORDER BY lane");
    if (!statement.ok())
        return statement.status();
    statement->bind(1, int64_t(kind));
    std::vector<domain::SeriesSubject> subjects;
    for (;;) {
        const StatusOr<bool> row = statement->step();
        if (!row.ok())
            return row.status();
        if (!*row)
            return subjects;
        if (statement->integer(0) != int64_t(subjects.size()))
            return absl::DataLossError("The list of recorded GPUs and nodes has a gap.");
        subjects.push_back({statement->text(1), int(statement->integer(2)), statement->text(3)});
    }
}

}  // namespace yard::store
