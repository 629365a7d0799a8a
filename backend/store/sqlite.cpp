#include "backend/store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace yard::store {
namespace {

constexpr int kBusyMilliseconds = 5000;

Status failure(sqlite3* database, int code, std::string_view path)
{
    const std::string_view words = database ? sqlite3_errmsg(database) : sqlite3_errstr(code);
    switch (code & 0xff) {
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return absl::DataLossError(fmt::format(
                "The database {} is damaged or is not a database ({}). It was left as it "
                "is; move it away or restore a copy.",
                path, words));
        case SQLITE_FULL:
        case SQLITE_IOERR:
        case SQLITE_READONLY:
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            return absl::UnavailableError(
                fmt::format("The database {} cannot be used now ({}).", path, words));
        case SQLITE_CONSTRAINT:
            return absl::AlreadyExistsError(
                fmt::format("The database {} has this already ({}).", path, words));
        default:
            return absl::InternalError(fmt::format("The database {} says: {}.", path, words));
    }
}

Status failure(sqlite3_stmt* statement, int code)
{
    sqlite3* database = sqlite3_db_handle(statement);
    const char* path = sqlite3_db_filename(database, "main");
    return failure(database, code, path ? path : "");
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

Statement& Statement::bind(int parameter, int64_t value)
{
    sqlite3_bind_int64(m_statement.get(), parameter, value);
    return *this;
}

Statement& Statement::bind(int parameter, std::string_view value)
{
    sqlite3_bind_text64(m_statement.get(), parameter, value.data() ? value.data() : "",
                        value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    return *this;
}

Statement& Statement::bindBlob(int parameter, std::string_view bytes)
{
    sqlite3_bind_blob64(m_statement.get(), parameter, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
    return *this;
}

Statement& Statement::bindNull(int parameter)
{
    sqlite3_bind_null(m_statement.get(), parameter);
    return *this;
}

StatusOr<bool> Statement::step()
{
    const int code = sqlite3_step(m_statement.get());
    if (code == SQLITE_ROW)
        return true;
    if (code == SQLITE_DONE)
        return false;
    const Status status = failure(m_statement.get(), code);
    reset();
    return status;
}

Status Statement::run()
{
    for (;;) {
        const StatusOr<bool> row = step();
        if (!row.ok())
            return row.status();
        if (!*row)
            break;
    }
    reset();
    return absl::OkStatus();
}

void Statement::reset()
{
    sqlite3_reset(m_statement.get());
    sqlite3_clear_bindings(m_statement.get());
}

int64_t Statement::integer(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

std::string Statement::text(int column) const
{
    const auto* bytes =
        reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
    if (!bytes)
        return {};
    return std::string(bytes, size_t(sqlite3_column_bytes(m_statement.get(), column)));
}

std::string_view Statement::blob(int column) const
{
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(m_statement.get(), column));
    return {bytes, size_t(sqlite3_column_bytes(m_statement.get(), column))};
}

bool Statement::isNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

void Database::Close::operator()(sqlite3* database) const
{
    sqlite3_close_v2(database);
}

StatusOr<Database> Database::open(const std::string& path, Mode mode)
{
    const int flags =
        mode == Mode::ReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3* raw = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database;
    database.m_path = path;
    database.m_database.reset(raw);
    if (code != SQLITE_OK)
        return failure(raw, code, path);
    sqlite3_extended_result_codes(raw, 1);
    sqlite3_busy_timeout(raw, kBusyMilliseconds);
    YARD_RETURN_IF_ERROR(database.execute("PRAGMA foreign_keys=ON"));
    if (mode == Mode::ReadWrite)
        YARD_RETURN_IF_ERROR(database.execute("PRAGMA synchronous=FULL"));
    return database;
}

StatusOr<Statement> Database::prepare(std::string_view sql)
{
    sqlite3_stmt* raw = nullptr;
    const int code =
        sqlite3_prepare_v2(m_database.get(), sql.data(), int(sql.size()), &raw, nullptr);
    if (code != SQLITE_OK)
        return failure(m_database.get(), code, m_path);
    Statement statement;
    statement.m_statement.reset(raw);
    return statement;
}

Status Database::execute(const char* sql)
{
    const int code = sqlite3_exec(m_database.get(), sql, nullptr, nullptr, nullptr);
    return code == SQLITE_OK ? absl::OkStatus() : failure(m_database.get(), code, m_path);
}

StatusOr<int64_t> Database::integer(std::string_view sql)
{
    StatusOr<Statement> statement = prepare(sql);
    if (!statement.ok())
        return statement.status();
    const StatusOr<bool> row = statement->step();
    if (!row.ok())
        return row.status();
    return *row ? statement->integer(0) : 0;
}

int64_t Database::changes() const
{
    return sqlite3_changes64(m_database.get());
}

void Database::rollback()
{
    if (!sqlite3_get_autocommit(m_database.get()))
        sqlite3_exec(m_database.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace yard::store
