#include "backend/rpc/socket_listener.h"

#include <absl/strings/numbers.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "backend/base/log.h"

namespace yard::rpc {
namespace {

// Without descriptors or memory accept() fails at once: breathe before the next try.
constexpr int kPauseMilliseconds = 100;
constexpr int kLookAtPathMilliseconds = 1000;

Status failed(std::string_view what, const std::string& path)
{
    return absl::UnavailableError(
        fmt::format("Cannot {} the socket {}: {}. Check the folder and its permissions, or choose "
                    "another path.",
                    what, path, strerror(errno)));
}

StatusOr<sockaddr_un> addressOf(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.front() != '/')
        return absl::InvalidArgumentError(fmt::format(
            "The socket path \"{}\" is not absolute. Give one that starts with /.", path));
    if (path.size() >= sizeof address.sun_path)
        return absl::InvalidArgumentError(fmt::format(
            "The socket path {} has {} characters; the system allows {}. Choose a shorter one.",
            path, path.size(), sizeof address.sun_path - 1));
    memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

bool answers(const sockaddr_un& address)
{
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int result = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const bool alive = result == 0 || errno == EAGAIN || errno == EINPROGRESS;
    close(fd);
    return alive;
}

/// Makes way for our socket: removes one that nobody serves, refuses everything else.
Status clearPath(const sockaddr_un& address, const std::string& path)
{
    struct stat found {};
    if (lstat(path.c_str(), &found) != 0)
        return errno == ENOENT ? absl::OkStatus() : failed("look at", path);
    if (!S_ISSOCK(found.st_mode))
        return absl::AlreadyExistsError(fmt::format(
            "{} exists and is not a socket. It is left alone; choose another path or remove it.",
            path));
    if (answers(address))
        return absl::AlreadyExistsError(fmt::format(
            "Another program already serves on {}. Stop it first, or choose another path.", path));
    log::info(fmt::format("Replacing the socket {}, which a dead daemon left behind.", path));
    return unlink(path.c_str()) == 0 ? absl::OkStatus() : failed("replace", path);
}

StatusOr<gid_t> groupNamed(const std::string& name)
{
    group entry{};
    group* found = nullptr;
    std::vector<char> buffer(1u << 16);
    if (getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return entry.gr_gid;
    uint32_t number = 0;
    if (absl::SimpleAtoi(name, &number))
        return number;
    return absl::NotFoundError(
        fmt::format("The group \"{}\" for the socket does not exist on this system.", name));
}

Status setAccess(const std::string& path, const std::string& group)
{
    if (group.empty())
        return chmod(path.c_str(), 0666) == 0 ? absl::OkStatus()
                                              : failed("open to everybody", path);
    const auto gid = groupNamed(group);
    if (!gid.ok())
        return gid.status();
    if (chown(path.c_str(), uid_t(-1), *gid) != 0 || chmod(path.c_str(), 0660) != 0)
        return failed(fmt::format("give to the group {}", group), path);
    return absl::OkStatus();
}

StatusOr<int> lockBeside(const std::string& path)
{
    const std::string lockPath = path + ".lock";
    const int fd = ::open(lockPath.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return failed("lock", path);
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    close(fd);
    return absl::AlreadyExistsError(fmt::format(
        "Another yardmasterd already serves on {}. Stop it first, or choose another path.", path));
}

}  // namespace

StatusOr<std::unique_ptr<SocketListener>> SocketListener::open(const std::string& path,
                                                               const std::string& group)
{
    const auto address = addressOf(path);
    if (!address.ok())
        return address.status();
    const auto lock = lockBeside(path);
    if (!lock.ok())
        return lock.status();
    std::unique_ptr<SocketListener> listener(new SocketListener);
    listener->m_lock = *lock;
    YARD_RETURN_IF_ERROR(clearPath(*address, path));

    listener->m_wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (listener->m_wake < 0)
        return failed("make", path);
    listener->m_path = path;
    listener->m_group = group;
    YARD_RETURN_IF_ERROR(listener->makeSocket());
    return listener;
}

Status SocketListener::makeSocket()
{
    const auto address = addressOf(m_path);
    if (!address.ok())
        return address.status();
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0)
        return failed("make", m_path);
    if (bind(made, reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0) {
        const Status status = failed("make", m_path);
        close(made);
        return status;
    }
    struct stat found {};
    if (lstat(m_path.c_str(), &found) == 0)
        m_inode = found.st_ino;
    // Nobody can connect before listen(), so the permissions are in place in time.
    Status status = setAccess(m_path, m_group);
    if (status.ok() && listen(made, SOMAXCONN) != 0)
        status = failed("listen on", m_path);
    if (!status.ok()) {
        unlink(m_path.c_str());
        close(made);
        m_inode = 0;
        return status;
    }
    if (m_socket >= 0)
        close(m_socket);
    m_socket = made;
    return absl::OkStatus();
}

SocketListener::~SocketListener()
{
    stop();
    struct stat found {};
    if (!m_path.empty() && lstat(m_path.c_str(), &found) == 0 && found.st_ino == m_inode)
        unlink(m_path.c_str());
    for (const int fd : {m_socket, m_wake, m_lock}) {
        if (fd >= 0)
            close(fd);
    }
}

void SocketListener::start(Accepted accepted)
{
    m_thread = std::thread([this, accepted = std::move(accepted)] { run(accepted); });
}

void SocketListener::stop()
{
    if (!m_thread.joinable())
        return;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(m_wake, &one, sizeof one);
    m_thread.join();
}

void SocketListener::run(const Accepted& accepted)
{
    for (;;) {
        pollfd watched[] = {{m_socket, POLLIN, 0}, {m_wake, POLLIN, 0}};
        const int ready = poll(watched, 2, kLookAtPathMilliseconds);
        if (ready < 0 && errno != EINTR)
            return log::error(
                fmt::format("The socket {} accepts no more: {}", m_path, strerror(errno)));
        if (watched[1].revents != 0)
            return;
        if (ready <= 0) {
            keepPath();
            continue;
        }
        const int fd = accept4(m_socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd >= 0)
            accepted(fd);
        else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            poll(&watched[1], 1, kPauseMilliseconds);
    }
}

// Who cleans folders out may take the socket along; without it nobody new gets in.
void SocketListener::keepPath()
{
    struct stat found {};
    const bool exists = lstat(m_path.c_str(), &found) == 0;
    if (exists && found.st_ino == m_inode) {
        m_pathLost = false;
        return;
    }
    if (exists) {
        if (!m_pathLost)
            log::error(
                fmt::format("Something else was put in the place of the socket {}: nobody "
                            "new reaches this daemon. Remove it; the socket is made again.",
                            m_path));
        m_pathLost = true;
        return;
    }
    const Status status = makeSocket();
    if (status.ok())
        log::warning(fmt::format("The socket {} was removed. It was made again.", m_path));
    else if (!m_pathLost)
        log::error(std::string(status.message()));
    m_pathLost = !status.ok();
}

}  // namespace yard::rpc
