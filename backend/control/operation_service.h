#pragma once

#include <functional>
#include <string>
#include <vector>

#include "backend/base/status.h"
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

/// Every write to the scheduler goes through here: preview, journal, act, observe, undo. After a crash
/// it reconciles each open operation with what the scheduler says, and never acts twice.
///
/// Roles are not checked here: rpc does, for every method.
///
/// Thread: every method from any; answers come on the core loop and must only hand over.
class OperationService {
public:
    template <typename T>
    using Answer = std::function<void(StatusOr<T>)>;

    virtual ~OperationService() = default;

    virtual void preview(domain::Identity by, PreviewRequest request, Answer<Preview> answer) = 0;
    virtual void previewUndo(domain::Identity by, uint64_t operationId, Answer<Preview> answer) = 0;
    /// Answers once the intent is durable in the journal: from then on it is carried out exactly once.
    virtual void execute(domain::Identity by, ExecuteRequest request,
                         Answer<domain::Operation> answer) = 0;
    /// Writes a refused call (no right to it) into the audit chain.
    virtual void recordDenied(domain::Identity by, std::string method, std::string detail) = 0;

    virtual void operations(uint32_t limit, uint64_t beforeId,
                            Answer<std::vector<domain::Operation>> answer) = 0;
    virtual void audit(uint64_t afterSequence, uint32_t limit, Answer<store::AuditPage> answer) = 0;
    /// All attempts of a job, oldest first, the asked one among them.
    virtual void attempts(std::string displayId, Answer<std::vector<JobAttempt>> answer) = 0;
};

}  // namespace yard::control
