#pragma once

#include "backend/base/task_loop.h"
#include "backend/control/incident_service.h"
#include "backend/rpc/access.h"
#include "yard/v1/yard.pb.h"

namespace yard::domain {
struct Incident;
}

namespace yard::rpc {

/// The methods about incidents. `reply` lives until `call` is finished.
///
/// Thread: gRPC's for the calls; answers are converted on `worker`.
class IncidentMethods {
public:
    /// Both must outlive every call.
    IncidentMethods(control::IncidentService& incidents, TaskLoop& worker);

    void list(const v1::ListIncidentsRequest& request, v1::ListIncidentsReply* reply,
              PendingCallPtr call);
    void get(const v1::GetIncidentRequest& request, v1::Incident* reply, PendingCallPtr call);
    void change(const domain::Identity& by, const v1::ChangeIncidentRequest& request,
                v1::Incident* reply, PendingCallPtr call);

private:
    control::IncidentService& m_incidents;
    TaskLoop& m_worker;
};

void toProto(const domain::Incident& incident, v1::Incident* out);
/// INVALID_ARGUMENT names the field.
StatusOr<domain::IncidentChange> changeFrom(const v1::ChangeIncidentRequest& request);

}  // namespace yard::rpc
