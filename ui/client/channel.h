#pragma once

#include <QString>
#include <memory>

#include "yard/v1/yard.grpc.pb.h"

namespace yard::client {

/// The connection to one daemon; calls share it.
///
/// Thread: any.
class Channel {
public:
    explicit Channel(const QString& address);

    v1::Yard::Stub& stub() const { return *m_stub; }

private:
    std::unique_ptr<v1::Yard::Stub> m_stub;
};

/// The daemon itself said it, in a sentence; otherwise gRPC did, and the call may not have arrived.
bool isDaemonsWord(const grpc::Status& status);
/// What a failed call means for the person at the screen, as a sentence.
QString sentenceFor(const grpc::Status& status, const QString& address);

}  // namespace yard::client
