#include "backend/telemetry/sources/all_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/telemetry/sources/exporter_source.h"
#include "backend/telemetry/sources/kernel_log_source.h"
#include "backend/telemetry/sources/prometheus_source.h"

namespace yard::telemetry {
namespace {

constexpr std::string_view kExporterKinds[] = {"exporter", "dcgm", "nvidia_smi", "node", "ipmi"};
constexpr size_t kNodesPerThirdByte = 250;

Status refused(const SourceConfig& group, std::string_view what)
{
    return absl::InvalidArgumentError(
        fmt::format("Targets '{}' of kind '{}': {}", group.targets, group.kind, what));
}

void replaceAll(std::string& text, std::string_view what, const std::string& with)
{
    for (size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

std::string withHost(std::string pattern, const std::string& host)
{
    replaceAll(pattern, "{host}", host);
    return pattern;
}

StatusOr<std::string> addressOf(const SourceConfig& group, const std::string& host)
{
    if (group.addressTemplate.empty())
        return host;
    std::string address = withHost(group.addressTemplate, host);
    if (address.find('{') == std::string::npos)
        return address;
    const auto n = text::number<size_t>(
        std::string_view(host).substr(host.find_last_not_of("0123456789") + 1));
    if (!n || *n == 0)
        return refused(group, fmt::format("the address needs a number from 1 at the end of the "
                                          "name, and '{}' has none.",
                                          host));
    replaceAll(address, "{n}", std::to_string(*n));
    replaceAll(address, "{hi}", std::to_string(1 + (*n - 1) / kNodesPerThirdByte));
    replaceAll(address, "{lo}", std::to_string(1 + (*n - 1) % kNodesPerThirdByte));
    if (address.find('{') != std::string::npos)
        return refused(group, "the address may hold {host}, {n}, {hi} and {lo} only.");
    return address;
}

StatusOr<std::vector<std::string>> hostsOf(const SourceConfig& group, std::string_view expression)
{
    auto hosts = domain::expandHostlist(expression);
    if (!hosts.ok())
        return refused(group, std::string(hosts.status().message()));
    if (hosts->empty())
        return refused(group, "there is no host in it.");
    return hosts;
}

class Builder {
public:
    explicit Builder(const Clock& clock)
        : m_clock(clock)
    {
    }
    Status add(const SourceConfig& group);
    std::vector<ScheduledSource> take() { return std::move(m_sources); }

private:
    Status addExporters(const SourceConfig& group);
    Status addPrometheus(const SourceConfig& group);
    Status addKernelLogs(const SourceConfig& group);
    Status schedule(const SourceConfig& group, std::unique_ptr<TelemetrySource> source);

    const Clock& m_clock;
    std::vector<ScheduledSource> m_sources;
    std::set<std::string, std::less<>> m_targets;
};

Status Builder::add(const SourceConfig& group)
{
    if (std::find(std::begin(kExporterKinds), std::end(kExporterKinds), group.kind) !=
        std::end(kExporterKinds))
        return addExporters(group);
    if (group.kind == "prometheus")
        return addPrometheus(group);
    if (group.kind == "kernel")
        return addKernelLogs(group);
    return refused(group,
                   "there is no such kind. It is one of exporter, dcgm, nvidia_smi, node, ipmi, "
                   "prometheus, kernel.");
}

Status Builder::schedule(const SourceConfig& group, std::unique_ptr<TelemetrySource> source)
{
    if (!m_targets.emplace(source->target()).second)
        return refused(group, fmt::format("'{}' is listed twice.", source->target()));
    m_sources.push_back(
        {.source = std::move(source), .interval = group.interval, .timeout = group.timeout});
    return {};
}

Status Builder::addExporters(const SourceConfig& group)
{
    const size_t colon = group.targets.rfind(':');
    const auto port =
        colon == std::string::npos
            ? std::nullopt
            : text::number<uint16_t>(std::string_view(group.targets).substr(colon + 1));
    if (!port || *port == 0)
        return refused(group, "it needs a port at its end, as in gpu[001-286]:9400.");
    if (group.scheme != "http" && group.scheme != "https")
        return refused(group, fmt::format("'{}' is neither http nor https.", group.scheme));
    std::string path = group.path.empty() ? "/metrics" : group.path;
    if (!path.starts_with('/'))
        return refused(group, fmt::format("the path '{}' must start with a slash.", path));
    const auto hosts = hostsOf(group, std::string_view(group.targets).substr(0, colon));
    if (!hosts.ok())
        return hosts.status();
    for (const std::string& host : *hosts) {
        const auto address = addressOf(group, host);
        if (!address.ok())
            return address.status();
        const bool isV6 = address->find(':') != std::string::npos && !address->starts_with('[');
        ExporterSource::Settings settings;
        settings.host = host;
        settings.kind = group.kind;
        settings.request.target = fmt::format("{}:{}", host, *port);
        settings.request.url =
            fmt::format("{}://{}:{}{}", group.scheme,
                        isV6 ? fmt::format("[{}]", *address) : *address, *port, path);
        settings.request.headers = group.headers;
        settings.request.bodyLimit = group.sizeLimit;
        YARD_RETURN_IF_ERROR(
            schedule(group, std::make_unique<ExporterSource>(std::move(settings), m_clock)));
    }
    return {};
}

Status Builder::addPrometheus(const SourceConfig& group)
{
    const size_t scheme = group.targets.find("://");
    if (!group.targets.starts_with("http://") && !group.targets.starts_with("https://"))
        return refused(group, "it must be the server's address, as in http://prometheus:9090.");
    if (group.hostLabels.empty())
        return refused(group, "it needs at least one label that names the node.");
    PrometheusSource::Settings settings;
    settings.request.target = group.targets.substr(scheme + 3);
    settings.request.url = group.targets + group.path;
    settings.request.headers = group.headers;
    settings.request.bodyLimit = group.sizeLimit;
    settings.hostLabels = group.hostLabels;
    return schedule(group, std::make_unique<PrometheusSource>(std::move(settings)));
}

Status Builder::addKernelLogs(const SourceConfig& group)
{
    if (!group.path.starts_with('/'))
        return refused(group, fmt::format("the file '{}' must be an absolute path.", group.path));
    std::vector<std::string> hosts{std::string()};
    if (!group.targets.empty()) {
        auto expanded = hostsOf(group, group.targets);
        if (!expanded.ok())
            return expanded.status();
        hosts = *std::move(expanded);
        if (hosts.size() > 1 && group.path.find("{host}") == std::string::npos)
            return refused(group, "with more than one host the path needs {host} in it.");
    }
    for (const std::string& host : hosts)
        YARD_RETURN_IF_ERROR(
            schedule(group, std::make_unique<KernelLogSource>(
                                KernelLogSource::Settings{.host = host,
                                                          .path = withHost(group.path, host),
                                                          .historyLimit = group.sizeLimit},
                                m_clock)));
    return {};
}

}  // namespace

StatusOr<std::vector<ScheduledSource>> allSources(const std::vector<SourceConfig>& groups,
                                                  const Clock& clock)
{
    Builder builder(clock);
    for (const SourceConfig& group : groups)
        YARD_RETURN_IF_ERROR(builder.add(group));
    return builder.take();
}

}  // namespace yard::telemetry
