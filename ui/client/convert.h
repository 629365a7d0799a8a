#pragma once

#include "ui/client/value_pool.h"
#include "ui/model/actions.h"
#include "ui/model/cluster_state.h"
#include "yard/v1/yard.pb.h"

/// Between the wire and the model. Pure; a value that the wire does not carry stays unknown.
namespace yard::client {

model::ClusterUpdate toUpdate(const v1::Update& wire, ValuePool& pool);
model::NodeInfo toNode(const v1::Node& wire, ValuePool& pool);
model::JobInfo toJob(const v1::Job& wire, ValuePool& pool);
model::OperationInfo toOperation(const v1::Operation& wire);
model::PreviewInfo toPreview(const v1::PreviewReply& wire);
model::AuditPage toAuditPage(const v1::ListAuditReply& wire);
QVector<model::JobAttemptInfo> toAttempts(const v1::JobDetail& wire);

v1::PreviewRequest toWire(const model::ActionRequest& request);

}  // namespace yard::client
