#include <algorithm>
#include <numeric>
#include <set>

#include "app/ctl/inspect_values.h"
#include "backend/telemetry/prometheus_api_reader.h"

namespace yard::ctl {
namespace {

using namespace telemetry;

/// NaN, infinities and the uint64 maximum are no values to show or sum.
bool isUsable(double value)
{
    return std::isfinite(value) && std::abs(value) < 9.2e18;
}

std::string_view keyOf(const PromSeries& series)
{
    for (const std::string_view name : {"UUID", "uuid", "gpu_uuid", "instance"}) {
        if (const auto value = series.label(name); !value.empty())
            return value;
    }
    return {};
}

void writeVector(const PromReply& reply, Json& out)
{
    std::set<std::string_view> keys;
    double sum = 0;
    bool allUsable = !reply.series.empty();
    Json list = Json::array();
    Json times = Json::array();
    Json usable = Json::array();
    Json byKey = Json::object();
    for (size_t i = 0; i < reply.series.size(); ++i) {
        const PromSeries& series = reply.series[i];
        if (series.points.empty())
            continue;
        const PromPoint& point = series.points.front();
        list.push_back(numberJson(point.value));
        times.push_back(point.timeMs);
        if (isUsable(point.value)) {
            usable.push_back(i);
            sum += point.value;
        } else {
            allUsable = false;
        }
        keys.insert(keyOf(series));
        byKey[text::validUtf8(keyOf(series))] = numberJson(point.value);
    }
    const bool hasKeys = keys.size() == reply.series.size() && !keys.contains("");
    out["values"] = hasKeys ? byKey : list;
    out["times_ms"] = times;
    out["usable"] = usable;
    out["sum"] = allUsable ? numberJson(sum) : Json(nullptr);
}

/// Greatest common divisor of all distances: the step, if two points were next to each other.
int64_t stepOf(const PromReply& reply)
{
    int64_t step = 0;
    for (const PromSeries& series : reply.series) {
        for (size_t i = 1; i < series.points.size(); ++i)
            step = std::gcd(step, series.points[i].timeMs - series.points[i - 1].timeMs);
    }
    return step;
}

void writeMatrix(const PromReply& reply, Json& out)
{
    constexpr int64_t kMaxSteps = 100'000;
    constexpr size_t kMaxMissing = 1000;
    const int64_t step = stepOf(reply);
    std::optional<int64_t> first;
    std::optional<int64_t> last;
    for (const PromSeries& series : reply.series) {
        for (const PromPoint& point : series.points) {
            first = std::min(first.value_or(point.timeMs), point.timeMs);
            last = std::max(last.value_or(point.timeMs), point.timeMs);
        }
    }
    const int64_t steps = step > 0 && first ? (*last - *first) / step + 1 : 0;
    out["series"] = Json::array();
    for (const PromSeries& series : reply.series) {
        Json entry{{"uuid", textOrNull(keyOf(series))}, {"points", series.points.size()}};
        std::set<int64_t> times;
        for (const PromPoint& point : series.points)
            times.insert(point.timeMs);
        Json missing = Json::array();
        for (int64_t i = 0; i < std::min(steps, kMaxSteps) && missing.size() < kMaxMissing; ++i) {
            if (!times.contains(*first + i * step))
                missing.push_back(numberJson(double(*first + i * step) / 1000));
        }
        entry["missing_steps"] = missing;
        entry["missing"] = std::max<int64_t>(0, steps - int64_t(times.size()));
        entry["last"] =
            series.points.empty() ? Json(nullptr) : numberJson(series.points.back().value);
        entry["labels"] = Json::object();
        for (const auto& [key, value] : series.labels)
            entry["labels"][text::validUtf8(key)] = textJson(value);
        out["series"].push_back(entry);
    }
    out["step_s"] = step > 0 ? numberJson(double(step) / 1000) : Json(nullptr);
    if (first)
        out["range"] = {numberJson(double(*first) / 1000), numberJson(double(*last) / 1000)};
}

void writeTargets(const PromReply& reply, Json& out)
{
    out["targets"] = Json::array();
    for (const PromTarget& target : reply.targets) {
        const bool isTimeout = target.lastError.find("deadline exceeded") != std::string::npos ||
                               target.lastError.find("timeout") != std::string::npos;
        const std::string host = target.instance.substr(0, target.instance.rfind(':'));
        out["targets"].push_back(
            {{"host", textJson(host)},
             {"instance", textJson(target.instance)},
             {"health", textJson(target.health)},
             {"reason", isTimeout ? Json("timeout") : textOrNull(target.lastError)},
             {"last_scrape", target.lastScrapeMs ? numberJson(double(*target.lastScrapeMs) / 1000)
                                                 : Json(nullptr)}});
    }
}

void writeReply(const PromReply& reply, Json& out)
{
    switch (reply.kind) {
        case PromReply::Kind::Error:
            out["values"] = nullptr;
            out["errors"].push_back({{"type", textJson(reply.errorType)},
                                     {"text", textJson(reply.error)},
                                     {"retry", reply.isRetriable()}});
            break;
        case PromReply::Kind::Vector:
            writeVector(reply, out);
            break;
        case PromReply::Kind::Matrix:
            writeMatrix(reply, out);
            break;
        case PromReply::Kind::Scalar:
            out["scalar"] = reply.scalar ? numberJson(reply.scalar->value) : Json(nullptr);
            break;
        case PromReply::Kind::String:
            out["string"] = textJson(reply.text);
            break;
        case PromReply::Kind::Targets:
            writeTargets(reply, out);
            break;
        case PromReply::Kind::Other:
            break;
    }
    if (reply.kind == PromReply::Kind::Error)
        return;
    out["warnings"] = textsJson(reply.warnings);
    out["infos"] = textsJson(reply.infos);
    out["complete"] = reply.warnings.empty() && reply.badPoints == 0;
    out["bad_points"] = reply.badPoints;
}

}  // namespace

void inspectPrometheus(std::string_view, const std::vector<Input>& inputs, Json& out)
{
    for (const Input& input : inputs) {
        const auto reply = readPrometheusReply(input.body);
        if (!reply.ok()) {
            out["error"] = textJson(std::string(reply.status().message()));
            out["values"] = nullptr;
            return;
        }
        writeReply(*reply, out);
    }
}

}  // namespace yard::ctl
