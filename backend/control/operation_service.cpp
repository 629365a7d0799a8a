#include "backend/control/operation_service.h"

#include "backend/control/operation_desk.h"

namespace yard::control {
namespace {

Status tooBusy()
{
    return absl::ResourceExhaustedError("The daemon is too busy: nothing was done. Try again.");
}

}  // namespace

OperationService::OperationService(TaskLoop& core, std::unique_ptr<OperationDesk> state)
    : m_core(core)
    , m_state(std::move(state))
{
}

OperationService::~OperationService() = default;

void OperationService::preview(domain::Identity by, PreviewRequest request, Answer<Preview> answer)
{
    if (!m_core.post([this, by = std::move(by), request = std::move(request), answer] {
            answer(m_state->preview(by, request));
        }))
        answer(tooBusy());
}

void OperationService::previewUndo(domain::Identity by, uint64_t operationId,
                                   Answer<Preview> answer)
{
    if (!m_core.post([this, by = std::move(by), operationId, answer] {
            answer(m_state->previewUndo(by, operationId));
        }))
        answer(tooBusy());
}

void OperationService::execute(domain::Identity by, ExecuteRequest request,
                               Answer<domain::Operation> answer)
{
    if (!m_core.post([this, by = std::move(by), request = std::move(request), answer] {
            m_state->execute(by, request, answer);
        }))
        answer(tooBusy());
}

void OperationService::recordDenied(domain::Identity by, std::string method, std::string detail)
{
    (void)m_core.post([this, by = std::move(by), method = std::move(method),
                       detail = std::move(detail)] { m_state->recordDenied(by, method, detail); });
}

void OperationService::operations(uint32_t limit, uint64_t beforeId,
                                  Answer<std::vector<domain::Operation>> answer)
{
    // Undo and the last look live in memory; the journal has the rest.
    const auto refresh = [this, answer](StatusOr<std::vector<domain::Operation>> list) {
        if (list.ok())
            for (domain::Operation& operation : *list)
                if (const auto* record = m_state->runner().find(operation.id))
                    operation = record->operation;
        answer(std::move(list));
    };
    const auto& context = m_state->context();
    context.journal.operations(
        limit == 0 ? 1000 : limit, beforeId, [door = context.door, refresh](auto list) {
            door->post([refresh, list = std::move(list)]() mutable { refresh(std::move(list)); });
        });
}

void OperationService::audit(uint64_t afterSequence, uint32_t limit,
                             Answer<store::AuditPage> answer)
{
    const auto& context = m_state->context();
    context.journal.audit(
        afterSequence, limit == 0 ? 1000 : limit, [door = context.door, answer](auto page) {
            door->post([answer, page = std::move(page)]() mutable { answer(std::move(page)); });
        });
}

void OperationService::attempts(std::string displayId, Answer<std::vector<JobAttempt>> answer)
{
    if (!m_core.post([this, displayId = std::move(displayId), answer] {
            auto attempts = m_state->attempts(displayId);
            if (attempts.empty())
                answer(absl::NotFoundError("The scheduler has no job " + displayId + "."));
            else
                answer(std::move(attempts));
        }))
        answer(tooBusy());
}

}  // namespace yard::control
