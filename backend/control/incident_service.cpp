#include "backend/control/incident_service.h"

#include "backend/control/incident_desk.h"

namespace yard::control {
namespace {

Status tooBusy()
{
    return absl::ResourceExhaustedError("The daemon is too busy: nothing was done. Try again.");
}

}  // namespace

IncidentService::IncidentService(TaskLoop& core, std::unique_ptr<IncidentDesk> state)
    : m_core(core)
    , m_state(std::move(state))
{
}

IncidentService::~IncidentService() = default;

void IncidentService::list(IncidentQuery query, Answer<IncidentPage> answer)
{
    if (!m_core.post([this, query = std::move(query), answer] { m_state->list(query, answer); }))
        answer(tooBusy());
}

void IncidentService::get(uint64_t id, Answer<IncidentLook> answer)
{
    if (!m_core.post([this, id, answer] { m_state->get(id, answer); }))
        answer(tooBusy());
}

void IncidentService::change(domain::Identity by, domain::IncidentChange change,
                             Answer<IncidentLook> answer)
{
    if (!m_core.post([this, by = std::move(by), change = std::move(change), answer] {
            m_state->change(by, change, answer);
        }))
        answer(tooBusy());
}

}  // namespace yard::control
