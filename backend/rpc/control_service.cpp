#include "backend/rpc/control_service.h"

#include "backend/rpc/access_rules.h"
#include "backend/rpc/convert_cluster.h"
#include "backend/rpc/convert_operation.h"
#include "backend/rpc/convert_request.h"
#include "backend/rpc/wire_text.h"

namespace yard::rpc {

ControlService::ControlService(control::ChangeHub& hub, control::OperationService& operations,
                               Access& access, TaskLoop& worker)
    : m_hub(hub)
    , m_operations(operations)
    , m_access(access)
    , m_worker(worker)
{
}

// A task that the worker refuses drops its PendingCall, which then ends as UNAVAILABLE.
template <typename T, typename Fill>
control::OperationService::Answer<T> ControlService::answer(PendingCallPtr call, Fill fill)
{
    return [this, call = std::move(call), fill = std::move(fill)](StatusOr<T> result) mutable {
        std::ignore = m_worker.post(
            [call = std::move(call), fill = std::move(fill), result = std::move(result)] {
                call->finish(result.ok() ? fill(*result) : result.status());
            });
    };
}

void ControlService::getSnapshot(const domain::Identity& by, const v1::SnapshotRequest& request,
                                 v1::Update* reply, PendingCallPtr call)
{
    control::Interest interest;
    interest.withReadings = request.with_readings();
    m_hub.snapshot(interest,
                   [this, by, reply, call](std::shared_ptr<const control::ClusterDelta> delta) {
                       std::ignore = m_worker.post([by, reply, call, delta] {
                           toProto(*delta, reply);
                           toProto(by, reply->mutable_you());
                           repairStrings(*reply);
                           call->finish(absl::OkStatus());
                       });
                   });
}

void ControlService::preview(const domain::Identity& by, const v1::PreviewRequest& wire,
                             v1::PreviewReply* reply, PendingCallPtr call)
{
    auto request = previewRequestFrom(wire);
    if (!request.ok())
        return call->finish(request.status());
    if (actsForAnotherUser(request->action, by)) {
        const Status allowed =
            m_access.requireAdmin(by, "Preview", "Submitting a job as another user");
        if (!allowed.ok())
            return call->finish(allowed);
    }
    m_operations.preview(by, *std::move(request),
                         answer<control::Preview>(call, [reply](const control::Preview& preview) {
                             toProto(preview, reply);
                             repairStrings(*reply);
                             return absl::OkStatus();
                         }));
}

void ControlService::previewUndo(const domain::Identity& by, const v1::PreviewUndoRequest& request,
                                 v1::PreviewReply* reply, PendingCallPtr call)
{
    m_operations.previewUndo(
        by, request.operation_id(),
        answer<control::Preview>(call, [reply](const control::Preview& preview) {
            toProto(preview, reply);
            repairStrings(*reply);
            return absl::OkStatus();
        }));
}

void ControlService::execute(const domain::Identity& by, const v1::ExecuteRequest& wire,
                             v1::Operation* reply, PendingCallPtr call)
{
    auto request = executeRequestFrom(wire);
    if (!request.ok())
        return call->finish(request.status());
    m_operations.execute(
        by, *std::move(request),
        answer<domain::Operation>(call, [reply](const domain::Operation& operation) {
            toProto(operation, reply);
            repairStrings(*reply);
            return absl::OkStatus();
        }));
}

void ControlService::listOperations(const v1::ListOperationsRequest& request,
                                    v1::ListOperationsReply* reply, PendingCallPtr call)
{
    using Operations = std::vector<domain::Operation>;
    m_operations.operations(pageLimit(request.limit()), request.before_id(),
                            answer<Operations>(call, [reply](const Operations& operations) {
                                for (const domain::Operation& operation : operations)
                                    toProto(operation, reply->add_operations());
                                repairStrings(*reply);
                                return absl::OkStatus();
                            }));
}

void ControlService::listAudit(const v1::ListAuditRequest& request, v1::ListAuditReply* reply,
                               PendingCallPtr call)
{
    m_operations.audit(request.after_sequence(), pageLimit(request.limit()),
                       answer<store::AuditPage>(call, [reply](const store::AuditPage& page) {
                           toProto(page, reply);
                           repairStrings(*reply);
                           return absl::OkStatus();
                       }));
}

void ControlService::getJob(const v1::GetJobRequest& request, v1::JobDetail* reply,
                            PendingCallPtr call)
{
    auto id = displayIdFrom(request);
    if (!id.ok())
        return call->finish(id.status());
    using Attempts = std::vector<control::JobAttempt>;
    m_operations.attempts(*id, answer<Attempts>(call, [reply, id = *id](const Attempts& attempts) {
        toProto(attempts, id, reply);
        repairStrings(*reply);
        return absl::OkStatus();
    }));
}

}  // namespace yard::rpc
