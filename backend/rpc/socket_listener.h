#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "backend/base/status.h"

namespace yard::rpc {

/// Accepts connections on a UNIX socket and hands each one over. Owns the path: a lock beside it
/// keeps a second daemon away, the leftover of a dead one is replaced, anything else in its place
/// is left alone and refused. A path that is removed meanwhile is made again. It goes away with the
/// listener.
///
/// Thread: construction and destruction from one; `Accepted` runs on the listener's own thread.
class SocketListener {
public:
    /// Owns the connected descriptor from then on.
    using Accepted = std::function<void(int fd)>;

    /// `group`: a name or number; its members may connect (mode 0660). Empty: everybody may (0666),
    /// and roles decide. ALREADY_EXISTS if another daemon serves there.
    static StatusOr<std::unique_ptr<SocketListener>> open(const std::string& path,
                                                          const std::string& group);
    ~SocketListener();
    SocketListener(const SocketListener&) = delete;
    SocketListener& operator=(const SocketListener&) = delete;

    void start(Accepted accepted);
    /// After it returns nothing more is accepted.
    void stop();

private:
    SocketListener() = default;
    Status makeSocket();
    void run(const Accepted& accepted);
    void keepPath();

    std::string m_path;
    std::string m_group;
    bool m_pathLost = false;  ///< and said so
    int m_lock = -1;
    int m_socket = -1;
    int m_wake = -1;
    ino_t m_inode = 0;
    std::thread m_thread;
};

}  // namespace yard::rpc
