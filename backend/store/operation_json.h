#pragma once

#include <string>
#include <string_view>

#include "backend/store/journal.h"

namespace yard::store {

/// An operation as the journal keeps it. Bytes that are not UTF-8 are replaced.
std::string toJson(const OperationRecord& record);
/// DATA_LOSS if `text` was not written by toJson().
StatusOr<OperationRecord> operationFromJson(std::string_view text);

/// `text` with bytes that are not UTF-8 replaced, so that hashes over it survive every encoding.
std::string validUtf8(std::string text);

}  // namespace yard::store
