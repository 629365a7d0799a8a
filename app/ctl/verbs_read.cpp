#include "app/ctl/verbs_read.h"

#include <fmt/format.h>

#include <cmath>
#include <thread>

#include "app/ctl/filter.h"
#include "app/ctl/json_output.h"
#include "app/ctl/local_time.h"
#include "app/ctl/table.h"
#include "backend/base/text.h"
#include "backend/domain/hostlist.h"
#include "backend/domain/job.h"
#include "backend/domain/metric.h"
#include "backend/domain/node.h"
#include "backend/domain/operation.h"
#include "backend/store/audit.h"

namespace yard::ctl {
namespace {

using nlohmann::json;

// A list of names that do not exist is of no use beyond this.
constexpr size_t kMostMissingNamed = 20;
constexpr uint32_t kAuditPage = 10'000;
constexpr std::chrono::milliseconds kAskAgain{100};

ExitCode snapshot(const CommonOptions& options, bool withReadings, v1::Update& update)
{
    Connection connection(options);
    v1::SnapshotRequest request;
    request.set_with_readings(withReadings);
    const auto until = std::chrono::steady_clock::now() + connection.timeout();
    for (;;) {
        if (const ExitCode code = connection.call(&v1::Yard::Stub::GetSnapshot, request, update);
            code != Done)
            return code;
        const v1::SchedulerHealth& scheduler = update.scheduler();
        if (scheduler.up() || scheduler.has_last_success_us())
            return Done;
        // A daemon that has just started is about to look; one that could not look has said why.
        if (!scheduler.error().empty() || std::chrono::steady_clock::now() >= until)
            return complain(BadInput,
                            "The scheduler has not been read since yardmasterd started, so nothing "
                            "is known of its nodes and jobs. " +
                                scheduler.error());
        std::this_thread::sleep_for(kAskAgain);
    }
}

/// Says on standard error when the list is older than it looks.
void warnIfStale(const v1::Update& update)
{
    if (update.has_scheduler() && !update.scheduler().up())
        fmt::print(stderr,
                   "yardctl: The scheduler is not answering; this is its last known state. {}\n",
                   text::visible(update.scheduler().error()));
    if (update.has_daemon() && !update.daemon().journal_ok())
        fmt::print(stderr, "yardctl: The journal cannot be written, so actions are refused: {}\n",
                   text::visible(update.daemon().journal_error()));
    if (update.has_daemon() && !update.daemon().audit_error().empty())
        fmt::print(stderr, "yardctl: {}\n", text::visible(update.daemon().audit_error()));
    if (update.has_daemon() && !update.daemon().history_error().empty())
        fmt::print(stderr, "yardctl: {}\n", text::visible(update.daemon().history_error()));
}

json frame(const v1::Update& update)
{
    return {{"cluster", update.cluster()},
            {"time", seconds(update.time_us())},
            {"demo", update.demo()},
            {"scheduler", toJson(update.scheduler())}};
}

std::string join(const auto& words)
{
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : ",").append(word);
    return text;
}

/// For a known filter that nothing goes through.
void sayIfNone(size_t count, const Filter& filter, const char* things)
{
    const bool filtered = !filter.state.empty() || !filter.partition.empty() ||
                          !filter.user.empty() || !filter.names.empty();
    if (count == 0 && filtered)
        fmt::print(stderr, "yardctl: No {} match.\n", things);
}

int reportMissingJobs(const Selector& selector, const std::set<std::string>& found)
{
    std::vector<std::string> missing = selector.missing(found);
    if (missing.empty())
        return Done;
    const size_t count = missing.size();
    missing.resize(std::min(count, kMostMissingNamed));
    return complain(BadInput,
                    fmt::format("The scheduler reports no job {}{}. It forgets ended jobs after a "
                                "while.",
                                join(missing), count > kMostMissingNamed ? " and others" : ""));
}

int reportMissing(const Selector& selector, const std::set<std::string>& found)
{
    std::vector<std::string> missing = selector.missing(found);
    if (missing.empty())
        return Done;
    const size_t count = missing.size();
    missing.resize(std::min(count, kMostMissingNamed));
    return complain(BadInput,
                    fmt::format("The cluster has no node {}{}.", domain::foldHostlist(missing),
                                count > kMostMissingNamed ? " and others" : ""));
}

void printNodes(const std::vector<const v1::Node*>& nodes)
{
    Table table({"NODE", "CATEGORY", "STATE", "GPUS>", "PARTITIONS", "USER", "SINCE", "REASON"});
    for (const v1::Node* node : nodes)
        table.add(
            {node->name(), std::string(domain::name(domain::NodeCategory(node->category()))),
             node->state_text(), fmt::format("{}/{}", node->gpus_allocated(), node->gpus_total()),
             join(node->partitions()), node->reason_user(),
             node->has_reason_time_us() ? localTime(node->reason_time_us()) : "", node->reason()});
    table.print();
}

void printJobs(const std::vector<const v1::Job*>& jobs)
{
    Table table(
        {"JOB", "NAME", "USER", "PARTITION", "STATE", "GPUS>", "NODES", "STARTED", "REASON"});
    for (const v1::Job* job : jobs)
        table.add({job->display_id(), job->name(), job->user(), job->partition(), job->state_text(),
                   std::to_string(job->gpus()), job->nodes(),
                   job->has_start_time_us() ? localTime(job->start_time_us()) : "", job->reason()});
    table.print();
}

/// Everything known of one GPU; NaN where there is no reading.
struct GpuRow {
    const v1::Node* node = nullptr;
    int index = 0;
    size_t column = 0;
    float ageSeconds = -1;
    const v1::GpuIdentity* identity = nullptr;
};

std::vector<GpuRow> gpuRows(const v1::Update& update, const Selector& selector,
                            std::set<std::string>& found)
{
    std::map<uint32_t, const v1::GpuIdentity*> identities;
    for (const v1::GpuIdentity& identity : update.gpu_identities())
        identities[identity.node_index()] = &identity;
    std::vector<GpuRow> rows;
    size_t column = 0;
    for (int n = 0; n < update.nodes_size(); ++n) {
        const v1::Node& node = update.nodes(n);
        found.insert(node.name());
        const bool taken = selector.takes(node);
        const auto identity = identities.find(uint32_t(n));
        const float age = n < update.reading_age_s_size() ? update.reading_age_s(n) : -1.0F;
        for (int gpu = 0; gpu < node.gpus_total(); ++gpu, ++column) {
            if (taken)
                rows.push_back({&node, gpu, column, age,
                                identity == identities.end() ? nullptr : identity->second});
        }
    }
    return rows;
}

const v1::GpuColumn* columnOf(const v1::Update& update, domain::GpuMetric metric)
{
    for (const v1::GpuColumn& column : update.gpu_columns()) {
        if (column.metric() == uint32_t(metric))
            return &column;
    }
    return nullptr;
}

float reading(const v1::GpuColumn* column, const GpuRow& row)
{
    return column && row.column < size_t(column->values_size()) ? column->values(int(row.column))
                                                                : domain::kNoReading;
}

std::string cell(float value, int digits)
{
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::string identityText(const google::protobuf::RepeatedPtrField<std::string>& texts, int index)
{
    return index < texts.size() ? texts.Get(index) : "";
}

json gpuJson(const v1::Update& update, const GpuRow& row)
{
    json metrics = json::object();
    for (size_t m = 0; m < domain::kGpuMetricCount; ++m) {
        const float value = reading(columnOf(update, domain::GpuMetric(m)), row);
        metrics[std::string(domain::id(domain::GpuMetric(m)))] =
            std::isnan(value) ? json() : json(value);
    }
    const auto& used = row.node->gpu_indices_in_use();
    json inUse;  // null where the scheduler gives counts only
    if (!used.empty() || row.node->gpus_allocated() == 0)
        inUse = std::find(used.begin(), used.end(), row.index) != used.end();
    return {{"node", row.node->name()},
            {"index", row.index},
            {"uuid", row.identity ? identityText(row.identity->uuid(), row.index) : ""},
            {"pci", row.identity ? identityText(row.identity->pci(), row.index) : ""},
            {"model", row.identity ? row.identity->model() : ""},
            {"in_use", inUse},
            {"age_s", row.ageSeconds < 0 ? json() : json(row.ageSeconds)},
            {"metrics", metrics}};
}

void printGpus(const v1::Update& update, const std::vector<GpuRow>& rows)
{
    using domain::GpuMetric;
    const auto* sm = columnOf(update, GpuMetric::SmActivity);
    const auto* utilization = columnOf(update, GpuMetric::GpuUtilization);
    const auto* used = columnOf(update, GpuMetric::MemoryUsed);
    const auto* power = columnOf(update, GpuMetric::Power);
    const auto* temperature = columnOf(update, GpuMetric::CoreTemperature);
    const auto* clock = columnOf(update, GpuMetric::SmClock);
    const auto* xid = columnOf(update, GpuMetric::LastXid);
    Table table({"NODE", "GPU>", "SM %>", "UTIL %>", "MEM MiB>", "POWER W>", "TEMP °C>",
                 "CLOCK MHz>", "XID>", "AGE s>", "UUID"});
    for (const GpuRow& row : rows)
        table.add({row.node->name(), std::to_string(row.index), cell(reading(sm, row), 0),
                   cell(reading(utilization, row), 0), cell(reading(used, row), 0),
                   cell(reading(power, row), 0), cell(reading(temperature, row), 0),
                   cell(reading(clock, row), 0), cell(reading(xid, row), 0),
                   row.ageSeconds < 0 ? "never" : fmt::format("{:.0f}", row.ageSeconds),
                   row.identity ? identityText(row.identity->uuid(), row.index) : ""});
    table.print();
}

store::AuditRecord auditRecord(const v1::AuditRecord& wire)
{
    store::AuditRecord record;
    record.sequence = wire.sequence();
    record.at =
        Time(std::chrono::duration_cast<Duration>(std::chrono::microseconds(wire.time_us())));
    record.by = {wire.user(), wire.uid(), domain::Role(wire.role()), wire.from()};
    record.event = wire.event();
    record.operationId = wire.operation_id();
    record.action = wire.action();
    record.targets = wire.targets();
    record.reason = wire.reason();
    record.command = wire.command();
    record.detail = wire.detail();
    record.previousHash = wire.previous_hash();
    record.hash = wire.hash();
    return record;
}

ExitCode readAudit(const CommonOptions& options, uint64_t after,
                   std::vector<store::AuditRecord>& records)
{
    Connection connection(options);
    for (;;) {
        v1::ListAuditRequest request;
        request.set_after_sequence(after);
        request.set_limit(kAuditPage);
        v1::ListAuditReply reply;
        if (const ExitCode code = connection.call(&v1::Yard::Stub::ListAudit, request, reply);
            code != Done)
            return code;
        for (const v1::AuditRecord& record : reply.records())
            records.push_back(auditRecord(record));
        if (!reply.chain_ok())
            return complain(BadInput, reply.chain_error());
        if (reply.records_size() == 0 || uint32_t(reply.records_size()) < kAuditPage)
            return Done;
        after = records.back().sequence;
    }
}

}  // namespace

int showNodes(const CommonOptions& options, const Filter& filter)
{
    Selector selector;
    if (!selector.readHosts(filter))
        return BadInput;
    selector.readWords(filter);
    v1::Update update;
    if (const ExitCode code = snapshot(options, false, update); code != Done)
        return code;
    if (const ExitCode code = selector.checkNodeWords(update); code != Done)
        return code;
    std::vector<const v1::Node*> nodes;
    std::set<std::string> found;
    for (const v1::Node& node : update.nodes()) {
        found.insert(node.name());
        if (selector.takes(node))
            nodes.push_back(&node);
    }
    if (options.json) {
        json out = frame(update);
        out["nodes"] = json::array();
        for (const v1::Node* node : nodes)
            out["nodes"].push_back(toJson(*node));
        printJson(out);
    } else {
        printNodes(nodes);
    }
    warnIfStale(update);
    const int code = reportMissing(selector, found);
    if (code == Done)
        sayIfNone(nodes.size(), filter, "nodes");
    return code;
}

int showJobs(const CommonOptions& options, const Filter& filter)
{
    Selector selector;
    selector.readJobs(filter);
    selector.readWords(filter);
    v1::Update update;
    if (const ExitCode code = snapshot(options, false, update); code != Done)
        return code;
    if (const ExitCode code = selector.checkJobWords(update); code != Done)
        return code;
    std::vector<const v1::Job*> jobs;
    std::set<std::string> found;
    for (const v1::Job& job : update.jobs()) {
        selector.noteFound(job, found);
        if (selector.takes(job))
            jobs.push_back(&job);
    }
    if (options.json) {
        json out = frame(update);
        out["jobs"] = json::array();
        for (const v1::Job* job : jobs)
            out["jobs"].push_back(toJson(*job));
        printJson(out);
    } else {
        printJobs(jobs);
    }
    warnIfStale(update);
    const int code = reportMissingJobs(selector, found);
    if (code == Done)
        sayIfNone(jobs.size(), filter, "jobs");
    return code;
}

int showGpus(const CommonOptions& options, const Filter& filter)
{
    Selector selector;
    if (!selector.readHosts(filter))
        return BadInput;
    selector.readWords(filter);
    v1::Update update;
    if (const ExitCode code = snapshot(options, true, update); code != Done)
        return code;
    if (const ExitCode code = selector.checkNodeWords(update); code != Done)
        return code;
    std::set<std::string> found;
    const std::vector<GpuRow> rows = gpuRows(update, selector, found);
    if (options.json) {
        json out = frame(update);
        out["gpus"] = json::array();
        for (const GpuRow& row : rows)
            out["gpus"].push_back(gpuJson(update, row));
        printJson(out);
    } else {
        printGpus(update, rows);
    }
    warnIfStale(update);
    const int code = reportMissing(selector, found);
    if (code == Done)
        sayIfNone(rows.size(), filter, "GPUs");
    return code;
}

int showOperations(const CommonOptions& options, uint32_t limit)
{
    Connection connection(options);
    v1::ListOperationsRequest request;
    request.set_limit(limit);
    v1::ListOperationsReply reply;
    if (const ExitCode code = connection.call(&v1::Yard::Stub::ListOperations, request, reply);
        code != Done)
        return code;
    if (options.json) {
        json out{{"operations", json::array()}};
        for (const v1::Operation& operation : reply.operations())
            out["operations"].push_back(toJson(operation));
        printJson(out);
        return Done;
    }
    Table table({"ID>", "REQUESTED", "BY", "ACTION", "TARGETS", "STATE", "MESSAGE"});
    for (const v1::Operation& operation : reply.operations())
        table.add({std::to_string(operation.id()), localTime(operation.requested_us()),
                   operation.by().user(),
                   std::string(domain::name(domain::ActionKind(operation.action().kind()))),
                   operation.targets_folded(),
                   std::string(domain::name(domain::OperationState(operation.state()))),
                   operation.message()});
    table.print();
    return Done;
}

int showAudit(const CommonOptions& options, uint64_t afterSequence)
{
    std::vector<store::AuditRecord> records;
    const ExitCode code = readAudit(options, afterSequence, records);
    if (code != Done && records.empty())
        return code;
    if (options.json) {
        fmt::print("{}", store::exportAudit(records));
        return code;
    }
    Table table(
        {"SEQ>", "TIME", "USER", "ROLE", "EVENT", "OP>", "ACTION", "TARGETS", "REASON", "DETAIL"});
    for (const store::AuditRecord& record : records)
        table.add({std::to_string(record.sequence),
                   localTime(std::chrono::duration_cast<std::chrono::microseconds>(
                                 record.at.time_since_epoch())
                                 .count()),
                   record.by.user, std::string(domain::name(record.by.role)), record.event,
                   record.operationId == 0 ? "" : std::to_string(record.operationId), record.action,
                   record.targets, record.reason, record.detail});
    table.print();
    return code;
}

}  // namespace yard::ctl
