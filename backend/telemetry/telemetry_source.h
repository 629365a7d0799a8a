#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/base/deadline.h"
#include "backend/base/status.h"
#include "backend/domain/fault.h"
#include "backend/domain/readings.h"
#include "backend/telemetry/http_exchange.h"

namespace yard::telemetry {

/// What one read brought.
struct Scrape {
    std::vector<domain::HostReadings> hosts;
    std::vector<domain::Fault> faults;
    uint64_t samples = 0;
    uint64_t badLines = 0;
    std::string firstBadLine;  ///< "gpu031:9400, line 212: no value after X. The line was skipped."
};

/// Somewhere readings come from: an exporter, a Prometheus server, a kernel log.
///
/// A source only reads and translates; it keeps no history, applies no thresholds, writes no log.
///
/// Thread: a scrape worker, one call at a time per object.
class TelemetrySource {
public:
    virtual ~TelemetrySource() = default;

    /// Unique and permanent, as shown: "gpu031:9400".
    virtual std::string_view target() const = 0;
    /// "dcgm", "nvidia_smi", "node", "ipmi", "prometheus", "kernel", "simulated".
    virtual std::string_view kind() const = 0;
    /// The node it belongs to; empty if it covers many.
    virtual std::string_view host() const = 0;

    /// Reads the current values. All or nothing: a failed or cut read returns no readings, so that
    /// half a node never looks like a healthy one. DEADLINE_EXCEEDED at `deadline`.
    virtual StatusOr<Scrape> scrape(Deadline deadline) = 0;

    /// For sources whose scrape() is exactly one GET: the loop then waits for thousands at once and
    /// gives the answer to read(). Empty: the loop calls scrape(), on a thread that may block.
    virtual std::optional<HttpRequest> request() const { return std::nullopt; }
    virtual StatusOr<Scrape> read(const HttpReply&)
    {
        return absl::UnimplementedError("This source does not read over HTTP.");
    }
};

}  // namespace yard::telemetry
