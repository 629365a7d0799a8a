#include "ui/client/watch_reader.h"

#include <grpcpp/grpcpp.h>

#include <condition_variable>
#include <mutex>

#include "ui/client/channel.h"
#include "ui/client/convert.h"

namespace yard::client {

/// The side of the stream's thread. A hold keeps it alive between reads, while the GUI has the
/// update.
class WatchReader::Stream final : public grpc::ClientReadReactor<v1::Update> {
public:
    Stream(WatchReader& reader, Channel& channel)
        : m_reader(reader)
    {
        channel.stub().async()->Watch(&m_context, &m_request, this);
        AddHold();
        m_reading = true;
        StartRead(&m_wire);
        StartCall();
    }

    ~Stream() override
    {
        m_context.TryCancel();
        std::unique_lock lock(m_mutex);
        m_stopping = true;
        if (!m_reading)
            dropHold(lock);
        m_over.wait(lock, [this] { return m_done; });
    }

    std::optional<model::ClusterUpdate> take()
    {
        std::optional<model::ClusterUpdate> update;
        {
            const std::lock_guard lock(m_mutex);
            update.swap(m_slot);
            if (!update || m_reading || !m_held)
                return update;
            m_reading = true;
        }
        StartRead(&m_wire);
        return update;
    }

    void OnReadDone(bool ok) override
    {
        // Conversion is the costly part; it stays off the GUI thread.
        std::optional<model::ClusterUpdate> update;
        if (ok)
            update = takeWire();
        std::unique_lock lock(m_mutex);
        m_reading = false;
        if (!ok || m_stopping) {
            dropHold(lock);
            return;
        }
        m_slot = std::move(update);
        // Under the lock: the reader is not destroyed before it has had the lock and seen m_done.
        QMetaObject::invokeMethod(
            &m_reader, [reader = &m_reader] { Q_EMIT reader->ready(); }, Qt::QueuedConnection);
    }

    void OnDone(const grpc::Status& status) override
    {
        const std::lock_guard lock(m_mutex);
        if (!m_stopping) {
            QMetaObject::invokeMethod(
                &m_reader,
                [reader = &m_reader, code = int(status.error_code()),
                 words = QString::fromStdString(status.error_message())] {
                    Q_EMIT reader->ended(code, words);
                },
                Qt::QueuedConnection);
        }
        m_done = true;
        m_over.notify_all();
    }

private:
    model::ClusterUpdate takeWire()
    {
        model::ClusterUpdate update = toUpdate(m_wire, m_pool);
        // A message keeps its parts for the next one. Those of a full update are large and rare.
        if (m_wire.nodes_size() + m_wire.jobs_size() + m_wire.gpu_identities_size() > kManyParts)
            v1::Update().Swap(&m_wire);
        return update;
    }

    void dropHold(std::unique_lock<std::mutex>& lock)
    {
        if (!m_held)
            return;
        m_held = false;
        lock.unlock();
        RemoveHold();
        lock.lock();
    }

    static constexpr int kManyParts = 1000;

    WatchReader& m_reader;
    grpc::ClientContext m_context;
    v1::WatchRequest m_request;
    v1::Update m_wire;
    ValuePool m_pool;

    std::mutex m_mutex;
    std::condition_variable m_over;
    std::optional<model::ClusterUpdate> m_slot;
    bool m_reading = false;
    bool m_held = true;
    bool m_stopping = false;
    bool m_done = false;
};

WatchReader::WatchReader(Channel& channel, QObject* parent)
    : QObject(parent)
    , m_stream(std::make_unique<Stream>(*this, channel))
{
}

WatchReader::~WatchReader() = default;

std::optional<model::ClusterUpdate> WatchReader::take()
{
    return m_stream->take();
}

}  // namespace yard::client
