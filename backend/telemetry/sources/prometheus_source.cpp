#include "backend/telemetry/sources/prometheus_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backend/telemetry/sources/http_fetch.h"
#include "backend/telemetry/sources/http_words.h"

namespace yard::telemetry {
namespace {

constexpr size_t kMaxHosts = 200'000;
constexpr std::string_view kTimeLabel = "yard_sample_time";

// Only what the readers use: a large site has some hundred families more.
constexpr std::string_view kFamilies =
    "DCGM_FI_(DEV_|PROF_|)(SM_CLOCK|SM_CLOCK_HERTZ|MEMORY_TEMP|MEMORY_TEMP_CELSIUS|GPU_TEMP|"
    "GPU_TEMP_CELSIUS|POWER_USAGE|BOARD_POWER_WATTS|TOTAL_ENERGY_CONSUMPTION|"
    "GPU_ENERGY_JOULES_TOTAL|GPU_UTIL|GPU_UTIL_RATIO|XID_ERRORS|XID_ERROR|FB_TOTAL|FB_FREE|FB_USED|"
    "FB_RESERVED|NVLINK_BANDWIDTH_TOTAL|NVLINK_THROUGHPUT_TOTAL|GR_ENGINE_ACTIVE|"
    "GR_ENGINE_UTIL_RATIO|SM_ACTIVE|SM_UTIL_RATIO|PIPE_TENSOR_ACTIVE|PIPE_TENSOR_UTIL_RATIO|"
    "TENSOR_UTIL_RATIO|NVLINK_TX_BYTES|NVLINK_RX_BYTES)|dcgm_.+|"
    "nvidia_smi_(index|gpu_info|temperature_gpu|temperature_memory|power_draw_watts|"
    "utilization_gpu_ratio|memory_used_bytes|memory_free_bytes|memory_total_bytes|memory_reserved_"
    "bytes|clocks_current_sm_clock_hz)|"
    "node_(load1|memory_MemTotal_bytes|memory_MemAvailable_bytes|"
    "infiniband_port_data_(received|transmitted)_bytes_total)|"
    "ipmi_up|ipmi_dcmi_power_consumption_watts|ipmi_temperature_celsius";
// One family of each kind, to learn when it was scraped.
constexpr std::string_view kTimedFamilies =
    "DCGM_FI_DEV_(GPU_TEMP|GPU_TEMP_CELSIUS)|dcgm_gpu_temp|nvidia_smi_temperature_gpu|node_load1|"
    "ipmi_up";

/// Counters of each CPU would be most of the answer: the server adds them up.
std::string query()
{
    return fmt::format(
        "{{__name__=~\"{}\"}} or label_replace(sum without (cpu) (node_cpu_seconds_total), "
        "\"__name__\", \"node_cpu_seconds_total\", \"\", \"\") or "
        "label_replace(timestamp({{__name__=~\"{}\"}}), \"{}\", \"1\", \"\", \"\")",
        kFamilies, kTimedFamilies, kTimeLabel);
}

std::string percentEncoded(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const bool isPlain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
        if (isPlain)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

/// "gpu001.site.example:9400" is the node gpu001; an address stays whole.
std::string nodeName(std::string_view value)
{
    if (value.starts_with('['))
        return std::string(value.substr(1, value.find(']') - 1));
    if (std::count(value.begin(), value.end(), ':') == 1)
        value = value.substr(0, value.find(':'));
    if (value.find_first_not_of("0123456789.") != std::string_view::npos &&
        value.find(':') == std::string_view::npos)
        value = value.substr(0, value.find('.'));
    return std::string(value);
}

Time timeOf(double seconds)
{
    return Time(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds)));
}

struct HostPart {
    PromReply reply;
    std::optional<Time> at;
};

}  // namespace

PrometheusSource::PrometheusSource(Settings settings)
    : m_settings(std::move(settings))
    , m_request(m_settings.request)
{
    while (m_request.url.ends_with('/'))
        m_request.url.pop_back();
    m_request.url += "/api/v1/query?query=" + percentEncoded(query());
    m_request.retries = 1;
}

StatusOr<Scrape> PrometheusSource::scrape(Deadline deadline)
{
    const StatusOr<HttpReply> reply = httpGet(m_request, deadline);
    return reply.ok() ? read(*reply) : StatusOr<Scrape>(reply.status());
}

std::string PrometheusSource::hostOf(const PromSeries& series) const
{
    for (const std::string& label : m_settings.hostLabels) {
        if (const std::string_view value = series.label(label); !value.empty())
            return nodeName(value);
    }
    return {};
}

StatusOr<Scrape> PrometheusSource::read(const HttpReply& reply)
{
    const std::string& target = m_request.target;
    StatusOr<PromReply> answer = readPrometheusReply(reply.body);
    // An error of the API has its own words, whatever the status; a proxy's page has not.
    if (!answer.ok() || answer->kind != PromReply::Kind::Error)
        YARD_RETURN_IF_ERROR(checkReply(reply, target));
    const Status status = answer.ok() ? answer->status() : answer.status();
    if (!status.ok())
        return Status(status.code(), fmt::format("{}: {}", target, std::string(status.message())));
    if (answer->kind != PromReply::Kind::Vector)
        return absl::InvalidArgumentError(
            fmt::format("{} answered a query of current values with something else.", target));

    Scrape scrape;
    scrape.samples = answer->series.size();
    const auto skip = [&](uint64_t count, std::string sentence) {
        if (scrape.badLines == 0)
            scrape.firstBadLine = std::move(sentence);
        scrape.badLines += count;
    };
    for (const std::string& warning : answer->warnings)
        skip(1, fmt::format("{} warns that its answer may be incomplete: {}.", target, warning));
    if (answer->badPoints > 0)
        skip(answer->badPoints,
             fmt::format("{} sent {} values that are no numbers.", target, answer->badPoints));

    std::map<std::string, HostPart> hosts;
    for (PromSeries& series : answer->series) {
        const std::string host = hostOf(series);
        if (host.empty() || series.points.empty()) {
            skip(1, fmt::format("{}: a series of {} has no label that names its node.", target,
                                std::string(series.label("__name__"))));
            continue;
        }
        HostPart& part = hosts[host];
        if (!series.label(kTimeLabel).empty()) {
            const Time at = timeOf(series.points.front().value);
            part.at = std::max(part.at.value_or(at), at);
            continue;
        }
        part.reply.kind = PromReply::Kind::Vector;
        part.reply.series.push_back(std::move(series));
    }
    for (auto& [host, part] : hosts) {
        if (part.reply.series.empty() ||
            (m_interpreters.size() >= kMaxHosts && !m_interpreters.contains(host)))
            continue;
        const int64_t queried = part.reply.series.front().points.front().timeMs;
        const Time at = part.at.value_or(timeOf(double(queried) / 1000));
        auto readings = m_interpreters[host].read(asExposition(part.reply), host, at);
        if (readings.ok())
            scrape.hosts.push_back(*std::move(readings));
    }
    return scrape;
}

}  // namespace yard::telemetry
