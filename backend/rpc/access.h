#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/control/operation_service.h"
#include "backend/rpc/peer_registry.h"

namespace yard::rpc {

grpc::Status toGrpc(const Status& status);

/// A unary call that waits for its answer. Whoever holds it last without having finished it,
/// finishes it as UNAVAILABLE: a call never hangs because an answer got lost.
class PendingCall {
public:
    explicit PendingCall(grpc::ServerUnaryReactor* reactor)
        : m_reactor(reactor)
    {
    }
    ~PendingCall();
    PendingCall(const PendingCall&) = delete;
    PendingCall& operator=(const PendingCall&) = delete;

    void finish(const Status& status);

private:
    std::mutex m_mutex;
    grpc::ServerUnaryReactor* m_reactor;
};
using PendingCallPtr = std::shared_ptr<PendingCall>;

/// The one gate that every handler passes: who calls, and may they. Refused calls are written into
/// the audit chain, at most once a second for each user and method.
///
/// Thread: any.
class Access {
public:
    Access(const PeerRegistry& peers, control::OperationService& operations, const Clock& clock);

    /// The caller, or PERMISSION_DENIED with the role that is missing and where it is granted.
    StatusOr<domain::Identity> admit(const std::string& peer, std::string_view method);
    /// For what only an admin may do within a method that others may call.
    Status requireAdmin(const domain::Identity& by, std::string_view method, std::string_view what);

    /// Runs `handler(identity, call)` if the caller has the method's role.
    template <typename Handler>
    grpc::ServerUnaryReactor* unary(grpc::CallbackServerContext* context, std::string_view method,
                                    Handler handler)
    {
        grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
        auto call = std::make_shared<PendingCall>(reactor);
        const auto by = admit(context->peer(), method);
        if (by.ok())
            handler(*by, call);
        else
            call->finish(by.status());
        return reactor;
    }

private:
    Status deny(const domain::Identity& by, std::string_view method, domain::Role needed,
                std::string_view what);

    const PeerRegistry& m_peers;
    control::OperationService& m_operations;
    const Clock& m_clock;
    std::mutex m_mutex;
    struct Denials {
        Time recorded;
        uint64_t unrecorded = 0;
    };
    std::map<std::pair<uint32_t, std::string>, Denials> m_denials;
};

}  // namespace yard::rpc
