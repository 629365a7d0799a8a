#include "ui/client/cluster_client.h"

#include <grpcpp/grpcpp.h>

#include <QRandomGenerator>
#include <algorithm>

#include "ui/client/channel.h"
#include "ui/client/grpc_actions.h"
#include "ui/client/watch_reader.h"

namespace yard::client {

ClusterClient::ClusterClient(const QString& address, model::ClusterState& state, QObject* parent,
                             ClientTiming timing)
    : QObject(parent)
    , m_address(address)
    , m_state(state)
    , m_timing(timing)
    , m_channel(std::make_unique<Channel>(address))
    , m_actions(std::make_unique<GrpcActions>(*m_channel, address, timing.callMs))
{
    m_retry.setSingleShot(true);
    m_silence.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &ClusterClient::connectNow);
    connect(&m_silence, &QTimer::timeout, this, [this] {
        lose(QStringLiteral("The daemon at %1 has been silent for %2 s.")
                 .arg(m_address)
                 .arg(m_silence.interval() / 1000));
    });
}

ClusterClient::~ClusterClient()
{
    m_reader.reset();
    m_actions.reset();
}

model::Actions& ClusterClient::actions()
{
    return *m_actions;
}

void ClusterClient::start()
{
    if (m_running)
        return;
    m_running = true;
    m_state.setConnection(model::Connection::Connecting);
    connectNow();
}

void ClusterClient::stop()
{
    m_running = false;
    m_retry.stop();
    m_silence.stop();
    m_reader.reset();
    m_state.setConnection(model::Connection::Disconnected,
                          QStringLiteral("The connection to %1 was closed here.").arg(m_address));
}

void ClusterClient::retryNow()
{
    if (m_running && !m_reader)
        connectNow();
}

void ClusterClient::connectNow()
{
    m_retry.stop();
    m_reader = std::make_unique<WatchReader>(*m_channel);
    WatchReader* const reader = m_reader.get();
    connect(reader, &WatchReader::ready, this, &ClusterClient::take);
    connect(reader, &WatchReader::ended, this, [this](int code, const QString& words) {
        lose(sentenceFor(grpc::Status(grpc::StatusCode(code), words.toStdString()), m_address));
    });
    m_silence.start(m_timing.firstUpdateMs);
}

void ClusterClient::take()
{
    const auto update = m_reader ? m_reader->take() : std::nullopt;
    if (!update)
        return;
    if (!m_state.apply(*update)) {
        // A gap: ask for everything again, once at once, after that with the pause.
        if (m_failures++ == 0)
            QMetaObject::invokeMethod(this, &ClusterClient::connectNow, Qt::QueuedConnection);
        else
            lose(QStringLiteral("The updates of the daemon at %1 do not fit together.")
                     .arg(m_address));
        return;
    }
    m_failures = 0;
    m_silence.start(m_timing.silenceMs);
    m_state.setConnection(model::Connection::Connected);
}

void ClusterClient::lose(const QString& error)
{
    m_silence.stop();
    if (!m_running)
        return;
    // Not here: this may be a signal of the reader itself.
    if (m_reader) {
        WatchReader* const reader = m_reader.release();
        reader->disconnect(this);
        reader->setParent(this);
        reader->deleteLater();
    }
    const int doubled = m_timing.firstRetryMs << std::min(m_failures++, 10);
    const int pause = std::min(doubled, m_timing.lastRetryMs);
    const int jittered = pause - QRandomGenerator::global()->bounded(pause / 4 + 1);
    m_retry.start(jittered);
    m_state.setConnection(model::Connection::Disconnected, error,
                          QDateTime::currentDateTimeUtc().addMSecs(jittered));
}

}  // namespace yard::client
