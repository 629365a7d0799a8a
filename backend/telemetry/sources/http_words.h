#pragma once

#include <curl/curl.h>

#include <chrono>
#include <string>
#include <string_view>

#include "backend/base/status.h"
#include "backend/telemetry/http_exchange.h"

/// The sentences of GETs that brought no reading: what happened, to which target, what to do.
namespace yard::telemetry {

/// A GET that libcurl gave up, as far as words need it.
struct FailedGet {
    const HttpRequest& request;
    std::chrono::milliseconds allowed;  ///< from the call to its deadline
    size_t bytes = 0;                   ///< of the body, that came
    bool connected = false;
    bool tooLarge = false;  ///< we stopped it at the bound of the body
    long osError = 0;       ///< errno of the connection; 0: none
    std::string words{};    ///< libcurl's own
};

/// The size of an answer's headers that we take.
constexpr size_t kHeaderLimit = 256 * 1024;

Status failureStatus(const FailedGet& get, CURLcode code);
Status deadlineStatus(const FailedGet& get);

/// OK for 200. Else a sentence with the status and what it means for `target`.
Status checkReply(const HttpReply& reply, std::string_view target);

}  // namespace yard::telemetry
