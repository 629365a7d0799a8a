#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "backend/domain/operation.h"

namespace yard::rpc {

/// Who is behind each open connection, by the number of its socket: gRPC names the peer of a call
/// "fd:N". Numbers are given out in a circle high above all others, so that a call which outlives
/// its connection cannot meet the identity of a later one.
///
/// Thread: any.
class PeerRegistry {
public:
    struct Limits {
        size_t connections = 256;
        size_t connectionsPerUser = 128;
    };
    explicit PeerRegistry(Limits limits);

    /// Gives `fd` its number and remembers who it is; closes `fd` in any case. Empty: too many
    /// connections, of all or of this user.
    std::optional<int> admit(int fd, domain::Identity identity);
    /// `peer` as in ServerContext::peer(). Empty: not a connection of ours.
    std::optional<domain::Identity> find(std::string_view peer) const;
    size_t open() const;

private:
    void forgetClosed();
    size_t connectionsOf(uint32_t uid) const;
    int nextNumber();

    const Limits m_limits;
    mutable std::mutex m_mutex;
    std::map<int, domain::Identity> m_open;
    int m_lowest;
    int m_highest;
    int m_next;
};

}  // namespace yard::rpc
