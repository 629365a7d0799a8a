#include "ui/client/channel.h"

#include <grpcpp/grpcpp.h>

namespace yard::client {
namespace {

// A full update of 131,072 GPUs with every metric is about 7 MB.
constexpr int kMaxMessageBytes = 64 * 1024 * 1024;
// We have a pause of our own between attempts; the channel must not add to it.
constexpr int kChannelBackoffMs = 200;

}  // namespace

Channel::Channel(const QString& address)
{
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(kMaxMessageBytes);
    arguments.SetMaxSendMessageSize(kMaxMessageBytes);
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kChannelBackoffMs);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kChannelBackoffMs);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kChannelBackoffMs);
    // Two windows in one process must not share a connection: identity belongs to it.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    m_stub = v1::Yard::NewStub(grpc::CreateCustomChannel(
        address.toStdString(), grpc::InsecureChannelCredentials(), arguments));
}

bool isDaemonsWord(const grpc::Status& status)
{
    return !status.error_message().empty() && status.error_message().back() == '.';
}

QString sentenceFor(const grpc::Status& status, const QString& address)
{
    const QString words = QString::fromStdString(status.error_message());
    if (isDaemonsWord(status))
        return words;
    switch (status.error_code()) {
        case grpc::StatusCode::UNAVAILABLE:
            return QStringLiteral("No daemon answers at %1.").arg(address);
        case grpc::StatusCode::DEADLINE_EXCEEDED:
            return QStringLiteral("The daemon at %1 did not answer in time.").arg(address);
        case grpc::StatusCode::PERMISSION_DENIED:
        case grpc::StatusCode::UNAUTHENTICATED:
            return words.isEmpty()
                       ? QStringLiteral("The daemon at %1 does not let you do this.").arg(address)
                       : words;
        case grpc::StatusCode::UNIMPLEMENTED:
            return QStringLiteral(
                       "The daemon at %1 is of another version and does not know this call.")
                .arg(address);
        case grpc::StatusCode::OK:
            return QStringLiteral("The daemon at %1 ended the stream.").arg(address);
        default:
            return words.isEmpty()
                       ? QStringLiteral("The call to the daemon at %1 ended with code %2.")
                             .arg(address)
                             .arg(int(status.error_code()))
                       : words;
    }
}

}  // namespace yard::client
