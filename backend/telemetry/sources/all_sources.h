#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "backend/base/clock.h"
#include "backend/base/status.h"
#include "backend/telemetry/scrape_loop.h"

namespace yard::telemetry {

/// One group of targets of one kind, as configured.
struct SourceConfig {
    /// "exporter" (recognised by content), "dcgm", "nvidia_smi", "node", "ipmi", "prometheus",
    /// "kernel".
    std::string kind = "exporter";
    /// Exporters: hostlist and port, "gpu[001-286]:9400". Prometheus: "http://host:9090". Kernel:
    /// hostlist; empty if one file holds the lines of many hosts.
    std::string targets{};
    /// Exporters: path of the page, "/metrics" if empty. Kernel: the file; {host} is the node's
    /// name.
    std::string path{};
    /// Where a node answers, if not under its name: {host} is the name, {n} the number at its end,
    /// {hi} and {lo} are 1+(n-1)/250 and 1+(n-1)%250: "127.42.{hi}.{lo}", "{host}-ipmi".
    std::string addressTemplate{};
    std::string scheme = "http";
    std::chrono::milliseconds interval{5000};
    std::chrono::milliseconds timeout{4000};
    size_t sizeLimit = kDefaultBodyLimit;  ///< kernel: bytes of history read at the first start
    std::vector<std::string> headers{};
    /// Prometheus: labels that name the node, the first that is there counts; port and domain are
    /// cut.
    std::vector<std::string> hostLabels{"Hostname", "hostname", "nodename", "node", "instance"};
};

/// The sources of a configuration, in its order. This is the one place where kinds are listed.
/// INVALID_ARGUMENT with the group and what is wrong. `clock` must outlive them.
StatusOr<std::vector<ScheduledSource>> allSources(const std::vector<SourceConfig>& groups,
                                                  const Clock& clock);

}  // namespace yard::telemetry
