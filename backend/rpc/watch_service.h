#pragma once

#include <grpcpp/support/server_callback.h>

#include "backend/control/change_hub.h"
#include "backend/rpc/access.h"
#include "yard/v1/yard.pb.h"

namespace yard::rpc {

/// The stream. Each reader has at most one update on its way: the next one is asked for once gRPC
/// has taken the last, so a slow reader costs one update and holds nobody up.
///
/// Thread: gRPC's for watch(); all of a stream's life then happens on `worker`, which must outlive
/// it.
class WatchService {
public:
    WatchService(control::ChangeHub& hub, Access& access, TaskLoop& worker);

    grpc::ServerWriteReactor<v1::Update>* watch(grpc::CallbackServerContext* context,
                                                const v1::WatchRequest& request);

private:
    control::ChangeHub& m_hub;
    Access& m_access;
    TaskLoop& m_worker;
};

}  // namespace yard::rpc
