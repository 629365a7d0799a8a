#include "app/ctl/connection.h"

#include <fmt/format.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "app/ctl/socket_check.h"
#include "backend/base/text.h"

namespace yard::ctl {
namespace {

constexpr std::chrono::milliseconds kBetweenTries{200};

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
    fmt::print(stderr, "yardctl: {}\n", text::visibleLines(sentence));
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
    // Not the least one: it would also be how long a busy daemon may take to greet.
    for (const char* backoff :
         {GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, GRPC_ARG_MAX_RECONNECT_BACKOFF_MS})
        arguments.SetInt(backoff, int(kBetweenTries.count()));
    // The library complains by itself of a path that no socket can have.
    const std::string address = wrongSocket(m_path).empty() ? m_path : "/";
    m_stub = v1::Yard::NewStub(grpc::CreateCustomChannel(
        "unix:" + address, grpc::InsecureChannelCredentials(), arguments));
}

ExitCode Connection::check() const
{
    const std::string wrong = wrongSocket(m_path);
    return wrong.empty() ? Done : complain(CannotConnect, wrong);
}

// The daemon's own words are sentences; those of the transport are not.
bool Connection::isLost(const grpc::Status& status)
{
    const std::string& words = status.error_message();
    const bool isSentence = !words.empty() && words.back() == '.';
    return !isSentence && (status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                           status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ||
                           status.error_code() == grpc::StatusCode::CANCELLED);
}

std::string Connection::whyLost(const grpc::Status& status, std::chrono::seconds waited) const
{
    if (std::string dead = deadSocket(m_path); !dead.empty())
        return dead;
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE)
        return fmt::format(
            "yardmasterd on {} closed the connection without a word: it is stopping, or has as "
            "many as it may ([socket] max_connections). Its log says which; try again.",
            m_path);
    return fmt::format(
        "yardmasterd on {} did not answer within {} s. Try again, or give --timeout.", m_path,
        waited.count());
}

ExitCode Connection::report(const grpc::Status& status) const
{
    if (status.ok())
        return Done;
    if (isLost(status))
        return complain(
            status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED ? TimedOut : CannotConnect,
            whyLost(status, m_timeout));
    return complain(exitCodeOf(status.error_code()),
                    status.error_message().empty()
                        ? fmt::format("yardmasterd on {} ended the call with gRPC code {} and no "
                                      "word. Is it of the same version?",
                                      m_path, int(status.error_code()))
                        : status.error_message());
}

void Connection::pauseBeforeRetry()
{
    std::this_thread::sleep_for(kBetweenTries);
}

}  // namespace yard::ctl
