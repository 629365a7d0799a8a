#include "ui/client/convert.h"
#include "ui/client/convert_cluster.h"

namespace yard::client {
namespace {

model::ActionKind kind(uint32_t number)
{
    // A kind of a newer daemon is a write that we cannot name; Submit is the one without targets.
    return bounded(number, model::ActionKind::Submit, model::ActionKind::Submit);
}

QString roleName(uint32_t number)
{
    switch (bounded(number, model::Role::Admin, model::Role::None)) {
        case model::Role::Viewer:
            return QStringLiteral("viewer");
        case model::Role::Operator:
            return QStringLiteral("operator");
        case model::Role::Admin:
            return QStringLiteral("admin");
        case model::Role::None:
            break;
    }
    return QStringLiteral("none");
}

}  // namespace

model::OperationInfo toOperation(const v1::Operation& wire)
{
    model::OperationInfo operation;
    operation.id = wire.id();
    operation.requestId = text(wire.request_id());
    operation.kind = kind(wire.action().kind());
    operation.reason = text(wire.action().reason());
    operation.user = text(wire.by().user());
    operation.from = text(wire.by().from());
    operation.requestedAt = time(wire.requested_us());
    if (wire.has_finished_us())
        operation.finishedAt = time(wire.finished_us());
    operation.state =
        bounded(wire.state(), model::OperationState::Superseded, model::OperationState::InDoubt);
    for (const auto& target : wire.targets()) {
        operation.targets.append(
            {text(target.name()),
             bounded(target.state(), model::TargetState::Refused, model::TargetState::Requested),
             text(target.before()), text(target.observed())});
    }
    operation.targetsFolded = text(wire.targets_folded());
    operation.commands = texts(wire.commands());
    operation.message = text(wire.message());
    operation.newJob = text(wire.new_job());
    operation.undoes = wire.undoes();
    operation.undoable = wire.undoable();
    operation.progress = text(wire.progress());
    return operation;
}

model::PreviewInfo toPreview(const v1::PreviewReply& wire)
{
    model::PreviewInfo preview;
    preview.token = text(wire.token());
    preview.made = time(wire.made_us());
    preview.expires = time(wire.expires_us());
    preview.kind = kind(wire.action().kind());
    preview.targets = text(wire.targets());
    preview.targetCount = int(wire.target_count());
    preview.commands = texts(wire.commands());
    for (const auto& job : wire.jobs()) {
        preview.jobs.append({text(job.display_id()), text(job.name()), text(job.user()),
                             job.gpus_here(), job.gpus_all(),
                             job.has_ends_by_us() ? time(job.ends_by_us()) : QDateTime(),
                             job.gpu_hours_at_risk(), job.killed()});
    }
    preview.jobsKilled = int(wire.jobs_killed());
    preview.users = int(wire.users());
    preview.gpus = int(wire.gpus());
    preview.gpuHoursAtRisk = wire.gpu_hours_at_risk();
    if (wire.has_empty_by_us())
        preview.emptyBy = time(wire.empty_by_us());
    preview.freeReplacements = int(wire.free_replacements());
    preview.warnings = texts(wire.warnings());
    preview.reasonRequired = wire.reason_required();
    preview.reasonPossible = wire.reason_possible();
    preview.typedCountRequired = int(wire.typed_count_required());
    preview.refusal = text(wire.refusal());
    preview.undoes = wire.undoes();
    return preview;
}

model::AuditPage toAuditPage(const v1::ListAuditReply& wire)
{
    model::AuditPage page;
    page.chainOk = wire.chain_ok();
    page.chainError = text(wire.chain_error());
    for (const auto& record : wire.records()) {
        page.records.append({record.sequence(), time(record.time_us()), text(record.user()),
                             roleName(record.role()), text(record.from()), text(record.event()),
                             record.operation_id(), text(record.action()), text(record.targets()),
                             text(record.reason()), text(record.command()), text(record.detail()),
                             text(record.previous_hash()), text(record.hash())});
    }
    return page;
}

v1::PreviewRequest toWire(const model::ActionRequest& request)
{
    v1::PreviewRequest wire;
    v1::Action& action = *wire.mutable_action();
    action.set_kind(uint32_t(request.kind));
    for (const QString& node : request.nodes)
        action.add_nodes(node.toStdString());
    for (const QString& job : request.jobs)
        action.add_jobs(job.toStdString());
    action.set_reason(request.reason.toStdString());
    action.set_reboot_when_idle(request.rebootWhenIdle);
    action.set_cancel_original(request.cancelOriginal);
    wire.set_excluded_expression(request.excludedNodes.toStdString());
    return wire;
}

}  // namespace yard::client
