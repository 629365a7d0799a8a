#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/control/change_hub.h"
#include "backend/control/incident_service.h"
#include "backend/control/operation_service.h"
#include "backend/control/past.h"
#include "backend/rpc/identity.h"
#include "backend/rpc/peer_registry.h"

namespace yard::rpc {

struct ServerOptions {
    std::string socketPath;
    std::string socketGroup;  ///< empty: everybody may connect, and roles decide
    PeerRegistry::Limits limits;
    AccessOptions access;
};

/// yard.v1.Yard on a UNIX socket, for callers that the kernel vouches for. Nothing listens on TCP.
///
/// Thread: start() and stop() from one. `hub`, `operations`, `incidents`, `past` and `clock` must
/// outlive the server, and answer until stop() has returned.
class Server {
public:
    static StatusOr<std::unique_ptr<Server>> start(const ServerOptions& options,
                                                   control::ChangeHub& hub,
                                                   control::OperationService& operations,
                                                   control::IncidentService& incidents,
                                                   control::Past& past, const Clock& clock);
    ~Server();

    /// Accepts nothing more, gives calls `grace` to end, then cancels them.
    void stop(std::chrono::milliseconds grace);

private:
    struct Parts;
    explicit Server(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

}  // namespace yard::rpc
