#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/base/status.h"
#include "backend/base/task_loop.h"
#include "backend/control/cluster_delta.h"
#include "backend/control/preview.h"
#include "backend/domain/operation.h"
#include "backend/store/audit.h"

namespace yard::control {

/// Hostlists of the request are still expressions; the service expands them against known nodes.
struct PreviewRequest {
    domain::Action action;
    std::string nodesExpression;
    std::string excludedExpression;
};

struct ExecuteRequest {
    std::string token;
    std::string requestId;
    std::string reason;
    uint32_t typedCount = 0;
};

struct JobAttempt {
    TrackedJob job;
    std::optional<uint64_t> operationId;  ///< the restart of ours that made it
};

class OperationDesk;

/// Every write to the scheduler goes through here: preview, journal, act, observe, undo. After a
/// crash it reconciles each open operation with what the scheduler says, and never acts twice.
///
/// Roles are not checked here: rpc does, for every method.
///
/// Thread: every method from any; answers come on the core loop and must only hand over.
class OperationService {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    /// `core` owns the state behind it; Desk builds it.
    OperationService(TaskLoop& core, std::unique_ptr<OperationDesk> state);
    ~OperationService();

    void preview(domain::Identity by, PreviewRequest request, Answer<Preview> answer);
    void previewUndo(domain::Identity by, uint64_t operationId, Answer<Preview> answer);
    /// Answers once the intent is durable in the journal: from then on it is carried out exactly
    /// once.
    void execute(domain::Identity by, ExecuteRequest request, Answer<domain::Operation> answer);
    /// Writes a refused call (no right to it) into the audit chain.
    void recordDenied(domain::Identity by, std::string method, std::string detail);

    void operations(uint32_t limit, uint64_t beforeId,
                    Answer<std::vector<domain::Operation>> answer);
    void audit(uint64_t afterSequence, uint32_t limit, Answer<store::AuditPage> answer);
    /// All attempts of a job, oldest first, the asked one among them.
    void attempts(std::string displayId, Answer<std::vector<JobAttempt>> answer);

    /// Core loop only.
    OperationDesk& state() { return *m_state; }

private:
    TaskLoop& m_core;
    std::unique_ptr<OperationDesk> m_state;
};

}  // namespace yard::control
