#pragma once

#include "backend/base/status.h"
#include "backend/control/operation_service.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// Domain to wire.
void toProto(const domain::Action& action, v1::Action* out);
void toProto(const domain::Identity& identity, v1::Identity* out);
void toProto(const domain::Operation& operation, v1::Operation* out);
void toProto(const control::Preview& preview, v1::PreviewReply* out);
void toProto(const store::AuditRecord& record, v1::AuditRecord* out);
void toProto(const store::AuditPage& page, v1::ListAuditReply* out);
void toProto(const std::vector<control::JobAttempt>& attempts, const std::string& displayId,
             v1::JobDetail* out);

/// Wire to domain. Everything a client sends is checked here for shape and size: INVALID_ARGUMENT with
/// a sentence that names the field. Whether nodes and jobs exist is the service's to say.
StatusOr<domain::Action> actionFrom(const v1::Action& action);
StatusOr<control::PreviewRequest> previewRequestFrom(const v1::PreviewRequest& request);
StatusOr<control::ExecuteRequest> executeRequestFrom(const v1::ExecuteRequest& request);
StatusOr<std::string> displayIdFrom(const v1::GetJobRequest& request);
StatusOr<control::Interest> interestFrom(const v1::WatchRequest& request);

}  // namespace yard::rpc
