#pragma once

#include <sys/types.h>

#include <cstdint>
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

    /// The first read starts at most `historyLimit` bytes before the end.
    LogFollower(std::string path, size_t historyLimit);
    ~LogFollower();
    LogFollower(const LogFollower&) = delete;
    LogFollower& operator=(const LogFollower&) = delete;

    /// NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION (no regular file) or UNAVAILABLE, as a
    /// sentence; the place is kept.
    StatusOr<Piece> next();

private:
    Status openAtPath();
    Status openFirst();
    bool wasReplaced() const;
    void restartIfTruncated();
    StatusOr<Piece> readPiece();

    const std::string m_path;
    const size_t m_historyLimit;
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
