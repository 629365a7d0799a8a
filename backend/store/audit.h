#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/domain/operation.h"

namespace yard::store {

/// One link of the audit chain: who, from where, what, why, the command, what came of it.
struct AuditRecord {
    uint64_t sequence = 0;  ///< from 1, without gaps
    Time at;
    domain::Identity by;
    std::string event;  ///< requested, sent, observed, refused, in doubt, denied
    uint64_t operationId = 0;
    std::string action;
    std::string targets;  ///< folded
    std::string reason;
    std::string command;
    std::string detail;
    std::string previousHash;  ///< hex; 64 zeros for the first
    std::string hash;          ///< SHA-256 over previousHash and all fields above, hex
};

struct AuditPage {
    std::vector<AuditRecord> records;
    bool chainOk = true;
    std::string chainError;  ///< the first broken link, as a sentence
};

/// What the first record of a chain has for the hash before it.
inline const std::string kFirstPreviousHash(64, '0');

/// The hash that `record` must carry, from its fields and its previousHash.
std::string auditHash(const AuditRecord& record);

/// Checks a run of records: sequence without gaps, each hash right, each link to the one before.
/// DATA_LOSS names the first broken record.
Status verifyChain(const std::vector<AuditRecord>& records);

/// The chain as a file to keep elsewhere: one JSON object a line.
std::string exportAudit(const std::vector<AuditRecord>& records);
/// Reads such a file. INVALID_ARGUMENT names file, line and what is wrong with it; a record that
/// cannot be read is never skipped, for a chain with holes proves nothing.
StatusOr<std::vector<AuditRecord>> readAuditFile(const std::string& path);

}  // namespace yard::store
