#include "app/ctl/socket_check.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace yard::ctl {
namespace {

constexpr size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

constexpr const char* kNameIt = "name its socket with --socket or YARD_SOCKET";

std::string forbidden(const std::string& path)
{
    return fmt::format(
        "You may not connect to {}. Its group, or [socket] group of yardmasterd.toml, says who "
        "may.",
        path);
}

std::string missing(const std::string& path)
{
    return fmt::format("No yardmasterd serves on {}: there is no such socket. Start it, or {}.",
                       path, kNameIt);
}

}  // namespace

std::string wrongSocket(const std::string& path)
{
    if (path.size() > kLongestPath)
        return fmt::format(
            "The socket path {} has {} bytes; the system allows {}. Serve on a shorter one and {}.",
            path, path.size(), kLongestPath, kNameIt);
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) {
        if (errno == ENOENT)
            return missing(path);
        return errno == EACCES ? forbidden(path)
                               : fmt::format(
                                     "The socket {} cannot be looked at: {}. To choose "
                                     "another, {}.",
                                     path, strerror(errno), kNameIt);
    }
    if (S_ISSOCK(found.st_mode))
        return {};
    return fmt::format("{} is {}, not the socket of a yardmasterd. To choose another, {}.", path,
                       S_ISDIR(found.st_mode)   ? "a folder"
                       : S_ISREG(found.st_mode) ? "a plain file"
                                                : "something else",
                       kNameIt);
}

std::string deadSocket(const std::string& path)
{
    if (std::string why = wrongSocket(path); !why.empty())
        return why;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    memcpy(address.sun_path, path.c_str(), path.size() + 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return {};
    const int result = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const int error = result == 0 ? 0 : errno;
    close(fd);
    switch (error) {
        case ECONNREFUSED:
            return fmt::format(
                "Nobody serves on {} any more: the yardmasterd that made it has ended. Start it "
                "again, or {}.",
                path, kNameIt);
        case EPROTOTYPE:
            return fmt::format("{} is not the socket of a yardmasterd. To choose another, {}.",
                               path, kNameIt);
        case EACCES:
        case EPERM:
            return forbidden(path);
        case ENOENT:
            return missing(path);
        default:
            return {};
    }
}

}  // namespace yard::ctl
