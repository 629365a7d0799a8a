#include "backend/telemetry/sources/log_follower.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace yard::telemetry {
namespace {

constexpr size_t kPieceSize = 4ul << 20;
// Longer than a line: the ends of two lines are often the same.
constexpr size_t kTailSize = 1024;

}  // namespace

LogFollower::LogFollower(std::string path, size_t historyLimit, std::string what, Check check)
    : m_path(std::move(path))
    , m_historyLimit(historyLimit)
    , m_what(std::move(what))
    , m_check(std::move(check))
{
}

LogFollower::~LogFollower()
{
    if (m_file >= 0)
        close(m_file);
}

Status LogFollower::failed(int reason) const
{
    const std::string sentence =
        fmt::format("The {} {} cannot be read: {}.", m_what, m_path, std::strerror(reason));
    if (reason == ENOENT)
        return absl::NotFoundError(sentence);
    if (reason == EACCES || reason == EPERM)
        return absl::PermissionDeniedError(sentence);
    return absl::UnavailableError(sentence);
}

Status LogFollower::openAtPath()
{
    // Without O_NONBLOCK a FIFO of this name would hold us up for ever.
    const int file = open(m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return failed(errno);
    struct stat found {};
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode)) {
        close(file);
        return absl::FailedPreconditionError(
            fmt::format("The {} {} is no regular file; name one.", m_what, m_path));
    }
    if (const Status allowed = m_check ? m_check(file) : absl::OkStatus(); !allowed.ok()) {
        close(file);
        return allowed;
    }
    if (m_file >= 0)
        close(m_file);
    m_file = file;
    m_device = found.st_dev;
    m_inode = found.st_ino;
    m_offset = 0;
    m_historyEnd = 0;
    m_tail.clear();
    m_skipsPartLine = false;
    return {};
}

Status LogFollower::openFirst()
{
    YARD_RETURN_IF_ERROR(openAtPath());
    if (m_started)
        return {};
    struct stat found {};
    fstat(m_file, &found);
    m_started = true;
    m_historyEnd = found.st_size;
    m_offset = std::max<off_t>(0, found.st_size - off_t(m_historyLimit));
    if (m_offset > 0) {
        char before = '\n';
        m_skipsPartLine = pread(m_file, &before, 1, m_offset - 1) == 1 && before != '\n';
    }
    return {};
}

bool LogFollower::wasReplaced() const
{
    struct stat found {};
    return stat(m_path.c_str(), &found) == 0 &&
           (found.st_ino != m_inode || found.st_dev != m_device);
}

void LogFollower::restartIfTruncated()
{
    struct stat found {};
    if (fstat(m_file, &found) != 0)
        return;
    bool isAnew = found.st_size < m_offset;
    if (!isAnew && !m_tail.empty()) {
        // Truncated and grown past our place since: the bytes before it are others.
        std::string now(m_tail.size(), '\0');
        const ssize_t got = pread(m_file, now.data(), now.size(), m_offset - off_t(now.size()));
        isAnew = got == ssize_t(now.size()) && now != m_tail;
    }
    if (!isAnew)
        return;
    m_offset = 0;
    m_historyEnd = 0;
    m_tail.clear();
    m_skipsPartLine = false;
}

StatusOr<LogFollower::Piece> LogFollower::readPiece()
{
    Piece piece;
    piece.isHistory = m_offset < m_historyEnd;
    struct stat found {};
    const off_t left = fstat(m_file, &found) == 0 ? found.st_size - m_offset : 0;
    std::string buffer(std::min(kPieceSize, size_t(std::max<off_t>(0, left))), '\0');
    const ssize_t got = pread(m_file, buffer.data(), buffer.size(), m_offset);
    if (got < 0)
        return failed(errno);
    buffer.resize(size_t(got));
    const bool isFull = buffer.size() == kPieceSize;
    size_t begin = 0;
    if (m_skipsPartLine) {
        const size_t end = buffer.find('\n');
        begin = end == std::string::npos ? buffer.size() : end + 1;
        piece.skippedBytes = begin;
        m_skipsPartLine = end == std::string::npos;
    }
    size_t end = buffer.rfind('\n');
    end = end == std::string::npos || end < begin ? begin : end + 1;
    if (end == 0 && isFull) {
        // One line as long as a piece: no kernel's. It is passed over up to its end.
        end = buffer.size();
        begin = end;
        piece.skippedBytes = end;
        m_skipsPartLine = true;
    }
    piece.text = buffer.substr(begin, end - begin);
    piece.hasMore = isFull;
    m_offset += off_t(end);
    m_tail.append(buffer, 0, end);
    m_tail.erase(0, m_tail.size() - std::min(m_tail.size(), kTailSize));
    return piece;
}

StatusOr<LogFollower::Piece> LogFollower::next()
{
    if (m_file < 0)
        YARD_RETURN_IF_ERROR(openFirst());
    // Asked before reading: what is written to the old file before its renaming is then read.
    const bool replaced = wasReplaced();
    if (!replaced)
        restartIfTruncated();
    StatusOr<Piece> piece = readPiece();
    if (!piece.ok() || !replaced || piece->hasMore)
        return piece;
    if (const Status opened = openAtPath(); !opened.ok())
        return piece;  // gone again between two looks; the next turn finds it
    piece->hasMore = true;
    return piece;
}

std::string LogFollower::unended() const
{
    std::string rest(kPieceSize, '\0');
    const ssize_t got = m_file < 0 ? 0 : pread(m_file, rest.data(), rest.size(), m_offset);
    rest.resize(m_skipsPartLine ? 0 : size_t(std::max<ssize_t>(0, got)));
    return rest;
}

}  // namespace yard::telemetry
