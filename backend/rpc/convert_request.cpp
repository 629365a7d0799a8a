#include "backend/rpc/convert_request.h"

#include <fmt/format.h>

#include <algorithm>

#include "backend/base/text.h"
#include "backend/domain/hostlist.h"

namespace yard::rpc {
namespace {

constexpr size_t kLongestName = 255;
constexpr size_t kLongestOption = 4096;
constexpr int kMostOptions = 256;
constexpr uint32_t kSlowestIntervalMs = 60'000;
constexpr uint32_t kPageDefault = 1000;
constexpr uint32_t kPageMost = 10'000;
constexpr uint32_t kMostPoints = 20'000;

Status checkText(std::string_view field, std::string_view text, size_t longest)
{
    if (text.size() > longest)
        return absl::InvalidArgumentError(fmt::format(
            "The field {} has {} bytes; at most {} are accepted.", field, text.size(), longest));
    if (text::hasControl(text))
        return absl::InvalidArgumentError(
            fmt::format("The field {} has a line break, another control character or one that "
                        "changes the direction of text in it: \"{}\". Write it in one line of "
                        "plain text.",
                        field, text::visible(text)));
    return absl::OkStatus();
}

/// Names end up as arguments of commands: none may look like an option or hold two.
Status checkName(std::string_view field, std::string_view name)
{
    YARD_RETURN_IF_ERROR(checkText(field, name, kLongestName));
    const auto isPlain = [](char c) { return c != ' ' && c != '"' && c != '\'' && c != '\\'; };
    if (name.empty() || name.front() == '-' || !std::all_of(name.begin(), name.end(), isPlain))
        return absl::InvalidArgumentError(
            fmt::format("The field {} has \"{}\", which is not a name.", field, name));
    return absl::OkStatus();
}

/// Each known, and none twice: the answer has one column for each.
Status checkMetrics(std::string_view field, std::vector<uint32_t> metrics, size_t count)
{
    std::ranges::sort(metrics);
    if (!metrics.empty() && metrics.back() >= count)
        return absl::InvalidArgumentError(fmt::format(
            "The field {} has {}; metrics are numbered below {}.", field, metrics.back(), count));
    if (std::ranges::adjacent_find(metrics) != metrics.end())
        return absl::InvalidArgumentError(fmt::format("The field {} names a metric twice.", field));
    return absl::OkStatus();
}

Status checkJobId(std::string_view field, std::string_view id)
{
    const auto isPart = [](char c) {
        return (c >= '0' && c <= '9') ||
               std::string_view("_+[]-,%").find(c) != std::string_view::npos;
    };
    if (id.empty() || id.size() > kLongestName || id.front() < '0' || id.front() > '9' ||
        !std::all_of(id.begin(), id.end(), isPart))
        return absl::InvalidArgumentError(
            fmt::format("The field {} has \"{}\", which is not a job id. They look like 123, "
                        "123_4, 123_[4-7] or 123+1.",
                        field, id.substr(0, kLongestName)));
    return absl::OkStatus();
}

template <typename Field, typename Check>
Status takeAll(std::string_view name, const Field& field, size_t most, Check check,
               std::vector<std::string>& into)
{
    if (size_t(field.size()) > most)
        return absl::InvalidArgumentError(fmt::format(
            "The field {} has {} entries; at most {} are accepted.", name, field.size(), most));
    for (const std::string& entry : field) {
        YARD_RETURN_IF_ERROR(check(name, entry));
        into.push_back(entry);
    }
    return absl::OkStatus();
}

StatusOr<domain::Submission> submissionFrom(const v1::Submission& wire)
{
    if (wire.script().empty() || wire.script().size() > kLongestScript ||
        wire.script().find('\0') != std::string::npos)
        return absl::InvalidArgumentError(
            fmt::format("The field submission.script must hold a batch script of at most {} bytes "
                        "without null characters.",
                        kLongestScript));
    domain::Submission submission;
    submission.script = wire.script();
    const auto checkOption = [](std::string_view name, const std::string& option) {
        return checkText(name, option, kLongestOption);
    };
    YARD_RETURN_IF_ERROR(takeAll("submission.options", wire.options(), kMostOptions, checkOption,
                                 submission.options));
    if (!wire.user().empty())
        YARD_RETURN_IF_ERROR(checkName("submission.user", wire.user()));
    submission.user = wire.user();
    YARD_RETURN_IF_ERROR(
        checkText("submission.work_directory", wire.work_directory(), kLongestOption));
    if (!wire.work_directory().empty() && wire.work_directory().front() != '/')
        return absl::InvalidArgumentError("The field submission.work_directory must start with /.");
    submission.workDirectory = wire.work_directory();
    return submission;
}

Status checkExpression(std::string_view field, const std::string& expression)
{
    return checkText(field, expression, kLongestExpression);
}

}  // namespace

StatusOr<domain::Action> actionFrom(const v1::Action& wire)
{
    if (wire.kind() > uint32_t(domain::ActionKind::Submit))
        return absl::InvalidArgumentError(fmt::format(
            "This daemon knows no action of kind {}. Is the client newer than the daemon?",
            wire.kind()));
    domain::Action action;
    action.kind = domain::ActionKind(wire.kind());
    YARD_RETURN_IF_ERROR(
        takeAll("action.nodes", wire.nodes(), domain::kMaxHosts, checkName, action.nodes));
    YARD_RETURN_IF_ERROR(takeAll("action.jobs", wire.jobs(), kMostJobs, checkJobId, action.jobs));
    YARD_RETURN_IF_ERROR(takeAll("action.excluded_nodes", wire.excluded_nodes(), domain::kMaxHosts,
                                 checkName, action.excludedNodes));
    YARD_RETURN_IF_ERROR(checkText("action.reason", wire.reason(), domain::kLongestReason));
    action.reason = wire.reason();
    action.rebootWhenIdle = wire.reboot_when_idle();
    action.cancelOriginal = wire.cancel_original();
    if (wire.has_submission()) {
        auto submission = submissionFrom(wire.submission());
        if (!submission.ok())
            return submission.status();
        action.submission = *std::move(submission);
    }
    return action;
}

StatusOr<control::PreviewRequest> previewRequestFrom(const v1::PreviewRequest& wire)
{
    if (!wire.has_action())
        return absl::InvalidArgumentError("The request has no action to preview.");
    auto action = actionFrom(wire.action());
    if (!action.ok())
        return action.status();
    YARD_RETURN_IF_ERROR(checkExpression("nodes_expression", wire.nodes_expression()));
    YARD_RETURN_IF_ERROR(checkExpression("excluded_expression", wire.excluded_expression()));
    return control::PreviewRequest{*std::move(action), wire.nodes_expression(),
                                   wire.excluded_expression()};
}

StatusOr<control::ExecuteRequest> executeRequestFrom(const v1::ExecuteRequest& wire)
{
    YARD_RETURN_IF_ERROR(checkName("token", wire.token()));
    YARD_RETURN_IF_ERROR(checkName("request_id", wire.request_id()));
    YARD_RETURN_IF_ERROR(checkText("reason", wire.reason(), domain::kLongestReason));
    return control::ExecuteRequest{wire.token(), wire.request_id(), wire.reason(),
                                   wire.typed_count()};
}

StatusOr<std::string> displayIdFrom(const v1::GetJobRequest& wire)
{
    YARD_RETURN_IF_ERROR(checkJobId("display_id", wire.display_id()));
    return wire.display_id();
}

StatusOr<control::Interest> interestFrom(const v1::WatchRequest& wire)
{
    control::Interest interest;
    interest.withReadings = !wire.without_readings();
    interest.minInterval =
        std::chrono::milliseconds(std::min(wire.min_interval_ms(), kSlowestIntervalMs));
    if (size_t(wire.gpu_metrics_size()) > domain::kGpuMetricCount)
        return absl::InvalidArgumentError(
            fmt::format("The field gpu_metrics has {} entries; there are {} metrics.",
                        wire.gpu_metrics_size(), domain::kGpuMetricCount));
    for (const uint32_t metric : wire.gpu_metrics()) {
        if (metric >= domain::kGpuMetricCount)
            return absl::InvalidArgumentError(fmt::format(
                "This daemon knows no GPU metric {}. Is the client newer than the daemon?",
                metric));
        interest.gpuMetrics.push_back(domain::GpuMetric(metric));
    }
    return interest;
}

StatusOr<control::Past::Wanted> wantedFrom(const v1::MomentRequest& request)
{
    control::Past::Wanted wanted;
    wanted.withReadings = !request.without_readings();
    wanted.gpuMetrics = {request.gpu_metrics().begin(), request.gpu_metrics().end()};
    wanted.nodeMetrics = {request.node_metrics().begin(), request.node_metrics().end()};
    YARD_RETURN_IF_ERROR(checkMetrics("gpu_metrics", wanted.gpuMetrics, domain::kGpuMetricCount));
    YARD_RETURN_IF_ERROR(
        checkMetrics("node_metrics", wanted.nodeMetrics, domain::kNodeMetricCount));
    return wanted;
}

StatusOr<domain::SeriesRequest> seriesFrom(const v1::SeriesRequest& request)
{
    if (request.kind() > uint32_t(domain::SeriesKind::Node))
        return absl::InvalidArgumentError(fmt::format(
            "The field kind has {}; it is 0 for a GPU or 1 for a node.", request.kind()));
    domain::SeriesRequest series;
    series.kind = domain::SeriesKind(request.kind());
    const bool isGpu = series.kind == domain::SeriesKind::Gpu;
    YARD_RETURN_IF_ERROR(checkName("node", request.node()));
    YARD_RETURN_IF_ERROR(checkText("uuid", request.uuid(), kLongestName));
    series.subject = {request.node(), isGpu ? int(request.gpu()) : -1,
                      isGpu ? request.uuid() : std::string()};
    series.metrics = {request.metrics().begin(), request.metrics().end()};
    YARD_RETURN_IF_ERROR(checkMetrics("metrics", series.metrics,
                                      isGpu ? domain::kGpuMetricCount : domain::kNodeMetricCount));
    if (series.metrics.empty())
        return absl::InvalidArgumentError("The field metrics is empty: name at least one.");
    if (request.from_us() >= request.to_us())
        return absl::InvalidArgumentError("The field from_us must lie before to_us.");
    series.from = Time(std::chrono::microseconds(request.from_us()));
    series.to = Time(std::chrono::microseconds(request.to_us()));
    if (request.max_points() > 0)
        series.maxPoints = std::min(request.max_points(), kMostPoints);
    return series;
}

uint32_t pageLimit(uint32_t asked)
{
    return asked == 0 ? kPageDefault : std::min(asked, kPageMost);
}

}  // namespace yard::rpc
