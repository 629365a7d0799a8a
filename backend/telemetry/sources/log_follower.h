#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>

#include "backend/base/status.h"

namespace yard::telemetry {

/// Reads a growing log file in whole lines, a bounded piece at a time, over rotation by renaming
/// (the old file is read to its end first) and by truncation.
///
/// Thread: one at a time.
class LogFollower {
public:
    struct Piece {
        std::string text;           ///< whole lines
        bool isHistory = false;     ///< written before the first read
        uint64_t skippedBytes = 0;  ///< of lines longer than a piece
        bool hasMore = false;
    };

    /// Whether an opened file may be read; the sentence of what it answers is passed on.
    using Check = std::function<Status(int file)>;

    /// The first read starts at most `historyLimit` bytes before the end. `what` is its name in
    /// sentences.
    LogFollower(std::string path, size_t historyLimit, std::string what = "kernel log",
                Check check = {});
    ~LogFollower();
    LogFollower(const LogFollower&) = delete;
    LogFollower& operator=(const LogFollower&) = delete;

    /// NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION (no regular file) or UNAVAILABLE, as a
    /// sentence; the place is kept.
    StatusOr<Piece> next();
    /// What stands behind the last whole line: of a log that nobody writes to any more.
    std::string unended() const;

private:
    Status failed(int reason) const;
    Status openAtPath();
    Status openFirst();
    bool wasReplaced() const;
    void restartIfTruncated();
    StatusOr<Piece> readPiece();

    const std::string m_path;
    const size_t m_historyLimit;
    const std::string m_what;
    const Check m_check;
    int m_file = -1;
    bool m_started = false;
    bool m_skipsPartLine = false;  ///< the rest of a line whose start is not known or too far back
    dev_t m_device = 0;
    ino_t m_inode = 0;
    off_t m_offset = 0;
    off_t m_historyEnd = 0;
    std::string m_tail;  ///< the last bytes before the offset, to notice a file written anew
};

}  // namespace yard::telemetry
