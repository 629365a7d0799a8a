#pragma once

#include <unordered_map>
#include <vector>

#include "backend/base/clock.h"
#include "backend/telemetry/prometheus_api_reader.h"
#include "backend/telemetry/sources/page_interpreter.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// The current values of all hosts from a Prometheus-compatible server, in one query. Each host's
/// readings carry the time when the server scraped them, not the time of the query.
class PrometheusSource final : public TelemetrySource {
public:
    struct Settings {
        HttpRequest request;                  ///< url is the server's base address
        std::vector<std::string> hostLabels;  ///< the first one that a series has names its host
    };
    explicit PrometheusSource(Settings settings);

    std::string_view target() const override { return m_settings.request.target; }
    std::string_view kind() const override { return "prometheus"; }
    std::string_view host() const override { return {}; }
    StatusOr<Scrape> scrape(Deadline deadline) override;
    std::optional<HttpRequest> request() const override { return m_request; }
    StatusOr<Scrape> read(const HttpReply& reply) override;

private:
    std::string hostOf(const PromSeries& series) const;

    const Settings m_settings;
    HttpRequest m_request;
    std::unordered_map<std::string, PageInterpreter> m_interpreters;  ///< by host
};

}  // namespace yard::telemetry
