#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backend/control/operation_runner.h"
#include "backend/control/operation_service.h"
#include "backend/control/preview_builder.h"

namespace yard::control {

/// The state behind OperationService: previews and their tokens, and the checks before an intent.
///
/// Thread: core loop.
class OperationDesk {
public:
    using Answer = OperationRunner::Answer;

    /// `lastOperationId`: not OK if the journal cannot be read; nothing is executed then.
    OperationDesk(OperationRunner::Context context, OperationRunner::Options options,
                  std::chrono::seconds previewLifetime, StatusOr<uint64_t> lastOperationId);

    StatusOr<Preview> preview(const domain::Identity& by, PreviewRequest request);
    StatusOr<Preview> previewUndo(const domain::Identity& by, uint64_t operationId);
    void execute(const domain::Identity& by, const ExecuteRequest& request, Answer answer);
    void recordDenied(const domain::Identity& by, std::string method, std::string detail);
    std::vector<JobAttempt> attempts(const std::string& displayId) const;

    OperationRunner& runner() { return m_runner; }
    const OperationRunner::Context& context() const { return m_context; }

private:
    struct Offer {
        Preview preview;
        domain::Identity by;
        std::vector<TargetState> states;
    };

    StatusOr<Preview> offer(const domain::Identity& by, PreviewRequest request,
                            std::optional<uint64_t> undoes);
    Status check(const domain::Identity& by, const ExecuteRequest& request,
                 domain::Action& action) const;
    std::string whyNoUndo(const store::OperationRecord& record) const;
    StatusOr<PreviewRequest> reverseOf(const store::OperationRecord& record) const;
    void forgetExpired();

    OperationRunner::Context m_context;
    const std::chrono::seconds m_previewLifetime;
    const Status m_journalReadable;
    uint64_t m_lastId;
    PreviewBuilder m_builder;
    OperationRunner m_runner;
    std::map<std::string, Offer> m_offers;  ///< by token
    std::deque<std::string> m_offerOrder;
};

}  // namespace yard::control
