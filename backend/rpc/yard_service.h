#pragma once

#include "backend/rpc/control_service.h"
#include "backend/rpc/incident_methods.h"
#include "backend/rpc/past_service.h"
#include "backend/rpc/watch_service.h"
#include "yard/v1/yard.grpc.pb.h"

namespace yard::rpc {

/// The service as gRPC sees it: each method goes through the gate, then to its handler.
class YardService final : public v1::Yard::CallbackService {
public:
    YardService(control::ChangeHub& hub, control::OperationService& operations,
                control::IncidentService& incidents, control::Past& past, Access& access,
                const Clock& clock, TaskLoop& worker);

    grpc::ServerWriteReactor<v1::Update>* Watch(grpc::CallbackServerContext* context,
                                                const v1::WatchRequest* request) override;
    grpc::ServerUnaryReactor* GetSnapshot(grpc::CallbackServerContext* context,
                                          const v1::SnapshotRequest* request,
                                          v1::Update* reply) override;
    grpc::ServerUnaryReactor* Preview(grpc::CallbackServerContext* context,
                                      const v1::PreviewRequest* request,
                                      v1::PreviewReply* reply) override;
    grpc::ServerUnaryReactor* Execute(grpc::CallbackServerContext* context,
                                      const v1::ExecuteRequest* request,
                                      v1::Operation* reply) override;
    grpc::ServerUnaryReactor* PreviewUndo(grpc::CallbackServerContext* context,
                                          const v1::PreviewUndoRequest* request,
                                          v1::PreviewReply* reply) override;
    grpc::ServerUnaryReactor* ListOperations(grpc::CallbackServerContext* context,
                                             const v1::ListOperationsRequest* request,
                                             v1::ListOperationsReply* reply) override;
    grpc::ServerUnaryReactor* ListAudit(grpc::CallbackServerContext* context,
                                        const v1::ListAuditRequest* request,
                                        v1::ListAuditReply* reply) override;
    grpc::ServerUnaryReactor* GetJob(grpc::CallbackServerContext* context,
                                     const v1::GetJobRequest* request,
                                     v1::JobDetail* reply) override;
    grpc::ServerUnaryReactor* GetMoment(grpc::CallbackServerContext* context,
                                        const v1::MomentRequest* request,
                                        v1::MomentReply* reply) override;
    grpc::ServerUnaryReactor* GetSeries(grpc::CallbackServerContext* context,
                                        const v1::SeriesRequest* request,
                                        v1::SeriesReply* reply) override;
    grpc::ServerUnaryReactor* GetTimeline(grpc::CallbackServerContext* context,
                                          const v1::TimelineRequest* request,
                                          v1::TimelineReply* reply) override;
    grpc::ServerUnaryReactor* Characterize(grpc::CallbackServerContext* context,
                                           const v1::CharacterizeRequest* request,
                                           v1::CharacterizeReply* reply) override;
    grpc::ServerUnaryReactor* ListIncidents(grpc::CallbackServerContext* context,
                                            const v1::ListIncidentsRequest* request,
                                            v1::ListIncidentsReply* reply) override;
    grpc::ServerUnaryReactor* GetIncident(grpc::CallbackServerContext* context,
                                          const v1::GetIncidentRequest* request,
                                          v1::Incident* reply) override;
    grpc::ServerUnaryReactor* ChangeIncident(grpc::CallbackServerContext* context,
                                             const v1::ChangeIncidentRequest* request,
                                             v1::Incident* reply) override;

private:
    Access& m_access;
    WatchService m_watch;
    ControlService m_control;
    PastService m_past;
    IncidentMethods m_incidents;
};

}  // namespace yard::rpc
