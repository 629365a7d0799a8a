#include "ui/model/past_guard.h"

#include "ui/model/cluster_state.h"

namespace yard::model {
namespace {

template <typename T>
void refuse(const Actions::Callback<T>& done)
{
    Reply<T> reply;
    reply.code = ReplyCode::Refused;
    reply.error = refusalInThePast();
    done(std::move(reply));
}

}  // namespace

QString refusalInThePast()
{
    return QStringLiteral("The past cannot be changed. Go to Live first.");
}

void PastGuard::preview(const ActionRequest& request, Callback<PreviewInfo> done)
{
    if (m_state.isPast())
        return refuse<PreviewInfo>(done);
    m_actions.preview(request, std::move(done));
}

void PastGuard::previewUndo(quint64 operationId, Callback<PreviewInfo> done)
{
    if (m_state.isPast())
        return refuse<PreviewInfo>(done);
    m_actions.previewUndo(operationId, std::move(done));
}

void PastGuard::execute(const QString& token, const QString& requestId, const QString& reason,
                        int typedCount, Callback<OperationInfo> done)
{
    if (m_state.isPast())
        return refuse<OperationInfo>(done);
    m_actions.execute(token, requestId, reason, typedCount, std::move(done));
}

void PastGuard::audit(quint64 afterSequence, int limit, Callback<AuditPage> done)
{
    m_actions.audit(afterSequence, limit, std::move(done));
}

void PastGuard::attempts(const QString& displayId, Callback<QVector<JobAttemptInfo>> done)
{
    m_actions.attempts(displayId, std::move(done));
}

void PastGuard::series(const SeriesRequest& request, Callback<SeriesInfo> done)
{
    m_actions.series(request, std::move(done));
}

void PastGuard::characterize(const CharacterizeRequest& request, Callback<Characterization> done)
{
    m_actions.characterize(request, std::move(done));
}

}  // namespace yard::model
