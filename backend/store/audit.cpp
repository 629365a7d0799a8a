#include "backend/store/audit.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace yard::store {
namespace {

// Each field carries its length, so that no two records serialise alike.
void append(std::string& bytes, std::string_view field)
{
    bytes += fmt::format("{}:{},", field.size(), field);
}

std::string serialise(const AuditRecord& record)
{
    const auto microseconds =
        std::chrono::duration_cast<std::chrono::microseconds>(record.at.time_since_epoch());
    std::string bytes;
    append(bytes, "yard-audit-1");
    append(bytes, record.previousHash);
    append(bytes, std::to_string(record.sequence));
    append(bytes, std::to_string(microseconds.count()));
    append(bytes, record.by.user);
    append(bytes, std::to_string(record.by.uid));
    append(bytes, std::to_string(int(record.by.role)));
    append(bytes, record.by.from);
    append(bytes, record.event);
    append(bytes, std::to_string(record.operationId));
    append(bytes, record.action);
    append(bytes, record.targets);
    append(bytes, record.reason);
    append(bytes, record.command);
    append(bytes, record.detail);
    return bytes;
}

Status broken(const AuditRecord& record, std::string_view what)
{
    return absl::DataLossError(
        fmt::format("The audit chain is broken at record {}: {}.", record.sequence, what));
}

}  // namespace

std::string auditHash(const AuditRecord& record)
{
    const std::string bytes = serialise(record);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
        return {};
    std::string hex;
    for (unsigned int i = 0; i < size; ++i)
        hex += fmt::format("{:02x}", digest[i]);
    return hex;
}

Status verifyChain(const std::vector<AuditRecord>& records)
{
    const AuditRecord* before = nullptr;
    for (const AuditRecord& record : records) {
        if (before && record.sequence != before->sequence + 1)
            return broken(record, fmt::format("record {} is missing", before->sequence + 1));
        if (before && record.previousHash != before->hash)
            return broken(record, "it does not follow from the record before");
        if (record.sequence == 1 && record.previousHash != kFirstPreviousHash)
            return broken(record, "the first record does not start a chain");
        const std::string expected = auditHash(record);
        if (expected.empty() || record.hash != expected)
            return broken(record, "it was changed after it was written");
        before = &record;
    }
    return absl::OkStatus();
}

}  // namespace yard::store
