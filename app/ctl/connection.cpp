#include "app/ctl/connection.h"

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace yard::ctl {
namespace {

std::string environment(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// --socket, $YARD_SOCKET, the system's daemon, the user's own.
std::string findSocket(const std::string& given)
{
    if (!given.empty())
        return std::filesystem::absolute(given);
    if (const std::string named = environment("YARD_SOCKET"); !named.empty())
        return std::filesystem::absolute(named);
    const std::string system = "/run/yardmaster/yard.sock";
    const std::string runtime = environment("XDG_RUNTIME_DIR");
    const std::string own = runtime + "/yardmaster/yard.sock";
    std::error_code ignored;
    if (!runtime.empty() && !std::filesystem::exists(system, ignored) &&
        std::filesystem::exists(own, ignored))
        return own;
    return system;
}

ExitCode exitCodeOf(grpc::StatusCode code)
{
    switch (code) {
        case grpc::StatusCode::OK:
            return Done;
        case grpc::StatusCode::UNAVAILABLE:
            return CannotConnect;
        case grpc::StatusCode::DEADLINE_EXCEEDED:
            return TimedOut;
        case grpc::StatusCode::INVALID_ARGUMENT:
        case grpc::StatusCode::NOT_FOUND:
        case grpc::StatusCode::DATA_LOSS:
            return BadInput;
        default:
            return RefusedHere;
    }
}

}  // namespace

ExitCode complain(ExitCode code, const std::string& sentence)
{
    fmt::print(stderr, "yardctl: {}\n", sentence);
    return code;
}

Connection::Connection(const CommonOptions& options)
    : m_path(findSocket(options.socket))
    , m_timeout(options.timeoutSeconds)
{
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    // A local socket answers at once or not at all; a proxy has no business here.
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
    m_stub = v1::Yard::NewStub(
        grpc::CreateCustomChannel("unix:" + m_path, grpc::InsecureChannelCredentials(), arguments));
}

ExitCode Connection::report(const grpc::Status& status) const
{
    const ExitCode code = exitCodeOf(status.error_code());
    if (code == Done)
        return Done;
    if (code != CannotConnect)
        return complain(code, status.error_message());
    if (access(m_path.c_str(), F_OK) != 0)
        return complain(
            code, fmt::format("No yardmasterd serves on {}: there is no such socket. Start it, or "
                              "name its socket with --socket or YARD_SOCKET.",
                              m_path));
    if (access(m_path.c_str(), R_OK | W_OK) != 0)
        return complain(code,
                        fmt::format("You may not connect to {}. Its group, or [socket] group of "
                                    "yardmasterd.toml, says who may.",
                                    m_path));
    return complain(
        code, fmt::format("yardmasterd does not answer on {}: {}", m_path, status.error_message()));
}

}  // namespace yard::ctl
