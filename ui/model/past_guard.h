#pragma once

#include "ui/model/actions.h"

namespace yard::model {

class ClusterState;

/// Lets no intent through while the desk shows the past: what is to be acted on may be another by
/// now. Questions pass.
///
/// Thread: GUI thread only.
class PastGuard final : public Actions {
public:
    /// Both must outlive this.
    PastGuard(const ClusterState& state, Actions& actions)
        : m_state(state)
        , m_actions(actions)
    {
    }

    void preview(const ActionRequest& request, Callback<PreviewInfo> done) override;
    void previewUndo(quint64 operationId, Callback<PreviewInfo> done) override;
    void execute(const QString& token, const QString& requestId, const QString& reason,
                 int typedCount, Callback<OperationInfo> done) override;
    void audit(quint64 afterSequence, int limit, Callback<AuditPage> done) override;
    void attempts(const QString& displayId, Callback<QVector<JobAttemptInfo>> done) override;
    void series(const SeriesRequest& request, Callback<SeriesInfo> done) override;
    void characterize(const CharacterizeRequest& request, Callback<Characterization> done) override;

private:
    const ClusterState& m_state;
    Actions& m_actions;
};

/// Why nothing can be done in the past.
QString refusalInThePast();

}  // namespace yard::model
