#include "ui/client/cluster_client.h"

#include <grpcpp/grpcpp.h>

#include <QRandomGenerator>
#include <algorithm>

#include "ui/client/channel.h"
#include "ui/client/grpc_actions.h"
#include "ui/client/past_reader.h"
#include "ui/client/watch_reader.h"

namespace yard::client {
namespace {

constexpr int kTimelineBuckets = 600;
constexpr int kTimelineEveryMs = 15'000;
constexpr int kTimelineFirstMs = 1'000;
// A wheel that turns asks once.
constexpr int kTimelineSoonMs = 80;
constexpr int kPastRetryMs = 1000;
// While it is dragged or played: what maps and tables show first. The rest comes when it rests.
const QVector<model::GpuMetric> kFirstMetrics{model::GpuMetric::SmActivity,
                                              model::GpuMetric::Power};

}  // namespace

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
    connect(&m_retry, &QTimer::timeout, this, [this] {
        if (m_cursor && !m_cursor->isLive())
            showCursor();
        else
            connectNow();
    });
    connect(&m_silence, &QTimer::timeout, this, [this] {
        lose(QStringLiteral("The daemon at %1 has been silent for %2 s.")
                 .arg(m_address)
                 .arg(m_silence.interval() / 1000));
    });
}

ClusterClient::~ClusterClient()
{
    m_reader.reset();
    m_past.reset();
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
    if (m_cursor && !m_cursor->isLive())
        showCursor();
    else
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
    if (m_cursor && !m_cursor->isLive())
        showCursor();
    else if (m_running && !m_reader)
        connectNow();
}

void ClusterClient::follow(model::TimeCursor& cursor)
{
    m_cursor = &cursor;
    m_past = std::make_unique<PastReader>(*m_channel, m_address, m_timing.callMs);
    connect(&cursor, &model::TimeCursor::moved, this, &ClusterClient::showCursor);
    connect(&cursor, &model::TimeCursor::rested, this, &ClusterClient::showCursor);
    connect(&cursor, &model::TimeCursor::spanChanged, this,
            [this] { m_timeline.start(kTimelineSoonMs); });
    connect(m_past.get(), &PastReader::momentRead, this,
            [this](const model::ClusterUpdate& update) {
                if (!m_cursor || m_cursor->isLive() || !m_state.apply(update))
                    return;
                m_state.setConnection(model::Connection::Connected);
            });
    connect(m_past.get(), &PastReader::timelineRead, &cursor, &model::TimeCursor::takeTimeline);
    connect(m_past.get(), &PastReader::failed, this, [this](const QString& sentence) {
        if (!m_cursor || m_cursor->isLive())
            return;
        m_state.setConnection(model::Connection::Disconnected, sentence,
                              QDateTime::currentDateTimeUtc().addMSecs(kPastRetryMs));
        m_retry.start(kPastRetryMs);
    });
    m_timeline.setSingleShot(true);
    connect(&m_timeline, &QTimer::timeout, this, &ClusterClient::askTimeline);
    m_timeline.start(0);
}

void ClusterClient::askTimeline()
{
    if (!m_cursor)
        return;
    const bool all = m_cursor->shownLast() == 0;
    m_past->askTimeline(all ? QDateTime() : m_cursor->from(), all ? QDateTime() : m_cursor->to(),
                        kTimelineBuckets);
    // A history that is about to begin is not to be missed for long.
    m_timeline.start(m_cursor->hasHistory() ? kTimelineEveryMs : kTimelineFirstMs);
}

void ClusterClient::showCursor()
{
    if (!m_running)
        return;
    m_retry.stop();
    if (m_cursor->isLive()) {
        m_past->forgetMoments();
        if (!m_reader)
            connectNow();
        return;
    }
    m_silence.stop();
    m_reader.reset();
    m_past->askMoment(m_cursor->at(),
                      m_cursor->isAtRest() ? QVector<model::GpuMetric>() : kFirstMetrics);
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
