#pragma once

#include "backend/control/cluster_delta.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// Domain to wire, field by field under the same names. Absent stays absent.
///
/// Thread: any; pure functions.
void toProto(const domain::Node& node, uint64_t ownedByOperation, v1::Node* out);
void toProto(const domain::Job& job, v1::Job* out);
void toProto(const control::TrackedJob& job, v1::Job* out);
void toProto(const domain::Fault& fault, v1::Fault* out);
void toProto(const domain::TargetHealth& health, v1::TargetHealth* out);
void toProto(const domain::SchedulerHealth& health, v1::SchedulerHealth* out);

/// The whole update but for `you`.
void toProto(const control::ClusterDelta& delta, v1::Update* out);

}  // namespace yard::rpc
