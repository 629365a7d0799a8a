#include "backend/rpc/peer_registry.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <vector>

namespace yard::rpc {
namespace {

/// Raises the soft limit of open files to the hard one; a small one would be the first bound to
/// hurt.
int raiseFileLimit()
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1024;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 65536);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return int(std::min<rlim_t>(limit.rlim_cur, 65536));
}

}  // namespace

PeerRegistry::PeerRegistry(Limits limits)
    : m_limits(limits)
    , m_highest(raiseFileLimit())
{
    // The lower half stays with files, pipes and databases.
    m_lowest = m_highest / 2;
    m_next = m_lowest;
}

std::optional<int> PeerRegistry::admit(int fd, domain::Identity identity)
{
    const std::lock_guard lock(m_mutex);
    forgetClosed();
    if (m_open.size() >= m_limits.connections ||
        connectionsOf(identity.uid) >= m_limits.connectionsPerUser) {
        close(fd);
        return std::nullopt;
    }
    int numbered = fcntl(fd, F_DUPFD_CLOEXEC, nextNumber());
    if (numbered < 0)
        numbered = fcntl(fd, F_DUPFD_CLOEXEC, m_lowest);
    close(fd);
    if (numbered < 0)
        return std::nullopt;
    m_next = numbered + 1;
    m_open[numbered] = std::move(identity);
    return numbered;
}

std::optional<domain::Identity> PeerRegistry::find(std::string_view peer) const
{
    constexpr std::string_view kPrefix = "fd:";
    int fd = -1;
    if (!peer.starts_with(kPrefix))
        return std::nullopt;
    const char* end = peer.data() + peer.size();
    const auto read = std::from_chars(peer.data() + kPrefix.size(), end, fd);
    if (read.ec != std::errc() || read.ptr != end)
        return std::nullopt;
    const std::lock_guard lock(m_mutex);
    const auto found = m_open.find(fd);
    return found == m_open.end() ? std::nullopt : std::optional(found->second);
}

size_t PeerRegistry::open() const
{
    const std::lock_guard lock(m_mutex);
    return m_open.size();
}

// gRPC closes connections without telling. A closed one shows as hung up or as no socket at all.
void PeerRegistry::forgetClosed()
{
    std::vector<pollfd> asked;
    asked.reserve(m_open.size());
    for (const auto& [fd, identity] : m_open)
        asked.push_back({fd, POLLRDHUP, 0});
    if (poll(asked.data(), asked.size(), 0) <= 0)
        return;
    for (const pollfd& answer : asked) {
        if ((answer.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) != 0)
            m_open.erase(answer.fd);
    }
}

size_t PeerRegistry::connectionsOf(uint32_t uid) const
{
    return size_t(std::count_if(m_open.begin(), m_open.end(),
                                [&](const auto& entry) { return entry.second.uid == uid; }));
}

int PeerRegistry::nextNumber()
{
    if (m_next >= m_highest)
        m_next = m_lowest;
    return m_next;
}

}  // namespace yard::rpc
