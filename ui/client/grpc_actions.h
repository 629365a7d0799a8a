#pragma once

#include <QString>
#include <memory>

#include "ui/model/actions.h"
#include "ui/model/cluster_state.h"

namespace yard::client {

class Channel;
class PendingCalls;

/// The Actions port over the wire. Each call has a deadline; an answer that did not come in time is
/// reported as such, since the daemon may have acted.
///
/// Thread: GUI thread only. The destructor cancels open calls and waits for their end.
class GrpcActions final : public model::Actions {
public:
    /// `channel` must outlive this.
    GrpcActions(Channel& channel, const QString& address, int deadlineMs);
    ~GrpcActions() override;

    void preview(const model::ActionRequest& request, Callback<model::PreviewInfo> done) override;
    void previewUndo(quint64 operationId, Callback<model::PreviewInfo> done) override;
    void execute(const QString& token, const QString& requestId, const QString& reason,
                 int typedCount, Callback<model::OperationInfo> done) override;
    void audit(quint64 afterSequence, int limit, Callback<model::AuditPage> done) override;
    void attempts(const QString& displayId, Callback<QVector<model::JobAttemptInfo>> done) override;
    void series(const model::SeriesRequest& request, Callback<model::SeriesInfo> done) override;
    void characterize(const model::CharacterizeRequest& request,
                      Callback<model::Characterization> done) override;

private:
    Channel& m_channel;
    QString m_address;
    int m_deadlineMs;
    std::unique_ptr<PendingCalls> m_pending;
};

}  // namespace yard::client
