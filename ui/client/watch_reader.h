#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "ui/model/cluster_state.h"

namespace yard::client {

class Channel;

/// Reads one stream of updates, in order, one at a time: the next read starts when the GUI has
/// taken the last update. A slow GUI so slows the stream, and the daemon merges; nothing is dropped
/// here.
///
/// Thread: GUI thread; the stream's own thread converts and hands over. The destructor cancels the
/// stream and waits for its end.
class WatchReader final : public QObject {
    Q_OBJECT

public:
    explicit WatchReader(Channel& channel, QObject* parent = nullptr);
    ~WatchReader() override;

    /// The update that ready() spoke of; reading goes on after it.
    std::optional<model::ClusterUpdate> take();

Q_SIGNALS:
    void ready();
    /// The stream is over, with gRPC's code and words. Emitted at most once, and never after
    /// ready() went unanswered.
    void ended(int code, const QString& words);

private:
    class Stream;
    std::unique_ptr<Stream> m_stream;
};

}  // namespace yard::client
