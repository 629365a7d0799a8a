#pragma once

#include <functional>
#include <memory>

#include "backend/base/status.h"
#include "backend/base/task_loop.h"
#include "backend/domain/operation.h"

namespace yard::domain {
struct IncidentChange;
}

namespace yard::control {

class IncidentDesk;
struct IncidentLook;
struct IncidentPage;
struct IncidentQuery;

/// Incidents for those who read them and see to them.
///
/// Roles are not checked here: rpc does, for every method.
///
/// Thread: every method from any; answers come on the core loop and must only hand over.
class IncidentService {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    /// `core` owns the state behind it; Desk builds it.
    IncidentService(TaskLoop& core, std::unique_ptr<IncidentDesk> state);
    ~IncidentService();

    void list(IncidentQuery query, Answer<IncidentPage> answer);
    void get(uint64_t id, Answer<IncidentLook> answer);
    /// Answers once it is durable in the journal.
    void change(domain::Identity by, domain::IncidentChange change, Answer<IncidentLook> answer);

    /// Core loop only.
    IncidentDesk& state() { return *m_state; }

private:
    TaskLoop& m_core;
    std::unique_ptr<IncidentDesk> m_state;
};

}  // namespace yard::control
