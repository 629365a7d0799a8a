#include "app/ctl/audit_verify.h"

#include <fmt/format.h>

#include "app/ctl/connection.h"
#include "app/ctl/json_output.h"
#include "backend/store/audit.h"

namespace yard::ctl {
namespace {

using nlohmann::json;
using Records = std::vector<store::AuditRecord>;

Status judge(const VerifyRequest& request, const StatusOr<Records>& records)
{
    if (!records.ok())
        return records.status();
    if (records->empty())
        return absl::InvalidArgumentError(
            fmt::format("{} holds no audit record, so there is nothing to verify.", request.path));
    YARD_RETURN_IF_ERROR(store::verifyChain(*records));
    if (records->front().sequence == 1 || request.continued)
        return absl::OkStatus();
    return absl::DataLossError(fmt::format(
        "{} starts at record {}: the {} before it are missing. What is there is whole. "
        "If it continues an earlier file, say so with --continued, and compare the hash "
        "it starts from with the last one of that file: {}.",
        request.path, records->front().sequence, records->front().sequence - 1,
        records->front().previousHash));
}

}  // namespace

int verifyAudit(const VerifyRequest& request)
{
    const auto records = store::readAuditFile(request.path);
    const Status verdict = judge(request, records);
    const std::string words(verdict.message());
    const bool any = records.ok() && !records->empty();
    if (request.json)
        printJson({{"ok", verdict.ok()},
                   {"records", any ? records->size() : 0},
                   {"first", any ? json(records->front().sequence) : json()},
                   {"error", verdict.ok() ? json() : json(words)},
                   {"last_hash", verdict.ok() && any ? json(records->back().hash) : json()}});
    else if (verdict.ok())
        fmt::print("The chain of records {} to {} is whole. {}Its last hash is {}.\n",
                   records->front().sequence, records->back().sequence,
                   records->front().sequence == 1 ? std::string()
                                                  : fmt::format("It continues from the hash {}. ",
                                                                records->front().previousHash),
                   records->back().hash);
    return verdict.ok() ? Done : complain(BadInput, words);
}

}  // namespace yard::ctl
