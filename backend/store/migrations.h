#pragma once

#include "backend/store/sqlite.h"

namespace yard::store {

/// Marks our files, so that nobody else's database is taken for a journal: "YARD".
constexpr int64_t kApplicationId = 0x59415244;

/// Brings the database to the newest version, one transaction a step. FAILED_PRECONDITION if it is
/// newer than this program or belongs to another; nothing is changed then.
Status migrate(Database& database, std::string_view path);

}  // namespace yard::store
