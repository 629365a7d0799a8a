#include "backend/analytics/trace_lines.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "backend/base/whole_file.h"

namespace yard::analytics {
namespace {

constexpr size_t kBuffer = 2 * TraceLines::kLongestLine;

gzFile gz(void* file)
{
    return static_cast<gzFile>(file);
}

}  // namespace

void TraceLines::Close::operator()(void* file) const
{
    gzclose_r(gz(file));
}

StatusOr<TraceLines> TraceLines::open(const std::string& path)
{
    const StatusOr<int> descriptor = openRegularFile(path);
    if (!descriptor.ok())
        return absl::Status(descriptor.status().code(),
                            fmt::format("The file {}. Check the name and its rights.",
                                        std::string(descriptor.status().message())));
    struct stat about = {};
    ::fstat(*descriptor, &about);
    TraceLines lines;
    lines.m_path = path;
    lines.m_bytesInAll = uint64_t(about.st_size);
    lines.m_file.reset(gzdopen(*descriptor, "rb"));
    if (!lines.m_file) {
        ::close(*descriptor);
        return absl::ResourceExhaustedError(
            fmt::format("There is no memory to read the file {}.", path));
    }
    gzbuffer(gz(lines.m_file.get()), 1U << 18);
    lines.m_buffer.resize(kBuffer);
    return lines;
}

uint64_t TraceLines::bytesRead() const
{
    const auto offset = gzoffset(gz(m_file.get()));
    return offset < 0 ? 0 : uint64_t(offset);
}

bool TraceLines::fill()
{
    if (m_atEnd)
        return false;
    if (m_begin > 0) {
        std::memmove(m_buffer.data(), m_buffer.data() + m_begin, m_end - m_begin);
        m_end -= m_begin;
        m_begin = 0;
    }
    const int count =
        gzread(gz(m_file.get()), m_buffer.data() + m_end, unsigned(m_buffer.size() - m_end));
    int code = Z_OK;
    const char* const words = gzerror(gz(m_file.get()), &code);
    if (count < 0 || code == Z_BUF_ERROR) {
        m_status = absl::DataLossError(
            fmt::format("The file {} is cut or damaged after line {} ({}). What came before was "
                        "read; get the file again.",
                        m_path, m_number, code == Z_ERRNO ? std::strerror(errno) : words));
        m_atEnd = true;
    }
    if (count <= 0)
        m_atEnd = true;
    else
        m_end += size_t(count);
    return count > 0;
}

bool TraceLines::next(std::string_view& line)
{
    m_cut = false;
    size_t searched = 0;
    for (;;) {
        const char* const begin = m_buffer.data() + m_begin;
        const auto* const newline = static_cast<const char*>(
            std::memchr(begin + searched, '\n', m_end - m_begin - searched));
        if (newline) {
            line = std::string_view(begin, size_t(newline - begin));
            m_begin += line.size() + 1;
            break;
        }
        searched = m_end - m_begin;
        if (searched > kLongestLine) {  // drop it, keep looking for its end
            m_cut = true;
            m_begin = m_end;
            searched = 0;
        }
        if (fill())
            continue;
        // A line that a failed read has cut is not a line.
        if ((m_end == m_begin && !m_cut) || !m_status.ok())
            return false;
        line = std::string_view(m_buffer.data() + m_begin, m_end - m_begin);
        m_begin = m_end;
        break;
    }
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    ++m_number;
    return true;
}

}  // namespace yard::analytics
