#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <memory>

#include "ui/model/actions.h"
#include "ui/model/cluster_state.h"
#include "ui/model/time_cursor.h"

namespace yard::client {

class Channel;
class GrpcActions;
class PastReader;
class WatchReader;

/// How long to wait, and for what. Tests shorten them.
struct ClientTiming {
    int firstRetryMs = 1000;
    int lastRetryMs = 10'000;
    int firstUpdateMs = 15'000;  ///< from the call to the first update
    int silenceMs = 30'000;      ///< after that, the stream is asked anew
    int callMs = 10'000;         ///< deadline of one call
};

/// Keeps a ClusterState in step with one daemon: connects, applies the stream of updates, asks anew
/// after a gap, and reconnects by itself, for ever, with a growing and jittered pause.
///
/// Thread: GUI thread only. The destructor cancels what is running and waits for it.
class ClusterClient final : public QObject {
    Q_OBJECT

public:
    /// `address` as gRPC takes it: "unix:/run/yardmaster/yard.sock". `state` must outlive the
    /// client.
    ClusterClient(const QString& address, model::ClusterState& state, QObject* parent = nullptr,
                  ClientTiming timing = {});
    ~ClusterClient() override;

    QString address() const { return m_address; }
    /// Valid as long as the client.
    model::Actions& actions();

    void start();
    void stop();
    /// While the cursor is in the past, its moments are shown instead of the stream.
    void follow(model::TimeCursor& cursor);
    /// The next attempt at once instead of after the pause.
    void retryNow();

private:
    void connectNow();
    void showCursor();
    void askTimeline();
    void take();
    void restart();
    void lose(const QString& error);

    QString m_address;
    model::ClusterState& m_state;
    ClientTiming m_timing;
    std::unique_ptr<Channel> m_channel;
    std::unique_ptr<GrpcActions> m_actions;
    std::unique_ptr<WatchReader> m_reader;
    std::unique_ptr<PastReader> m_past;
    QPointer<model::TimeCursor> m_cursor;
    QTimer m_timeline;
    QTimer m_retry;
    QTimer m_silence;
    int m_failures = 0;
    bool m_running = false;
};

}  // namespace yard::client
