#include "backend/rpc/watch_service.h"

#include <google/protobuf/arena.h>
#include <grpcpp/server_context.h>

#include <tuple>

#include "backend/rpc/convert_cluster.h"
#include "backend/rpc/convert_operation.h"
#include "backend/rpc/convert_request.h"
#include "backend/rpc/wire_text.h"

namespace yard::rpc {
namespace {

using DeltaPtr = std::shared_ptr<const control::ClusterDelta>;

google::protobuf::ArenaOptions arenaOptions()
{
    google::protobuf::ArenaOptions options;
    options.max_block_size = 1 << 20;
    return options;
}

/// One reader of the stream. gRPC owns it from StartCall to OnDone; deliveries that come later find
/// the weak pointer empty. Every decision is taken on the worker, in order: no lock is held over
/// gRPC.
class Stream final : public grpc::ServerWriteReactor<v1::Update>,
                     public std::enable_shared_from_this<Stream> {
public:
    Stream(control::ChangeHub& hub, TaskLoop& worker, domain::Identity by)
        : m_hub(hub)
        , m_worker(worker)
        , m_by(std::move(by))
    {
    }

    void begin(control::Interest interest)
    {
        m_self = shared_from_this();
        onWorker([interest = std::move(interest)](Stream& stream) { stream.subscribe(interest); });
    }

    void OnWriteDone(bool ok) override
    {
        onWorker([ok](Stream& stream) { stream.afterWrite(ok); });
    }
    void OnCancel() override
    {
        onWorker([](Stream& stream) { stream.end(grpc::Status::CANCELLED); });
    }
    void OnDone() override
    {
        const auto self = std::move(m_self);
        // Whatever is still in the worker's queue holds a reference of its own.
    }

private:
    template <typename Step>
    void onWorker(Step step)
    {
        // The queue has room for several steps of every stream that the limits on connections
        // allow.
        std::ignore = m_worker.post(
            [self = shared_from_this(), step = std::move(step)]() mutable { step(*self); });
    }

    void subscribe(const control::Interest& interest)
    {
        if (m_ended)
            return;
        m_subscription = m_hub.subscribe(interest, [weak = weak_from_this()](DeltaPtr delta) {
            if (const auto self = weak.lock())
                self->onWorker([delta = std::move(delta)](Stream& stream) mutable {
                    stream.write(std::move(delta));
                });
        });
        m_subscribed = true;
        m_hub.next(m_subscription);
    }

    void write(DeltaPtr delta)
    {
        if (m_ended || m_update)
            return;
        m_update = google::protobuf::Arena::CreateMessage<v1::Update>(&m_arena);
        toProto(*delta, m_update);
        if (delta->isFull())
            toProto(m_by, m_update->mutable_you());
        // A full update is large: the values it was made of are not needed while it is sent.
        delta.reset();
        repairStrings(*m_update);
        StartWrite(m_update);
    }

    void afterWrite(bool ok)
    {
        m_update = nullptr;
        m_arena.Reset();
        if (!ok)
            return end(grpc::Status(grpc::StatusCode::UNAVAILABLE, "The reader is gone."));
        if (!m_ended)
            m_hub.next(m_subscription);
    }

    void end(const grpc::Status& status)
    {
        if (m_ended)
            return;
        m_ended = true;
        if (m_subscribed)
            m_hub.unsubscribe(m_subscription);
        Finish(status);
    }

    control::ChangeHub& m_hub;
    TaskLoop& m_worker;
    const domain::Identity m_by;
    std::shared_ptr<Stream> m_self;
    google::protobuf::Arena m_arena = google::protobuf::Arena(arenaOptions());
    v1::Update* m_update = nullptr;  ///< on its way, in the arena
    control::ChangeHub::SubscriptionId m_subscription = 0;
    bool m_subscribed = false;
    bool m_ended = false;
};

/// A stream that was over before it began.
class Refusal final : public grpc::ServerWriteReactor<v1::Update> {
public:
    explicit Refusal(const Status& why) { Finish(toGrpc(why)); }
    void OnDone() override { delete this; }
};

}  // namespace

WatchService::WatchService(control::ChangeHub& hub, Access& access, TaskLoop& worker)
    : m_hub(hub)
    , m_access(access)
    , m_worker(worker)
{
}

grpc::ServerWriteReactor<v1::Update>* WatchService::watch(grpc::CallbackServerContext* context,
                                                          const v1::WatchRequest& request)
{
    const auto by = m_access.admit(context->peer(), "Watch");
    if (!by.ok())
        return new Refusal(by.status());
    auto interest = interestFrom(request);
    if (!interest.ok())
        return new Refusal(interest.status());
    const auto stream = std::make_shared<Stream>(m_hub, m_worker, *by);
    stream->begin(*std::move(interest));
    return stream.get();
}

}  // namespace yard::rpc
