#include "app/ctl/json_output.h"

#include <fmt/format.h>

#include "app/ctl/json_text.h"
#include "backend/domain/job.h"
#include "backend/domain/node.h"
#include "backend/domain/operation.h"

namespace yard::ctl {
namespace {

using nlohmann::json;

template <typename Field>
json list(const Field& field)
{
    json values = json::array();
    for (const auto& value : field)
        values.push_back(value);
    return values;
}

template <typename Enum>
std::string word(uint32_t value)
{
    return std::string(domain::name(Enum(value)));
}

template <typename T>
json optional(bool has, T value)
{
    return has ? json(value) : json();
}

json time(bool has, int64_t microseconds)
{
    return has ? seconds(microseconds) : json();
}

json toJson(const v1::Action& action)
{
    json value{{"kind", word<domain::ActionKind>(action.kind())},
               {"nodes", list(action.nodes())},
               {"jobs", list(action.jobs())},
               {"reason", action.reason()},
               {"excluded_nodes", list(action.excluded_nodes())},
               {"reboot_when_idle", action.reboot_when_idle()},
               {"cancel_original", action.cancel_original()}};
    return value;
}

json toJson(const v1::AffectedJob& job)
{
    return {{"id", job.display_id()},
            {"name", job.name()},
            {"user", job.user()},
            {"gpus_here", job.gpus_here()},
            {"gpus_all", job.gpus_all()},
            {"ends_by", time(job.has_ends_by_us(), job.ends_by_us())},
            {"gpu_hours_at_risk", job.gpu_hours_at_risk()},
            {"killed", job.killed()},
            {"nodes", job.nodes()}};
}

json toJson(const v1::Target& target)
{
    static constexpr const char* kWords[] = {"requested", "observed", "refused"};
    return {{"name", target.name()},
            {"state", target.state() < 3 ? kWords[target.state()] : "unknown"},
            {"before", target.before()},
            {"observed", target.observed()},
            {"new_job", target.new_job()}};
}

}  // namespace

json seconds(int64_t microseconds)
{
    if (microseconds % 1'000'000 == 0)
        return microseconds / 1'000'000;
    return double(microseconds) / 1e6;
}

json toJson(const v1::Node& node)
{
    return {{"name", node.name()},
            {"state", word<domain::NodeState>(node.state())},
            {"flags", list(node.flags())},
            {"state_text", node.state_text()},
            {"category", word<domain::NodeCategory>(node.category())},
            {"usable", node.usable()},
            {"reason", node.reason()},
            {"reason_user", node.reason_user()},
            {"reason_time", time(node.has_reason_time_us(), node.reason_time_us())},
            {"partitions", list(node.partitions())},
            {"switch", node.switch_name()},
            {"rack", node.rack()},
            {"reservation", node.reservation()},
            {"comment", node.comment()},
            {"version", node.version()},
            {"boot_time", time(node.has_boot_time_us(), node.boot_time_us())},
            {"cpus_total", optional(node.has_cpus_total(), node.cpus_total())},
            {"cpus_allocated", optional(node.has_cpus_allocated(), node.cpus_allocated())},
            {"cpu_load", optional(node.has_cpu_load(), node.cpu_load())},
            {"memory_total_mib", optional(node.has_memory_total_mib(), node.memory_total_mib())},
            {"memory_allocated_mib",
             optional(node.has_memory_allocated_mib(), node.memory_allocated_mib())},
            {"memory_free_mib", optional(node.has_memory_free_mib(), node.memory_free_mib())},
            {"gpus_total", node.gpus_total()},
            {"gpus_used", node.gpus_allocated()},
            {"gpu_type", node.gpu_type()},
            {"gpu_idx_used", list(node.gpu_indices_in_use())},
            {"drained_by_operation",
             optional(node.owned_by_operation() != 0, node.owned_by_operation())}};
}

json toJson(const v1::Job& job)
{
    json array;
    if (job.array_job() != 0)
        array = {{"job", job.array_job()},
                 {"task", optional(job.has_array_task(), job.array_task())},
                 {"pending", job.array_pending()},
                 {"pending_count", job.array_pending_count()}};
    json het;
    if (job.het_leader() != 0)
        het = {{"leader", job.het_leader()}, {"offset", job.het_offset()}};
    json exit;
    if (job.has_exit_code() || job.has_exit_signal())
        exit = {{"code", optional(job.has_exit_code(), job.exit_code())},
                {"signal", optional(job.has_exit_signal(), job.exit_signal())}};
    json gpus = json::object();
    for (const v1::NodeGpus& part : job.gpu_indices())
        gpus[part.node()] = list(part.index());
    const json limit = job.time_unlimited() ? json("unlimited")
                                            : optional(job.has_time_limit_s(), job.time_limit_s());
    return {{"id", job.id()},
            {"display_id", job.display_id()},
            {"array", array},
            {"het", het},
            {"name", job.name()},
            {"user", job.user()},
            {"account", job.account()},
            {"partition", job.partition()},
            {"qos", job.qos()},
            {"comment", job.comment()},
            {"state", word<domain::JobState>(job.state())},
            {"state_flags", list(job.state_flags())},
            {"state_text", job.state_text()},
            {"reason", job.reason()},
            {"exit", exit},
            {"by_uid", optional(job.has_cancelled_by_uid(), job.cancelled_by_uid())},
            {"restarts", job.restarts()},
            {"priority", job.priority()},
            {"held", job.held()},
            {"requeueable", job.requeueable()},
            {"submit", time(job.has_submit_time_us(), job.submit_time_us())},
            {"start", time(job.has_start_time_us(), job.start_time_us())},
            {"end", time(job.has_end_time_us(), job.end_time_us())},
            {"estimated_start", time(job.has_estimated_start_us(), job.estimated_start_us())},
            {"time_limit_s", limit},
            {"nodes", job.nodes()},
            {"excluded_nodes", job.excluded_nodes()},
            {"node_count", job.node_count()},
            {"cpus", job.cpus()},
            {"gpus", job.gpus()},
            {"gpu_map", gpus},
            {"work_directory", job.work_directory()},
            {"standard_output", job.standard_output()},
            {"dependency", job.dependency()},
            {"previous_job", job.previous_job()},
            {"next_job", job.next_job()}};
}

json toJson(const v1::Operation& operation)
{
    json targets = json::array();
    for (const v1::Target& target : operation.targets())
        targets.push_back(toJson(target));
    return {{"id", operation.id()},
            {"request_id", operation.request_id()},
            {"action", toJson(operation.action())},
            {"by", operation.by().user()},
            {"role", word<domain::Role>(operation.by().role())},
            {"from", operation.by().from()},
            {"requested", seconds(operation.requested_us())},
            {"sent", time(operation.has_sent_us(), operation.sent_us())},
            {"finished", time(operation.has_finished_us(), operation.finished_us())},
            {"state", word<domain::OperationState>(operation.state())},
            {"targets", targets},
            {"targets_folded", operation.targets_folded()},
            {"commands", list(operation.commands())},
            {"message", operation.message()},
            {"new_job", operation.new_job()},
            {"undoes", optional(operation.undoes() != 0, operation.undoes())},
            {"progress", operation.progress()},
            {"undoable", operation.undoable()}};
}

json toJson(const v1::PreviewReply& preview)
{
    json jobs = json::array();
    for (const v1::AffectedJob& job : preview.jobs())
        jobs.push_back(toJson(job));
    return {{"action", toJson(preview.action())},
            {"targets", preview.targets()},
            {"target_count", preview.target_count()},
            {"commands", list(preview.commands())},
            {"jobs", jobs},
            {"jobs_killed", preview.jobs_killed()},
            {"users", preview.users()},
            {"gpus", preview.gpus()},
            {"gpu_hours_at_risk", preview.gpu_hours_at_risk()},
            {"empty_by", time(preview.has_empty_by_us(), preview.empty_by_us())},
            {"free_replacements", preview.free_replacements()},
            {"warnings", list(preview.warnings())},
            {"reason_required", preview.reason_required()},
            {"typed_count_required", preview.typed_count_required()},
            {"refusal", preview.refusal()},
            {"undoes", optional(preview.undoes() != 0, preview.undoes())},
            {"expires", seconds(preview.expires_us())}};
}

json toJson(const v1::SchedulerHealth& health)
{
    return {{"kind", health.kind()},
            {"version", health.version()},
            {"up", health.up()},
            {"last_success", time(health.has_last_success_us(), health.last_success_us())},
            {"error", health.error()},
            {"reply_seconds", health.reply_seconds()},
            {"calls_per_minute", health.calls_per_minute()},
            {"poll_seconds", health.poll_seconds()},
            {"backed_off", health.backed_off()},
            {"bad_records", health.bad_records()},
            {"first_bad_record", health.first_bad_record()}};
}

void printJson(const json& value)
{
    fmt::print("{}\n", jsonText(value, 2));
}

void printJsonLine(const json& value)
{
    fmt::print("{}\n", jsonText(value, -1));
}

}  // namespace yard::ctl
