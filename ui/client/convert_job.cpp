#include "ui/client/convert.h"
#include "ui/client/convert_cluster.h"

namespace yard::client {
namespace {

void addIdentity(const v1::Job& wire, ValuePool& pool, model::JobInfo& job)
{
    job.id = wire.id();
    job.displayId = text(wire.display_id());
    job.arrayJob = wire.array_job();
    if (wire.has_array_task())
        job.arrayTask = wire.array_task();
    job.arrayPending = text(wire.array_pending());
    job.arrayPendingCount = wire.array_pending_count();
    job.hetLeader = wire.het_leader();
    job.name = pool.text(wire.name());
    job.user = pool.text(wire.user());
    job.account = pool.text(wire.account());
    job.partition = pool.text(wire.partition());
    job.qos = pool.text(wire.qos());
    job.comment = pool.text(wire.comment());
}

void addState(const v1::Job& wire, ValuePool& pool, model::JobInfo& job)
{
    job.state = bounded(wire.state(), model::JobState::OutOfMemory, model::JobState::Unknown);
    job.stateFlags = pool.texts(wire.state_flags());
    job.stateText = pool.text(wire.state_text());
    job.reason = pool.text(wire.reason());
    if (wire.has_exit_code())
        job.exitCode = wire.exit_code();
    if (wire.has_exit_signal())
        job.exitSignal = wire.exit_signal();
    job.restarts = wire.restarts();
    job.priority = wire.priority();
    job.held = wire.held();
    job.requeueable = wire.requeueable();
}

void addTimes(const v1::Job& wire, model::JobInfo& job)
{
    if (wire.has_submit_time_us())
        job.submitTime = time(wire.submit_time_us());
    if (wire.has_start_time_us())
        job.startTime = time(wire.start_time_us());
    if (wire.has_end_time_us())
        job.endTime = time(wire.end_time_us());
    if (wire.has_estimated_start_us())
        job.estimatedStart = time(wire.estimated_start_us());
    job.timeUnlimited = wire.time_unlimited();
    if (wire.has_time_limit_s())
        job.timeLimitSeconds = wire.time_limit_s();
}

}  // namespace

model::JobInfo toJob(const v1::Job& wire, ValuePool& pool)
{
    model::JobInfo job;
    addIdentity(wire, pool, job);
    addState(wire, pool, job);
    addTimes(wire, job);
    job.nodes = text(wire.nodes());
    job.excludedNodes = text(wire.excluded_nodes());
    job.nodeCount = wire.node_count();
    job.cpus = wire.cpus();
    job.gpus = wire.gpus();
    for (const auto& gpus : wire.gpu_indices()) {
        job.gpuIndices.insert(pool.text(gpus.node()), pool.numbers(gpus.index()));
    }
    job.workDirectory = pool.text(wire.work_directory());
    job.standardOutput = text(wire.standard_output());
    job.dependency = pool.text(wire.dependency());
    job.previousJob = pool.text(wire.previous_job());
    job.nextJob = pool.text(wire.next_job());
    return job;
}

QVector<model::JobAttemptInfo> toAttempts(const v1::JobDetail& wire)
{
    ValuePool pool;
    QVector<model::JobAttemptInfo> attempts;
    for (const auto& attempt : wire.attempts())
        attempts.append({toJob(attempt.job(), pool), attempt.by_us() ? attempt.operation_id() : 0});
    return attempts;
}

}  // namespace yard::client
