#include "backend/telemetry/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>

namespace yard::telemetry {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr size_t kMaxChunk = size_t(1) << 30;

}  // namespace

bool isGzip(std::string_view body)
{
    return body.size() > 2 && body[0] == '\x1f' && body[1] == '\x8b';
}

StatusOr<std::string> unpackGzip(std::string_view body, size_t limit)
{
    z_stream stream{};
    if (inflateInit2(&stream, kGzipWindow) != Z_OK)
        return absl::InternalError("zlib could not start.");
    std::string result;
    std::array<unsigned char, 65536> buffer{};
    int code = Z_OK;
    while (code != Z_STREAM_END) {
        if (stream.avail_in == 0) {
            if (body.empty())
                break;
            const size_t chunk = std::min(body.size(), kMaxChunk);
            // zlib reads through a pointer that is not const, but does not write.
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
            stream.avail_in = uInt(chunk);
            body.remove_prefix(chunk);
        }
        stream.next_out = buffer.data();
        stream.avail_out = uInt(buffer.size());
        code = inflate(&stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END)
            break;
        result.append(reinterpret_cast<const char*>(buffer.data()),
                      buffer.size() - stream.avail_out);
        if (result.size() > limit) {
            inflateEnd(&stream);
            return absl::ResourceExhaustedError("The gzip body unpacks to more than " +
                                                std::to_string(limit) + " bytes.");
        }
    }
    inflateEnd(&stream);
    if (code != Z_STREAM_END)
        return absl::DataLossError("The gzip body is cut off or damaged.");
    return result;
}

}  // namespace yard::telemetry
