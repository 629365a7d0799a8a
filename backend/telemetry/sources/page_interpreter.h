#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backend/base/status.h"
#include "backend/domain/readings.h"
#include "backend/telemetry/exposition_text.h"
#include "backend/telemetry/node_exporter_reader.h"

namespace yard::telemetry {

/// Turns the successive pages of one host into readings, by what is on them. Keeps only what rates
/// need between two pages: counters of the host, and of each GPU by its UUID.
class PageInterpreter {
public:
    /// INVALID_ARGUMENT if nothing on the page is of a kind we read.
    StatusOr<domain::HostReadings> read(const Exposition& exposition, std::string_view host,
                                        Time at);
    /// "dcgm", "nvidia_smi", "node", "ipmi": the first one found; empty before the first page.
    std::string_view kind() const { return m_kind; }

private:
    struct Link {
        double total = 0;
        Time at;
        float bytesPerSecond = domain::kNoReading;
    };
    void addNode(const Exposition& exposition, domain::HostReadings& readings);
    void addLinkRate(domain::GpuReading& reading, double total, Time at);

    std::string_view m_kind;
    std::optional<NodePage> m_nodeBefore;
    Time m_nodeBeforeAt;
    std::array<float, domain::kNodeMetricCount> m_nodeRates =
        domain::noReadings<domain::kNodeMetricCount>();
    std::unordered_map<std::string, Link> m_links;
};

}  // namespace yard::telemetry
