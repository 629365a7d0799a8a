#include "ui/client/convert_cluster.h"

#include "ui/client/convert.h"

namespace yard::client {

model::NodeInfo toNode(const v1::Node& wire, ValuePool& pool)
{
    model::NodeInfo node;
    node.name = pool.text(wire.name());
    node.state = bounded(wire.state(), model::NodeState::Future, model::NodeState::Unknown);
    node.flags = pool.texts(wire.flags());
    node.stateText = pool.text(wire.state_text());
    node.category =
        bounded(wire.category(), model::NodeCategory::Unknown, model::NodeCategory::Unknown);
    node.usable = wire.usable();
    node.reason = pool.text(wire.reason());
    node.reasonUser = pool.text(wire.reason_user());
    if (wire.has_reason_time_us())
        node.reasonTime = time(wire.reason_time_us());
    node.partitions = pool.texts(wire.partitions());
    node.switchName = pool.text(wire.switch_name());
    node.rack = pool.text(wire.rack());
    node.reservation = pool.text(wire.reservation());
    node.comment = pool.text(wire.comment());
    node.version = pool.text(wire.version());
    if (wire.has_boot_time_us())
        node.bootTime = time(wire.boot_time_us());
    if (wire.has_cpus_total())
        node.cpusTotal = wire.cpus_total();
    if (wire.has_cpus_allocated())
        node.cpusAllocated = wire.cpus_allocated();
    if (wire.has_cpu_load())
        node.cpuLoad = wire.cpu_load();
    if (wire.has_memory_total_mib())
        node.memoryTotalMib = wire.memory_total_mib();
    if (wire.has_memory_allocated_mib())
        node.memoryAllocatedMib = wire.memory_allocated_mib();
    if (wire.has_memory_free_mib())
        node.memoryFreeMib = wire.memory_free_mib();
    node.gpusTotal = wire.gpus_total();
    node.gpusAllocated = wire.gpus_allocated();
    node.gpuType = pool.text(wire.gpu_type());
    node.gpuIndicesInUse = pool.numbers(wire.gpu_indices_in_use());
    node.ownedByOperation = wire.owned_by_operation();
    return node;
}

model::FaultInfo toFault(const v1::Fault& wire)
{
    model::FaultInfo fault;
    fault.kind = bounded(wire.kind(), model::FaultKind::GpuLost, model::FaultKind::Xid);
    fault.host = text(wire.host());
    fault.pci = text(wire.pci());
    if (wire.has_gpu_index())
        fault.gpuIndex = wire.gpu_index();
    fault.code = wire.code();
    fault.text = text(wire.text());
    if (wire.has_at_us())
        fault.at = time(wire.at_us());
    fault.count = wire.count();
    return fault;
}

model::TargetInfo toTarget(const v1::TargetHealth& wire)
{
    model::TargetInfo target;
    target.target = text(wire.target());
    target.kind = text(wire.kind());
    target.host = text(wire.host());
    target.up = wire.up();
    if (wire.has_last_success_us())
        target.lastSuccess = time(wire.last_success_us());
    target.error = text(wire.error());
    target.seconds = wire.seconds();
    target.samples = wire.samples();
    target.badLines = wire.bad_lines();
    target.firstBadLine = text(wire.first_bad_line());
    return target;
}

model::SchedulerInfo toScheduler(const v1::SchedulerHealth& wire)
{
    model::SchedulerInfo scheduler;
    scheduler.kind = text(wire.kind());
    scheduler.version = text(wire.version());
    scheduler.up = wire.up();
    if (wire.has_last_success_us())
        scheduler.lastSuccess = time(wire.last_success_us());
    scheduler.error = text(wire.error());
    scheduler.replySeconds = wire.reply_seconds();
    scheduler.callsPerMinute = wire.calls_per_minute();
    scheduler.pollSeconds = wire.poll_seconds();
    scheduler.backedOff = wire.backed_off();
    scheduler.badRecords = wire.bad_records();
    scheduler.firstBadRecord = text(wire.first_bad_record());
    return scheduler;
}

model::TrendInfo toTrend(const v1::TrendPoint& wire)
{
    return {time(wire.time_us()), wire.gpus_in_use(), wire.sm_activity_median(),
            wire.jobs_waiting(),  wire.power_kw(),    wire.faults(),
            wire.nodes_out(),     wire.jobs_running()};
}

}  // namespace yard::client
