#pragma once

#include <functional>
#include <memory>

#include "backend/base/deadline.h"
#include "backend/base/status.h"
#include "backend/telemetry/http_exchange.h"

namespace yard::telemetry {

/// Waits for any number of GETs at once on one thread, with connections kept alive. Follows no
/// redirect, uses no proxy, accepts gzip.
///
/// Errors: UNAVAILABLE (no connection, no such name), DEADLINE_EXCEEDED, DATA_LOSS (cut off),
/// RESOURCE_EXHAUSTED (over the size bound), INVALID_ARGUMENT (bad URL, not HTTP), CANCELLED
/// (stop).
///
/// Thread: any. The callback runs on the fetcher's own thread and must be quick.
class HttpFetcher {
public:
    using Done = std::function<void(StatusOr<HttpReply>)>;

    HttpFetcher();
    /// Ends the open GETs as CANCELLED.
    ~HttpFetcher();
    HttpFetcher(const HttpFetcher&) = delete;
    HttpFetcher& operator=(const HttpFetcher&) = delete;

    void get(HttpRequest request, Deadline deadline, Done done);

private:
    class Engine;
    std::unique_ptr<Engine> m_engine;
};

/// One GET, waited for.
StatusOr<HttpReply> httpGet(const HttpRequest& request, Deadline deadline);

}  // namespace yard::telemetry
