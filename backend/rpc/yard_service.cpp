#include "backend/rpc/yard_service.h"

namespace yard::rpc {

using domain::Identity;

YardService::YardService(control::ChangeHub& hub, control::OperationService& operations,
                         control::IncidentService& incidents, control::Past& past, Access& access,
                         const Clock& clock, TaskLoop& worker)
    : m_access(access)
    , m_watch(hub, access, worker)
    , m_control(hub, operations, access, worker)
    , m_past(past, clock, worker)
    , m_incidents(incidents, worker)
{
}

grpc::ServerWriteReactor<v1::Update>* YardService::Watch(grpc::CallbackServerContext* context,
                                                         const v1::WatchRequest* request)
{
    return m_watch.watch(context, *request);
}

grpc::ServerUnaryReactor* YardService::GetSnapshot(grpc::CallbackServerContext* context,
                                                   const v1::SnapshotRequest* request,
                                                   v1::Update* reply)
{
    return m_access.unary(context, "GetSnapshot",
                          [=, this](const Identity& by, PendingCallPtr call) {
                              m_control.getSnapshot(by, *request, reply, std::move(call));
                          });
}

grpc::ServerUnaryReactor* YardService::Preview(grpc::CallbackServerContext* context,
                                               const v1::PreviewRequest* request,
                                               v1::PreviewReply* reply)
{
    return m_access.unary(context, "Preview", [=, this](const Identity& by, PendingCallPtr call) {
        m_control.preview(by, *request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::Execute(grpc::CallbackServerContext* context,
                                               const v1::ExecuteRequest* request,
                                               v1::Operation* reply)
{
    return m_access.unary(context, "Execute", [=, this](const Identity& by, PendingCallPtr call) {
        m_control.execute(by, *request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::PreviewUndo(grpc::CallbackServerContext* context,
                                                   const v1::PreviewUndoRequest* request,
                                                   v1::PreviewReply* reply)
{
    return m_access.unary(context, "PreviewUndo",
                          [=, this](const Identity& by, PendingCallPtr call) {
                              m_control.previewUndo(by, *request, reply, std::move(call));
                          });
}

grpc::ServerUnaryReactor* YardService::ListOperations(grpc::CallbackServerContext* context,
                                                      const v1::ListOperationsRequest* request,
                                                      v1::ListOperationsReply* reply)
{
    return m_access.unary(context, "ListOperations",
                          [=, this](const Identity&, PendingCallPtr call) {
                              m_control.listOperations(*request, reply, std::move(call));
                          });
}

grpc::ServerUnaryReactor* YardService::ListAudit(grpc::CallbackServerContext* context,
                                                 const v1::ListAuditRequest* request,
                                                 v1::ListAuditReply* reply)
{
    return m_access.unary(context, "ListAudit", [=, this](const Identity&, PendingCallPtr call) {
        m_control.listAudit(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::GetJob(grpc::CallbackServerContext* context,
                                              const v1::GetJobRequest* request,
                                              v1::JobDetail* reply)
{
    return m_access.unary(context, "GetJob", [=, this](const Identity&, PendingCallPtr call) {
        m_control.getJob(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::GetMoment(grpc::CallbackServerContext* context,
                                                 const v1::MomentRequest* request,
                                                 v1::MomentReply* reply)
{
    return m_access.unary(context, "GetMoment", [=, this](const Identity& by, PendingCallPtr call) {
        m_past.getMoment(by, *request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::GetSeries(grpc::CallbackServerContext* context,
                                                 const v1::SeriesRequest* request,
                                                 v1::SeriesReply* reply)
{
    return m_access.unary(context, "GetSeries", [=, this](const Identity&, PendingCallPtr call) {
        m_past.getSeries(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::GetTimeline(grpc::CallbackServerContext* context,
                                                   const v1::TimelineRequest* request,
                                                   v1::TimelineReply* reply)
{
    return m_access.unary(context, "GetTimeline", [=, this](const Identity&, PendingCallPtr call) {
        m_past.getTimeline(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::Characterize(grpc::CallbackServerContext* context,
                                                    const v1::CharacterizeRequest* request,
                                                    v1::CharacterizeReply* reply)
{
    return m_access.unary(context, "Characterize", [=, this](const Identity&, PendingCallPtr call) {
        m_past.characterize(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::ListIncidents(grpc::CallbackServerContext* context,
                                                     const v1::ListIncidentsRequest* request,
                                                     v1::ListIncidentsReply* reply)
{
    return m_access.unary(context, "ListIncidents",
                          [=, this](const Identity&, PendingCallPtr call) {
                              m_incidents.list(*request, reply, std::move(call));
                          });
}

grpc::ServerUnaryReactor* YardService::GetIncident(grpc::CallbackServerContext* context,
                                                   const v1::GetIncidentRequest* request,
                                                   v1::Incident* reply)
{
    return m_access.unary(context, "GetIncident", [=, this](const Identity&, PendingCallPtr call) {
        m_incidents.get(*request, reply, std::move(call));
    });
}

grpc::ServerUnaryReactor* YardService::ChangeIncident(grpc::CallbackServerContext* context,
                                                      const v1::ChangeIncidentRequest* request,
                                                      v1::Incident* reply)
{
    return m_access.unary(context, "ChangeIncident",
                          [=, this](const Identity& by, PendingCallPtr call) {
                              m_incidents.change(by, *request, reply, std::move(call));
                          });
}

}  // namespace yard::rpc
