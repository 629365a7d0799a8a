#pragma once

#include "backend/control/change_hub.h"
#include "backend/control/operation_service.h"
#include "backend/rpc/access.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// The unary methods: check the request, post it to the desk, turn the answer into the reply.
/// `reply` lives until `call` is finished.
///
/// Thread: gRPC's for the calls; answers come on the core loop and are converted on `worker`.
class ControlService {
public:
    /// All must outlive every call.
    ControlService(control::ChangeHub& hub, control::OperationService& operations, Access& access,
                   TaskLoop& worker);

    void getSnapshot(const domain::Identity& by, const v1::SnapshotRequest& request,
                     v1::Update* reply, PendingCallPtr call);
    void preview(const domain::Identity& by, const v1::PreviewRequest& request,
                 v1::PreviewReply* reply, PendingCallPtr call);
    void previewUndo(const domain::Identity& by, const v1::PreviewUndoRequest& request,
                     v1::PreviewReply* reply, PendingCallPtr call);
    void execute(const domain::Identity& by, const v1::ExecuteRequest& request,
                 v1::Operation* reply, PendingCallPtr call);
    void listOperations(const v1::ListOperationsRequest& request, v1::ListOperationsReply* reply,
                        PendingCallPtr call);
    void listAudit(const v1::ListAuditRequest& request, v1::ListAuditReply* reply,
                   PendingCallPtr call);
    void getJob(const v1::GetJobRequest& request, v1::JobDetail* reply, PendingCallPtr call);

private:
    /// Hands an answer over from the core loop: `fill(value)` on the worker, then the call ends.
    template <typename T, typename Fill>
    control::OperationService::Answer<T> answer(PendingCallPtr call, Fill fill);

    control::ChangeHub& m_hub;
    control::OperationService& m_operations;
    Access& m_access;
    TaskLoop& m_worker;
};

}  // namespace yard::rpc
