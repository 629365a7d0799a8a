#include "backend/base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "backend/base/text.h"

namespace yard {
namespace {

constexpr size_t kPiece = size_t(1) << 20;
constexpr size_t kMebibyte = size_t(1) << 20;

Status failed(const std::string& path, int reason)
{
    const bool isMissing = reason == ENOENT || reason == ENOTDIR;
    const std::string sentence =
        fmt::format("{} cannot be read: {}", text::validUtf8(path),
                    isMissing ? "there is no such file" : std::strerror(reason));
    if (isMissing)
        return absl::NotFoundError(sentence);
    if (reason == EACCES || reason == EPERM)
        return absl::PermissionDeniedError(sentence);
    return absl::UnavailableError(sentence);
}

const char* kindOf(mode_t mode)
{
    if (S_ISDIR(mode))
        return "a folder";
    if (S_ISFIFO(mode))
        return "a pipe";
    return S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

StatusOr<int> openRegularFile(const std::string& path)
{
    // Without O_NONBLOCK a FIFO would hold us up until somebody writes to it.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return failed(path, errno);
    struct stat about = {};
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode))
        return file;
    close(file);
    return absl::FailedPreconditionError(fmt::format("{} cannot be read: it is {}, not a file",
                                                     text::validUtf8(path), kindOf(about.st_mode)));
}

StatusOr<std::string> readWholeFile(const std::string& path, size_t limit)
{
    const StatusOr<int> file = openRegularFile(path);
    if (!file.ok())
        return file.status();
    std::string bytes;
    ssize_t got = 0;
    // Not by its size: a file of /proc has none, and one that is written to grows meanwhile.
    do {
        const size_t had = bytes.size();
        bytes.resize(had + std::min(kPiece, limit - had + 1));
        got = read(*file, bytes.data() + had, bytes.size() - had);
        bytes.resize(had + size_t(std::max<ssize_t>(got, 0)));
    } while (got > 0 && bytes.size() <= limit);
    const int reason = errno;
    close(*file);
    if (got < 0)
        return failed(path, reason);
    if (bytes.size() > limit)
        return absl::ResourceExhaustedError(
            fmt::format("{} cannot be read: it has more than {} MiB; split it",
                        text::validUtf8(path), limit / kMebibyte));
    return bytes;
}

}  // namespace yard
