#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backend/base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace yard::store {

/// A prepared statement. Parameters count from 1, columns from 0, as in SQLite.
class Statement {
public:
    Statement& bind(int parameter, int64_t value);
    Statement& bind(int parameter, std::string_view value);
    Statement& bindBlob(int parameter, std::string_view bytes);
    Statement& bindNull(int parameter);

    /// True: a row can be read. False: there are no more.
    StatusOr<bool> step();
    /// Steps to the end, then makes it ready for the next use.
    Status run();
    void reset();

    int64_t integer(int column) const;
    std::string text(int column) const;
    /// Valid until the next step() or reset().
    std::string_view blob(int column) const;
    bool isNull(int column) const;

private:
    friend class Database;
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
};

/// One SQLite connection: WAL, synchronous=FULL, foreign keys on. Errors are sentences that name
/// the file. Codes: UNAVAILABLE (disk full, not writable, busy), DATA_LOSS (damaged or not a
/// database).
///
/// Thread: one at a time.
class Database {
public:
    enum class Mode { ReadWrite, ReadOnly };
    static StatusOr<Database> open(const std::string& path, Mode mode);

    StatusOr<Statement> prepare(std::string_view sql);
    /// Runs statements without parameters.
    Status execute(const char* sql);
    StatusOr<int64_t> integer(std::string_view sql);

    /// Rows that the last statement wrote.
    int64_t changes() const;

    Status begin() { return execute("BEGIN IMMEDIATE"); }
    Status commit() { return execute("COMMIT"); }
    /// Does nothing outside a transaction.
    void rollback();

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::string m_path;
    std::unique_ptr<sqlite3, Close> m_database;
};

}  // namespace yard::store
