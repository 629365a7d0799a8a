#include "backend/rpc/convert_operation.h"

#include "backend/domain/hostlist.h"
#include "backend/rpc/convert_cluster.h"
#include "backend/rpc/convert_time.h"

namespace yard::rpc {
namespace {

template <typename Field>
void addAll(const std::vector<std::string>& texts, Field* field)
{
    field->Add(texts.begin(), texts.end());
}

std::string foldTargets(const domain::Operation& operation)
{
    std::vector<std::string> names;
    names.reserve(operation.targets.size());
    for (const domain::Target& target : operation.targets)
        names.push_back(target.name);
    if (domain::isNodeAction(operation.action.kind))
        return domain::foldHostlist(std::move(names));
    std::string text;
    for (const std::string& name : names)
        text.append(text.empty() ? "" : ",").append(name);
    return text;
}

void toProto(const control::AffectedJob& job, v1::AffectedJob* out)
{
    out->set_display_id(job.displayId);
    out->set_name(job.name);
    out->set_user(job.user);
    out->set_gpus_here(job.gpusHere);
    out->set_gpus_all(job.gpusAll);
    if (job.endsBy)
        out->set_ends_by_us(microseconds(*job.endsBy));
    out->set_gpu_hours_at_risk(job.gpuHoursAtRisk);
    out->set_killed(job.killed);
    out->set_nodes(domain::foldHostlist(job.nodes));
}

}  // namespace

void toProto(const domain::Action& action, v1::Action* out)
{
    out->set_kind(uint32_t(action.kind));
    addAll(action.nodes, out->mutable_nodes());
    addAll(action.jobs, out->mutable_jobs());
    out->set_reason(action.reason);
    addAll(action.excludedNodes, out->mutable_excluded_nodes());
    out->set_reboot_when_idle(action.rebootWhenIdle);
    out->set_cancel_original(action.cancelOriginal);
    if (!action.submission)
        return;
    v1::Submission* submission = out->mutable_submission();
    submission->set_script(action.submission->script);
    addAll(action.submission->options, submission->mutable_options());
    submission->set_user(action.submission->user);
    submission->set_work_directory(action.submission->workDirectory);
}

void toProto(const domain::Identity& identity, v1::Identity* out)
{
    out->set_user(identity.user);
    out->set_role(uint32_t(identity.role));
    out->set_from(identity.from);
}

void toProto(const domain::Operation& operation, v1::Operation* out)
{
    out->set_id(operation.id);
    out->set_request_id(operation.requestId);
    toProto(operation.action, out->mutable_action());
    toProto(operation.by, out->mutable_by());
    out->set_requested_us(microseconds(operation.requestedAt));
    if (operation.sentAt)
        out->set_sent_us(microseconds(*operation.sentAt));
    if (operation.finishedAt)
        out->set_finished_us(microseconds(*operation.finishedAt));
    out->set_state(uint32_t(operation.state));
    for (const domain::Target& target : operation.targets) {
        v1::Target* wire = out->add_targets();
        wire->set_name(target.name);
        wire->set_state(uint32_t(target.state));
        wire->set_before(target.before);
        wire->set_observed(target.observed);
        wire->set_new_job(target.newJob);
    }
    addAll(operation.commands, out->mutable_commands());
    out->set_message(operation.message);
    out->set_new_job(operation.newJob);
    out->set_undoes(operation.undoes.value_or(0));
    out->set_undoable(operation.undoable);
    out->set_targets_folded(foldTargets(operation));
    out->set_progress(operation.progress);
}

void toProto(const control::Preview& preview, v1::PreviewReply* out)
{
    out->set_token(preview.token);
    out->set_made_us(microseconds(preview.made));
    out->set_expires_us(microseconds(preview.expires));
    toProto(preview.action, out->mutable_action());
    out->set_targets(preview.targets);
    out->set_target_count(uint32_t(preview.targetCount));
    addAll(preview.commands, out->mutable_commands());
    for (const control::AffectedJob& job : preview.jobs)
        toProto(job, out->add_jobs());
    out->set_jobs_killed(uint32_t(preview.jobsKilled));
    out->set_users(uint32_t(preview.users));
    out->set_gpus(uint32_t(preview.gpus));
    out->set_gpu_hours_at_risk(preview.gpuHoursAtRisk);
    if (preview.emptyBy)
        out->set_empty_by_us(microseconds(*preview.emptyBy));
    out->set_free_replacements(uint32_t(preview.freeReplacements));
    addAll(preview.warnings, out->mutable_warnings());
    out->set_reason_required(preview.reasonRequired);
    out->set_typed_count_required(preview.typedCountRequired);
    out->set_reason_possible(preview.reasonPossible);
    out->set_refusal(preview.refusal);
    out->set_undoes(preview.undoes.value_or(0));
}

void toProto(const store::AuditRecord& record, v1::AuditRecord* out)
{
    out->set_sequence(record.sequence);
    out->set_time_us(microseconds(record.at));
    out->set_user(record.by.user);
    out->set_uid(record.by.uid);
    out->set_role(uint32_t(record.by.role));
    out->set_from(record.by.from);
    out->set_event(record.event);
    out->set_operation_id(record.operationId);
    out->set_action(record.action);
    out->set_targets(record.targets);
    out->set_reason(record.reason);
    out->set_command(record.command);
    out->set_detail(record.detail);
    out->set_previous_hash(record.previousHash);
    out->set_hash(record.hash);
}

void toProto(const store::AuditPage& page, v1::ListAuditReply* out)
{
    for (const store::AuditRecord& record : page.records)
        toProto(record, out->add_records());
    out->set_chain_ok(page.chainOk);
    out->set_chain_error(page.chainError);
}

void toProto(const std::vector<control::JobAttempt>& attempts, const std::string& displayId,
             v1::JobDetail* out)
{
    for (const control::JobAttempt& attempt : attempts) {
        v1::JobAttempt* wire = out->add_attempts();
        toProto(attempt.job, wire->mutable_job());
        wire->set_by_us(attempt.operationId.has_value());
        wire->set_operation_id(attempt.operationId.value_or(0));
        if (attempt.job.job.displayId == displayId)
            toProto(attempt.job, out->mutable_job());
    }
}

}  // namespace yard::rpc
