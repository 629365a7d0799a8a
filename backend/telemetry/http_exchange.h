#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace yard::telemetry {

constexpr size_t kDefaultBodyLimit = 64ul << 20;

/// One HTTP GET as a source wants it.
struct HttpRequest {
    std::string target;                    ///< as the operator knows it; error sentences name it
    std::string url;                       ///< http or https
    std::vector<std::string> headers;      ///< "X-Scope-OrgID: a", one each
    size_t bodyLimit = kDefaultBodyLimit;  ///< bytes, also after decompression
    int retries = 0;  ///< after a failure that may pass: 429, 502, 503, 504, no connection
};

/// A complete answer, whatever its status.
struct HttpReply {
    int status = 0;
    std::string contentType;
    std::string location;  ///< where a redirect points; never followed
    std::string body;      ///< decompressed
};

}  // namespace yard::telemetry
