#include "backend/rpc/server.h"

#include <fmt/format.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_posix.h>

#include <unistd.h>

#include "backend/base/log.h"
#include "backend/rpc/socket_listener.h"
#include "backend/rpc/yard_service.h"

namespace yard::rpc {
namespace {

// The largest request is a submission with its script.
constexpr int kLargestRequest = 6 << 20;
constexpr int kMostStreamsPerConnection = 64;
// Enough for every stream that the limits allow to have several steps waiting.
constexpr size_t kWorkerQueue = 262'144;

// gRPC ends with the last object that uses it, and then waits for a poller of its own which sleeps
// up to ten seconds once a large update had to wait for its reader. The process's end needs no
// such wait.
void keepGrpcUp()
{
    [[maybe_unused]] static const bool kUp = [] {
        grpc_init();
        return true;
    }();
}

std::unique_ptr<grpc::Server> buildServer(grpc::Service& service)
{
    keepGrpcUp();
    grpc::ServerBuilder builder;
    builder.RegisterService(&service);
    builder.SetMaxReceiveMessageSize(kLargestRequest);
    builder.SetMaxSendMessageSize(-1);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostStreamsPerConnection);
    builder.AddChannelArgument(GRPC_ARG_MAX_METADATA_SIZE, 16 << 10);
    return builder.BuildAndStart();
}

}  // namespace

struct Server::Parts {
    Parts(const ServerOptions& options, IdentityRules identityRules, control::ChangeHub& hub,
          control::OperationService& operations, control::IncidentService& incidents,
          control::Past& past, const Clock& clock)
        : rules(std::move(identityRules))
        , peers(options.limits)
        , worker(kWorkerQueue)
        , access(peers, operations, clock)
        , service(hub, operations, incidents, past, access, clock, worker)
        , clock(clock)
    {
    }

    void accept(int fd);

    IdentityRules rules;
    PeerRegistry peers;
    TaskLoop worker;
    Access access;
    YardService service;
    const Clock& clock;
    std::unique_ptr<grpc::Server> grpc;
    std::unique_ptr<SocketListener> listener;
    Time lastComplaint{};
};

void Server::Parts::accept(int fd)
{
    const auto peer = peerCredentials(fd);
    if (!peer.ok()) {
        log::warning(std::string(peer.status().message()));
        close(fd);
        return;
    }
    const domain::Identity identity = rules.identify(*peer);
    if (const auto admitted = peers.admit(fd, identity))
        return grpc::AddInsecureChannelFromFd(grpc.get(), *admitted);
    if (clock.now() - lastComplaint > std::chrono::seconds(10)) {
        lastComplaint = clock.now();
        log::warning(
            fmt::format("Too many connections: one of {} ({}) was closed. max_connections in "
                        "[socket] sets the limit.",
                        identity.user, identity.from));
    }
}

StatusOr<std::unique_ptr<Server>> Server::start(const ServerOptions& options,
                                                control::ChangeHub& hub,
                                                control::OperationService& operations,
                                                control::IncidentService& incidents,
                                                control::Past& past, const Clock& clock)
{
    auto rules = IdentityRules::make(options.access);
    if (!rules.ok())
        return rules.status();
    auto listener = SocketListener::open(options.socketPath, options.socketGroup);
    if (!listener.ok())
        return listener.status();
    auto parts = std::make_unique<Parts>(options, *std::move(rules), hub, operations, incidents,
                                         past, clock);
    parts->grpc = buildServer(parts->service);
    if (!parts->grpc)
        return absl::InternalError("gRPC did not start a server.");
    parts->listener = *std::move(listener);
    parts->listener->start([raw = parts.get()](int fd) { raw->accept(fd); });
    return std::unique_ptr<Server>(new Server(std::move(parts)));
}

Server::Server(std::unique_ptr<Parts> parts)
    : m_parts(std::move(parts))
{
}

Server::~Server()
{
    stop(std::chrono::milliseconds(500));
}

void Server::stop(std::chrono::milliseconds grace)
{
    if (!m_parts->listener)
        return;
    m_parts->listener->stop();
    m_parts->grpc->Shutdown(std::chrono::system_clock::now() + grace);
    m_parts->grpc->Wait();
    m_parts->listener.reset();
}

}  // namespace yard::rpc
