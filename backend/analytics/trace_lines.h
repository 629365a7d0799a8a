#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/status.h"

namespace yard::analytics {

/// Lines of a file, plain or gzip, read in blocks of bounded size.
///
/// Thread: one at a time.
class TraceLines {
public:
    static StatusOr<TraceLines> open(const std::string& path);

    /// The next line without its end, valid until the next call. False at the end of the file and
    /// after a failed read: see status().
    bool next(std::string_view& line);
    /// DATA_LOSS when the file is cut or damaged. The lines before that were good.
    const Status& status() const { return m_status; }

    uint64_t number() const { return m_number; }  ///< of the last line, from 1
    /// The last line was longer than kLongestLine: it was cut off.
    bool isCut() const { return m_cut; }
    /// Bytes of the file that have been read and that it has.
    uint64_t bytesRead() const;
    uint64_t bytesInAll() const { return m_bytesInAll; }

    static constexpr size_t kLongestLine = size_t(1) << 19;

private:
    TraceLines() = default;
    bool fill();

    struct Close {
        void operator()(void* file) const;
    };
    std::string m_path;
    std::unique_ptr<void, Close> m_file;
    std::vector<char> m_buffer;
    size_t m_begin = 0;
    size_t m_end = 0;
    bool m_atEnd = false;
    bool m_cut = false;
    uint64_t m_number = 0;
    uint64_t m_bytesInAll = 0;
    Status m_status;
};

}  // namespace yard::analytics
