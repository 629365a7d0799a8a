#pragma once

#include "backend/control/operation_service.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// Domain to wire.
///
/// Thread: any; pure functions.
void toProto(const domain::Action& action, v1::Action* out);
void toProto(const domain::Identity& identity, v1::Identity* out);
void toProto(const domain::Operation& operation, v1::Operation* out);
void toProto(const control::Preview& preview, v1::PreviewReply* out);
void toProto(const store::AuditRecord& record, v1::AuditRecord* out);
void toProto(const store::AuditPage& page, v1::ListAuditReply* out);
void toProto(const std::vector<control::JobAttempt>& attempts, const std::string& displayId,
             v1::JobDetail* out);

}  // namespace yard::rpc
