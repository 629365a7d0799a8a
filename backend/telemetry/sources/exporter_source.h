#pragma once

#include "backend/base/clock.h"
#include "backend/telemetry/sources/page_interpreter.h"
#include "backend/telemetry/telemetry_source.h"

namespace yard::telemetry {

/// One exposition page of one node: dcgm-exporter, nvidia_gpu_exporter, node_exporter or
/// ipmi_exporter, told apart by what is on the page.
class ExporterSource final : public TelemetrySource {
public:
    struct Settings {
        std::string host;
        std::string kind;  ///< what the page must be; "exporter" takes any
        HttpRequest request;
    };
    ExporterSource(Settings settings, const Clock& clock);

    std::string_view target() const override { return m_settings.request.target; }
    std::string_view kind() const override;
    std::string_view host() const override { return m_settings.host; }
    StatusOr<Scrape> scrape(Deadline deadline) override;
    std::optional<HttpRequest> request() const override { return m_settings.request; }
    StatusOr<Scrape> read(const HttpReply& reply) override;

private:
    const Settings m_settings;
    const Clock& m_clock;
    PageInterpreter m_interpreter;
};

}  // namespace yard::telemetry
