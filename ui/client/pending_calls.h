#pragma once

#include <grpcpp/grpcpp.h>

#include <QObject>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace yard::client {

/// Unary calls under way. Answers are posted to the GUI thread; after the destructor none arrives.
class PendingCalls final : public QObject {
public:
    ~PendingCalls() override
    {
        std::unique_lock lock(m_mutex);
        for (grpc::ClientContext* context : m_open)
            context->TryCancel();
        m_empty.wait(lock, [this] { return m_open.empty(); });
    }

    /// `begin(context, request, reply, finished)` starts the call; `done` runs on the GUI thread.
    template <typename WireRequest, typename WireReply, typename Begin, typename Done>
    void start(WireRequest request, int deadlineMs, Begin begin, Done done)
    {
        struct Call {
            grpc::ClientContext context;
            WireRequest request;
            WireReply reply;
        };
        auto call = std::make_shared<Call>();
        call->request = std::move(request);
        call->context.set_deadline(std::chrono::system_clock::now() +
                                   std::chrono::milliseconds(deadlineMs));
        {
            const std::lock_guard lock(m_mutex);
            m_open.insert(&call->context);
        }
        begin(&call->context, &call->request, &call->reply,
              [this, call, done = std::move(done)](const grpc::Status& status) mutable {
                  const std::lock_guard lock(m_mutex);
                  QMetaObject::invokeMethod(
                      this, [call, status, done = std::move(done)] { done(status, call->reply); },
                      Qt::QueuedConnection);
                  m_open.erase(&call->context);
                  m_empty.notify_all();
              });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_empty;
    std::set<grpc::ClientContext*> m_open;
};

}  // namespace yard::client
