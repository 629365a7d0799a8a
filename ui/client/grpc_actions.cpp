#include "ui/client/grpc_actions.h"

#include <algorithm>

#include "ui/client/channel.h"
#include "ui/client/convert.h"
#include "ui/client/convert_characterization.h"
#include "ui/client/convert_series.h"
#include "ui/client/pending_calls.h"

namespace yard::client {
namespace {

// A look through a million jobs takes seconds, and others may wait before it.
constexpr int kCharacterizeMs = 60'000;

model::ReplyCode codeOf(const grpc::Status& status)
{
    switch (status.error_code()) {
        case grpc::StatusCode::OK:
            return model::ReplyCode::Ok;
        case grpc::StatusCode::DEADLINE_EXCEEDED:
        case grpc::StatusCode::CANCELLED:
            return model::ReplyCode::NoAnswer;
        case grpc::StatusCode::UNAVAILABLE:
            return isDaemonsWord(status) ? model::ReplyCode::Refused : model::ReplyCode::NoAnswer;
        case grpc::StatusCode::ABORTED:
        case grpc::StatusCode::FAILED_PRECONDITION:
        case grpc::StatusCode::NOT_FOUND:
            return model::ReplyCode::Changed;
        case grpc::StatusCode::PERMISSION_DENIED:
        case grpc::StatusCode::UNAUTHENTICATED:
            return model::ReplyCode::Denied;
        default:
            return model::ReplyCode::Refused;
    }
}

template <typename T, typename Wire, typename Convert>
auto answer(std::function<void(model::Reply<T>)> done, const QString& address, Convert convert)
{
    return
        [done = std::move(done), address, convert](const grpc::Status& status, const Wire& wire) {
            model::Reply<T> reply;
            reply.code = codeOf(status);
            if (status.ok())
                reply.value = convert(wire);
            else
                reply.error = sentenceFor(status, address);
            done(std::move(reply));
        };
}

}  // namespace

GrpcActions::GrpcActions(Channel& channel, const QString& address, int deadlineMs)
    : m_channel(channel)
    , m_address(address)
    , m_deadlineMs(deadlineMs)
    , m_pending(std::make_unique<PendingCalls>())
{
}

GrpcActions::~GrpcActions() = default;

void GrpcActions::preview(const model::ActionRequest& request, Callback<model::PreviewInfo> done)
{
    m_pending->start<v1::PreviewRequest, v1::PreviewReply>(
        toWire(request), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->Preview(std::move(call)...); },
        answer<model::PreviewInfo, v1::PreviewReply>(std::move(done), m_address, toPreview));
}

void GrpcActions::previewUndo(quint64 operationId, Callback<model::PreviewInfo> done)
{
    v1::PreviewUndoRequest wire;
    wire.set_operation_id(operationId);
    m_pending->start<v1::PreviewUndoRequest, v1::PreviewReply>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->PreviewUndo(std::move(call)...); },
        answer<model::PreviewInfo, v1::PreviewReply>(std::move(done), m_address, toPreview));
}

void GrpcActions::execute(const QString& token, const QString& requestId, const QString& reason,
                          int typedCount, Callback<model::OperationInfo> done)
{
    v1::ExecuteRequest wire;
    wire.set_token(token.toStdString());
    wire.set_request_id(requestId.toStdString());
    wire.set_reason(reason.toStdString());
    wire.set_typed_count(uint32_t(typedCount));
    m_pending->start<v1::ExecuteRequest, v1::Operation>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->Execute(std::move(call)...); },
        answer<model::OperationInfo, v1::Operation>(std::move(done), m_address, toOperation));
}

void GrpcActions::audit(quint64 afterSequence, int limit, Callback<model::AuditPage> done)
{
    v1::ListAuditRequest wire;
    wire.set_after_sequence(afterSequence);
    wire.set_limit(uint32_t(limit));
    m_pending->start<v1::ListAuditRequest, v1::ListAuditReply>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->ListAudit(std::move(call)...); },
        answer<model::AuditPage, v1::ListAuditReply>(std::move(done), m_address, toAuditPage));
}

void GrpcActions::attempts(const QString& displayId, Callback<QVector<model::JobAttemptInfo>> done)
{
    v1::GetJobRequest wire;
    wire.set_display_id(displayId.toStdString());
    m_pending->start<v1::GetJobRequest, v1::JobDetail>(
        std::move(wire), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->GetJob(std::move(call)...); },
        answer<QVector<model::JobAttemptInfo>, v1::JobDetail>(std::move(done), m_address,
                                                              toAttempts));
}

void GrpcActions::series(const model::SeriesRequest& request, Callback<model::SeriesInfo> done)
{
    m_pending->start<v1::SeriesRequest, v1::SeriesReply>(
        toWire(request), m_deadlineMs,
        [this](auto... call) { m_channel.stub().async()->GetSeries(std::move(call)...); },
        answer<model::SeriesInfo, v1::SeriesReply>(std::move(done), m_address, toSeries));
}

void GrpcActions::characterize(const model::CharacterizeRequest& request,
                               Callback<model::Characterization> done)
{
    m_pending->start<v1::CharacterizeRequest, v1::CharacterizeReply>(
        toWire(request), std::max(m_deadlineMs, kCharacterizeMs),
        [this](auto... call) { m_channel.stub().async()->Characterize(std::move(call)...); },
        answer<model::Characterization, v1::CharacterizeReply>(std::move(done), m_address,
                                                               toCharacterization));
}

}  // namespace yard::client
