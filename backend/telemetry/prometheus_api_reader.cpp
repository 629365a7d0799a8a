#include "backend/telemetry/prometheus_api_reader.h"

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "backend/base/text.h"
#include "backend/telemetry/log_prefix.h"

namespace yard::telemetry {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::string_view textOf(object from, std::string_view key)
{
    std::string_view text;
    return from[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

std::vector<std::string> textsOf(object from, std::string_view key)
{
    std::vector<std::string> texts;
    array list;
    if (from[key].get(list) != simdjson::SUCCESS)
        return texts;
    for (const element item : list) {
        std::string_view text;
        if (item.get(text) == simdjson::SUCCESS)
            texts.emplace_back(text);
    }
    return texts;
}

std::optional<double> valueOf(std::string_view text)
{
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    if (text::equalsIgnoringCase(text, "nan"))
        return std::numeric_limits<double>::quiet_NaN();
    if (text::equalsIgnoringCase(text, "inf") || text::equalsIgnoringCase(text, "infinity")) {
        value = std::numeric_limits<double>::infinity();
    } else {
        const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || !(text::isDigit(text.front()) || text.front() == '.') ||
            error != std::errc() || rest != text.data() + text.size())
            return std::nullopt;
    }
    return isNegative ? -value : value;
}

std::optional<int64_t> millisecondsOf(element time)
{
    double seconds = 0;
    if (time.get(seconds) != simdjson::SUCCESS || !(std::abs(seconds) < 1e12))
        return std::nullopt;
    return std::llround(seconds * 1000);
}

/// [time, "value"]; the value goes out as text for a string result.
bool readPair(element pair, int64_t& timeMs, std::string_view& value)
{
    array parts;
    if (pair.get(parts) != simdjson::SUCCESS || parts.size() != 2)
        return false;
    const auto time = millisecondsOf(parts.at(0));
    timeMs = time.value_or(0);
    return time && parts.at(1).get(value) == simdjson::SUCCESS;
}

void addPoint(element pair, PromReply& reply, std::vector<PromPoint>& points)
{
    PromPoint point;
    std::string_view text;
    const auto value = readPair(pair, point.timeMs, text) ? valueOf(text) : std::nullopt;
    if (!value) {
        ++reply.badPoints;
        return;
    }
    point.value = *value;
    points.push_back(point);
}

void readSeries(element item, PromReply& reply)
{
    object from;
    if (item.get(from) != simdjson::SUCCESS) {
        ++reply.badPoints;
        return;
    }
    PromSeries series;
    object metric;
    if (from["metric"].get(metric) == simdjson::SUCCESS) {
        for (const auto& field : metric) {
            std::string_view text;
            if (field.value.get(text) == simdjson::SUCCESS)
                series.labels.emplace_back(field.key, text);
        }
    }
    element value;
    array values;
    if (from["value"].get(value) == simdjson::SUCCESS)
        addPoint(value, reply, series.points);
    if (from["values"].get(values) == simdjson::SUCCESS) {
        for (const element pair : values)
            addPoint(pair, reply, series.points);
    }
    reply.series.push_back(std::move(series));
}

void readTarget(element item, PromReply& reply)
{
    object from;
    if (item.get(from) != simdjson::SUCCESS)
        return;
    PromTarget target;
    object labels;
    if (from["labels"].get(labels) == simdjson::SUCCESS) {
        target.instance = std::string(textOf(labels, "instance"));
        target.job = std::string(textOf(labels, "job"));
    }
    target.health = std::string(textOf(from, "health"));
    target.lastError = std::string(textOf(from, "lastError"));
    std::string_view time = textOf(from, "lastScrape");
    std::optional<Time> at;
    std::string local;
    // The year 1 is Go's way to say never; takeIsoTime knows no year before 1970.
    if (takeIsoTime(time, at, local) && at)
        target.lastScrapeMs =
            std::chrono::duration_cast<std::chrono::milliseconds>(at->time_since_epoch()).count();
    reply.targets.push_back(std::move(target));
}

Status readResult(std::string_view type, element result, PromReply& reply)
{
    array list;
    if (result.get(list) != simdjson::SUCCESS)
        return absl::InvalidArgumentError("The reply of Prometheus has no list of results.");
    if (type == "vector" || type == "matrix") {
        reply.kind = type == "vector" ? PromReply::Kind::Vector : PromReply::Kind::Matrix;
        for (const element item : list)
            readSeries(item, reply);
    } else if (type == "scalar") {
        reply.kind = PromReply::Kind::Scalar;
        std::vector<PromPoint> points;
        addPoint(result, reply, points);
        if (!points.empty())
            reply.scalar = points.front();
    } else if (type == "string") {
        reply.kind = PromReply::Kind::String;
        int64_t time = 0;
        std::string_view text;
        if (readPair(result, time, text))
            reply.text = std::string(text);
        else
            ++reply.badPoints;
    } else {
        return absl::InvalidArgumentError(
            "The reply of Prometheus has a result type that is not known: " +
            std::string(type.substr(0, 40)) + ".");
    }
    return absl::OkStatus();
}

Status readData(object root, PromReply& reply)
{
    object data;
    if (root["data"].get(data) != simdjson::SUCCESS)
        return absl::OkStatus();
    array targets;
    element result;
    if (data["activeTargets"].get(targets) == simdjson::SUCCESS) {
        reply.kind = PromReply::Kind::Targets;
        for (const element item : targets)
            readTarget(item, reply);
        return absl::OkStatus();
    }
    if (data["result"].get(result) != simdjson::SUCCESS)
        return absl::OkStatus();
    return readResult(textOf(data, "resultType"), result, reply);
}

}  // namespace

std::string_view PromSeries::label(std::string_view name) const
{
    for (const auto& [key, value] : labels) {
        if (key == name)
            return value;
    }
    return {};
}

bool PromReply::isRetriable() const
{
    return kind == Kind::Error &&
           (errorType == "timeout" || errorType == "canceled" || errorType == "unavailable");
}

Status PromReply::status() const
{
    if (kind != Kind::Error)
        return absl::OkStatus();
    const std::string sentence = "Prometheus refused the query (" + errorType + "): " + error;
    if (errorType == "timeout")
        return absl::DeadlineExceededError(sentence);
    if (errorType == "canceled" || errorType == "unavailable")
        return absl::UnavailableError(sentence);
    if (errorType == "execution")
        return absl::ResourceExhaustedError(sentence);
    return absl::InvalidArgumentError(sentence);
}

StatusOr<PromReply> readPrometheusReply(std::string_view body)
{
    if (text::trimmed(body).empty())
        return absl::InvalidArgumentError("Empty input: Prometheus always answers something.");
    simdjson::dom::parser parser;
    object root;
    const auto error = parser.parse(simdjson::padded_string(body)).get(root);
    if (error != simdjson::SUCCESS)
        return absl::DataLossError(
            std::string("The reply of Prometheus is no whole JSON object: ") +
            simdjson::error_message(error) + ".");
    PromReply reply;
    reply.warnings = textsOf(root, "warnings");
    reply.infos = textsOf(root, "infos");
    const std::string_view status = textOf(root, "status");
    if (status == "error") {
        reply.kind = PromReply::Kind::Error;
        reply.errorType = std::string(textOf(root, "errorType"));
        reply.error = std::string(textOf(root, "error"));
        return reply;
    }
    if (status != "success")
        return absl::InvalidArgumentError("The reply has no status of Prometheus.");
    YARD_RETURN_IF_ERROR(readData(root, reply));
    return reply;
}

Exposition asExposition(const PromReply& reply)
{
    Exposition exposition;
    for (const PromSeries& series : reply.series) {
        if (series.points.empty())
            continue;
        ExpositionSample sample;
        sample.name = series.label("__name__");
        sample.value = series.points.back().value;
        sample.timestampMs = series.points.back().timeMs;
        sample.firstLabel = uint32_t(exposition.labelPool.size());
        for (const auto& [key, value] : series.labels) {
            if (key != "__name__")
                exposition.labelPool.push_back({key, value});
        }
        sample.labelCount = uint32_t(exposition.labelPool.size() - sample.firstLabel);
        exposition.samples.push_back(sample);
    }
    return exposition;
}

}  // namespace yard::telemetry
