#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/base/status.h"
#include "backend/telemetry/exposition_text.h"

namespace yard::telemetry {

struct PromPoint {
    int64_t timeMs = 0;
    double value = 0;  ///< NaN and infinities as sent
};

struct PromSeries {
    std::vector<std::pair<std::string, std::string>> labels;
    std::vector<PromPoint> points;  ///< as sent: a step without data is missing
    std::string_view label(std::string_view name) const;
};

struct PromTarget {
    std::string instance;  ///< "gpu-a01:9400"
    std::string job;
    std::string health;  ///< "up", "down", "unknown"
    std::string lastError;
    std::optional<int64_t> lastScrapeMs;  ///< nothing if never
};

/// A reply of a Prometheus-compatible HTTP API.
struct PromReply {
    enum class Kind { Error, Vector, Matrix, Scalar, String, Targets, Other };
    Kind kind = Kind::Other;
    std::vector<PromSeries> series;  ///< Vector: one point each
    std::optional<PromPoint> scalar;
    std::string text;  ///< of a string result
    std::vector<PromTarget> targets;
    std::vector<std::string> warnings;  ///< the result may be incomplete
    std::vector<std::string> infos;     ///< no fault
    std::string errorType;
    std::string error;
    uint64_t badPoints = 0;

    bool isRetriable() const;  ///< an error that may go away by itself
    /// OK, or the error as a sentence: INVALID_ARGUMENT, DEADLINE_EXCEEDED, UNAVAILABLE …
    Status status() const;
};

/// Fails if the body is no such reply at all (INVALID_ARGUMENT, DATA_LOSS); an error reply is a
/// reply.
StatusOr<PromReply> readPrometheusReply(std::string_view body);

/// A vector as if it had been scraped, so that the readers of exporters take it: __name__ becomes
/// the name. Points into `reply`.
Exposition asExposition(const PromReply& reply);

}  // namespace yard::telemetry
