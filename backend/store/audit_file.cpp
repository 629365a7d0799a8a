#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "backend/base/whole_file.h"
#include "backend/store/audit.h"
#include "backend/store/time_us.h"

namespace yard::store {
namespace {

using nlohmann::json;

constexpr size_t kLongestLine = 64ul << 20;

json toJson(const AuditRecord& record)
{
    return {{"sequence", record.sequence}, {"time_us", toMicroseconds(record.at)},
            {"user", record.by.user},      {"uid", record.by.uid},
            {"role", int(record.by.role)}, {"from", record.by.from},
            {"event", record.event},       {"operation_id", record.operationId},
            {"action", record.action},     {"targets", record.targets},
            {"reason", record.reason},     {"command", record.command},
            {"detail", record.detail},     {"previous_hash", record.previousHash},
            {"hash", record.hash}};
}

// Missing or mistyped fields end the read: the caller turns that into a sentence.
bool read(const json& object, const char* key, std::string& value)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string())
        return false;
    value = found->get<std::string>();
    return true;
}

template <typename T>
bool read(const json& object, const char* key, T& value)
{
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer())
        return false;
    value = found->get<T>();
    return true;
}

bool fromJson(const json& object, AuditRecord& record)
{
    int64_t timeUs = 0;
    int role = 0;
    if (!object.is_object() || !read(object, "sequence", record.sequence) ||
        !read(object, "time_us", timeUs) || !read(object, "user", record.by.user) ||
        !read(object, "uid", record.by.uid) || !read(object, "role", role) ||
        !read(object, "from", record.by.from) || !read(object, "event", record.event) ||
        !read(object, "operation_id", record.operationId) ||
        !read(object, "action", record.action) || !read(object, "targets", record.targets) ||
        !read(object, "reason", record.reason) || !read(object, "command", record.command) ||
        !read(object, "detail", record.detail) ||
        !read(object, "previous_hash", record.previousHash) || !read(object, "hash", record.hash))
        return false;
    record.at = fromMicroseconds(timeUs);
    record.by.role = domain::Role(role);
    return true;
}

}  // namespace

std::string exportAudit(const std::vector<AuditRecord>& records)
{
    std::string text;
    for (const AuditRecord& record : records)
        text += toJson(record).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    return text;
}

StatusOr<std::vector<AuditRecord>> readAuditFile(const std::string& path)
{
    const StatusOr<int> regular = openRegularFile(path);
    if (!regular.ok())
        return absl::Status(
            regular.status().code(),
            fmt::format("The audit file {}.", std::string(regular.status().message())));
    close(*regular);
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return absl::NotFoundError(fmt::format("The audit file {} cannot be opened.", path));
    std::vector<AuditRecord> records;
    std::string line;
    for (size_t number = 1; std::getline(file, line); ++number) {
        AuditRecord record;
        if (line.size() > kLongestLine || !fromJson(json::parse(line, nullptr, false), record))
            return absl::InvalidArgumentError(fmt::format(
                "{}, line {}: this is not an audit record. The file is not whole; export it again.",
                path, number));
        records.push_back(std::move(record));
    }
    if (file.bad())
        return absl::UnavailableError(fmt::format("The audit file {} cannot be read.", path));
    return records;
}

}  // namespace yard::store
