#include "backend/rpc/convert_cluster.h"

#include "backend/domain/hostlist.h"
#include "backend/rpc/convert_operation.h"
#include "backend/rpc/convert_time.h"

namespace yard::rpc {
namespace {

template <typename Source, typename Field>
void addAll(const Source& source, Field* field)
{
    field->Reserve(int(source.size()));
    field->Add(source.begin(), source.end());
}

void toProto(const control::Column& column, auto* out)
{
    out->set_metric(column.metric);
    addAll(column.values, out->mutable_values());
    addAll(column.index, out->mutable_index());
}

void toProto(const control::GpuIdentity& identity, v1::GpuIdentity* out)
{
    out->set_node_index(identity.nodeIndex);
    for (const domain::SharedText& uuid : identity.uuid)
        out->add_uuid(uuid.str());
    for (const domain::SharedText& pci : identity.pci)
        out->add_pci(pci.str());
    out->set_model(identity.model.str());
}

void toProto(const domain::Partition& partition, v1::Partition* out)
{
    out->set_name(partition.name);
    out->set_state(partition.state);
    out->set_is_default(partition.isDefault);
    out->set_max_time_unlimited(partition.maxTime.unlimited);
    if (partition.maxTime.seconds)
        out->set_max_time_s(*partition.maxTime.seconds);
    out->set_nodes(domain::foldHostlist(partition.nodes));
}

void toProto(const domain::Reservation& reservation, v1::Reservation* out)
{
    out->set_name(reservation.name);
    out->set_nodes(domain::foldHostlist(reservation.nodes));
    addAll(reservation.flags, out->mutable_flags());
    out->set_users(reservation.users);
    if (reservation.start)
        out->set_start_us(microseconds(*reservation.start));
    if (reservation.end)
        out->set_end_us(microseconds(*reservation.end));
}

void toProto(const domain::Switch& item, v1::Switch* out)
{
    out->set_name(item.name);
    out->set_level(item.level);
    out->set_nodes(domain::foldHostlist(item.nodes));
    addAll(item.children, out->mutable_children());
}

void toProto(const domain::Right& right, v1::Right* out)
{
    out->set_action(right.action);
    out->set_allowed(right.allowed);
    out->set_detail(right.detail);
}

void toProto(const control::DaemonHealth& health, v1::DaemonHealth* out)
{
    out->set_version(health.version);
    out->set_journal_ok(health.journalOk);
    out->set_journal_error(health.journalError);
    out->set_audit_error(health.auditError);
    out->set_history_error(health.historyError);
    out->set_readings_dropped(health.readingsDropped);
    out->set_clients(health.clients);
}

void toProto(const control::TrendPoint& point, v1::TrendPoint* out)
{
    out->set_time_us(microseconds(point.at));
    out->set_gpus_in_use(point.gpusInUse);
    out->set_sm_activity_median(point.smActivityMedian);
    out->set_jobs_waiting(point.jobsWaiting);
    out->set_power_kw(point.powerKw);
    out->set_faults(point.faults);
    out->set_nodes_out(point.nodesOut);
    out->set_jobs_running(point.jobsRunning);
}

void toProto(const control::JobKey& key, v1::JobKey* out)
{
    out->set_id(key.id);
    out->set_submit_time_us(key.submitTimeUs);
}

/// One message of `field` for each of `items`.
template <typename Items, typename Field>
void addEach(const Items& items, Field* field)
{
    field->Reserve(int(items.size()));
    for (const auto& item : items)
        toProto(item, field->Add());
}

void addNodes(const control::ClusterDelta& delta, v1::Update* out)
{
    out->mutable_nodes()->Reserve(int(delta.nodes.size()));
    for (size_t i = 0; i < delta.nodes.size(); ++i) {
        const uint64_t owner = i < delta.ownedByOperation.size() ? delta.ownedByOperation[i] : 0;
        rpc::toProto(delta.nodes[i], owner, out->add_nodes());
    }
    addAll(delta.nodeIndex, out->mutable_node_index());
}

void addReadings(const control::ClusterDelta& delta, v1::Update* out)
{
    addEach(delta.gpuColumns, out->mutable_gpu_columns());
    addEach(delta.nodeColumns, out->mutable_node_columns());
    addAll(delta.readingAgeSeconds, out->mutable_reading_age_s());
    out->set_reading_interval_s(delta.readingIntervalSeconds);
    addEach(delta.gpuIdentities, out->mutable_gpu_identities());
}

void addHealth(const control::ClusterDelta& delta, v1::Update* out)
{
    out->set_has_faults(delta.hasFaults);
    for (const domain::Fault& fault : delta.faults)
        rpc::toProto(fault, out->add_faults());
    for (const domain::TargetHealth& target : delta.targets)
        rpc::toProto(target, out->add_targets());
    addAll(delta.removedTargets, out->mutable_removed_targets());
    if (delta.scheduler)
        rpc::toProto(*delta.scheduler, out->mutable_scheduler());
    addEach(delta.rights, out->mutable_rights());
    if (delta.daemon)
        toProto(*delta.daemon, out->mutable_daemon());
}

void addStates(const domain::Job& job, v1::Job* out)
{
    out->set_state(uint32_t(job.state));
    addAll(job.stateFlags, out->mutable_state_flags());
    out->set_state_text(job.stateText);
    out->set_reason(job.reason);
    if (job.exit && job.exit->code)
        out->set_exit_code(*job.exit->code);
    if (job.exit && job.exit->signal)
        out->set_exit_signal(*job.exit->signal);
    if (job.cancelledByUid)
        out->set_cancelled_by_uid(*job.cancelledByUid);
    out->set_restarts(job.restarts);
    out->set_priority(job.priority);
    out->set_held(job.held);
    out->set_requeueable(job.requeueable);
}

void addTimes(const domain::Job& job, v1::Job* out)
{
    if (job.submitTime)
        out->set_submit_time_us(microseconds(*job.submitTime));
    if (job.startTime)
        out->set_start_time_us(microseconds(*job.startTime));
    if (job.endTime)
        out->set_end_time_us(microseconds(*job.endTime));
    if (job.estimatedStart)
        out->set_estimated_start_us(microseconds(*job.estimatedStart));
    out->set_time_unlimited(job.timeLimit.unlimited);
    if (job.timeLimit.seconds)
        out->set_time_limit_s(*job.timeLimit.seconds);
}

void addPlace(const domain::Job& job, v1::Job* out)
{
    out->set_nodes(domain::foldHostlist(job.nodes));
    out->set_excluded_nodes(job.excludedNodes);
    out->set_node_count(job.nodeCount);
    out->set_cpus(job.cpus);
    out->set_gpus(job.gpus);
    for (const auto& [node, indices] : job.gpuIndices) {
        v1::NodeGpus* gpus = out->add_gpu_indices();
        gpus->set_node(node);
        addAll(indices, gpus->mutable_index());
    }
    out->set_work_directory(job.workDirectory);
    out->set_standard_output(job.standardOutput);
    out->set_dependency(job.dependency);
}

void addCapacity(const domain::Node& node, v1::Node* out)
{
    if (node.cpusTotal)
        out->set_cpus_total(*node.cpusTotal);
    if (node.cpusAllocated)
        out->set_cpus_allocated(*node.cpusAllocated);
    if (node.cpuLoad)
        out->set_cpu_load(*node.cpuLoad);
    if (node.memoryTotalMib)
        out->set_memory_total_mib(*node.memoryTotalMib);
    if (node.memoryAllocatedMib)
        out->set_memory_allocated_mib(*node.memoryAllocatedMib);
    if (node.memoryFreeMib)
        out->set_memory_free_mib(*node.memoryFreeMib);
    out->set_gpus_total(node.gpusTotal);
    out->set_gpus_allocated(node.gpusAllocated);
    out->set_gpu_type(node.gpuType);
    addAll(node.gpuIndicesInUse, out->mutable_gpu_indices_in_use());
}

}  // namespace

void toProto(const domain::Node& node, uint64_t ownedByOperation, v1::Node* out)
{
    out->set_name(node.name);
    out->set_state(uint32_t(node.state));
    addAll(node.flags, out->mutable_flags());
    out->set_state_text(node.stateText);
    out->set_category(uint32_t(domain::categoryOf(node)));
    out->set_usable(domain::isUsable(node));
    out->set_reason(node.reason);
    out->set_reason_user(node.reasonUser);
    if (node.reasonTime)
        out->set_reason_time_us(microseconds(*node.reasonTime));
    addAll(node.partitions, out->mutable_partitions());
    out->set_switch_name(node.switchName);
    out->set_rack(node.rack);
    out->set_reservation(node.reservation);
    out->set_comment(node.comment);
    out->set_version(node.version);
    if (node.bootTime)
        out->set_boot_time_us(microseconds(*node.bootTime));
    addCapacity(node, out);
    out->set_owned_by_operation(ownedByOperation);
}

void toProto(const domain::Job& job, v1::Job* out)
{
    out->set_id(job.id);
    out->set_display_id(job.displayId);
    if (job.array) {
        out->set_array_job(job.array->job);
        if (job.array->task)
            out->set_array_task(*job.array->task);
        out->set_array_pending(job.array->pending);
        out->set_array_pending_count(job.array->pendingCount);
    }
    if (job.het) {
        out->set_het_leader(job.het->leader);
        out->set_het_offset(job.het->offset);
    }
    out->set_name(job.name);
    out->set_user(job.user);
    out->set_account(job.account);
    out->set_partition(job.partition);
    out->set_qos(job.qos);
    out->set_comment(job.comment);
    addStates(job, out);
    addTimes(job, out);
    addPlace(job, out);
}

void toProto(const control::TrackedJob& job, v1::Job* out)
{
    toProto(job.job, out);
    out->set_previous_job(job.previousJob);
    out->set_next_job(job.nextJob);
}

void toProto(const domain::Fault& fault, v1::Fault* out)
{
    out->set_kind(uint32_t(fault.kind));
    out->set_host(fault.host);
    out->set_pci(fault.pci);
    if (fault.gpuIndex)
        out->set_gpu_index(*fault.gpuIndex);
    out->set_code(fault.code);
    out->set_text(fault.text);
    if (fault.at)
        out->set_at_us(microseconds(*fault.at));
    out->set_count(fault.count);
}

void toProto(const domain::TargetHealth& health, v1::TargetHealth* out)
{
    out->set_target(health.target);
    out->set_kind(health.kind);
    out->set_host(health.host);
    out->set_up(health.up);
    if (health.lastSuccess)
        out->set_last_success_us(microseconds(*health.lastSuccess));
    out->set_error(health.error);
    out->set_seconds(health.seconds);
    out->set_samples(health.samples);
    out->set_bad_lines(health.badLines);
    out->set_first_bad_line(health.firstBadLine);
}

void toProto(const domain::SchedulerHealth& health, v1::SchedulerHealth* out)
{
    out->set_kind(health.kind);
    out->set_version(health.version);
    out->set_up(health.up);
    if (health.lastSuccess)
        out->set_last_success_us(microseconds(*health.lastSuccess));
    out->set_error(health.error);
    out->set_reply_seconds(health.replySeconds);
    out->set_calls_per_minute(health.callsPerMinute);
    out->set_poll_seconds(health.pollSeconds);
    out->set_backed_off(health.backedOff);
    out->set_bad_records(health.badRecords);
    out->set_first_bad_record(health.firstBadRecord);
}

void toProto(const control::ClusterDelta& delta, v1::Update* out)
{
    out->set_revision(delta.revision);
    out->set_base_revision(delta.baseRevision);
    out->set_time_us(microseconds(delta.at));
    out->set_cluster(delta.cluster);
    out->set_time_zone(delta.timeZone);
    out->set_demo(delta.demo);
    addNodes(delta, out);
    for (const control::TrackedJob& job : delta.jobs)
        toProto(job, out->add_jobs());
    addEach(delta.removedJobs, out->mutable_removed_jobs());
    out->set_has_cluster_parts(delta.hasClusterParts);
    addEach(delta.partitions, out->mutable_partitions());
    addEach(delta.reservations, out->mutable_reservations());
    addEach(delta.switches, out->mutable_switches());
    addReadings(delta, out);
    addHealth(delta, out);
    for (const domain::Operation& operation : delta.operations)
        toProto(operation, out->add_operations());
    addEach(delta.trend, out->mutable_trend());
}

}  // namespace yard::rpc
