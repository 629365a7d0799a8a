#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QVector>
#include <functional>

namespace yard::model {

/// How far history reaches, and what happened when, in equal stretches from `from` to `to`.
struct TimelineInfo {
    QDateTime first;  ///< invalid: nothing was ever kept
    QDateTime from;
    QDateTime to;
    QVector<QPair<QDateTime, QDateTime>> known;  ///< somebody looked at the scheduler then
    QVector<int> faults;
    QVector<int> failedJobs;
    QVector<int> operations;
    QDateTime now;  ///< the daemon's clock
};

/// The one moment that every page shows: now, or a moment of the past; and the stretch of time that
/// the strip shows. It asks for nothing itself: whoever can answer listens.
///
/// Thread: GUI thread only.
class TimeCursor final : public QObject {
    Q_OBJECT

public:
    /// Milliseconds of a clock that never jumps; tests bring their own.
    using SteadyClock = std::function<qint64()>;
    explicit TimeCursor(QObject* parent = nullptr, SteadyClock clock = {});

    bool isLive() const { return m_live; }
    /// The moment shown; while live, now.
    QDateTime at() const { return m_live ? now() : m_at; }
    /// The daemon's clock, carried on.
    QDateTime now() const;
    /// Whether the moment is held, rather than dragged or played over.
    bool isAtRest() const { return !m_dragging && m_speed == 0; }

    /// Clamped to what there is; at now or later it is live.
    void moveTo(const QDateTime& at);
    void moveBy(qint64 milliseconds);
    void goLive();
    void setDragging(bool dragging);

    /// Times as fast as it happened; 0 pauses. From Live it plays the visible stretch from its
    /// begin.
    void play(int speed);
    int speed() const { return m_speed; }
    static const QVector<int>& speeds();  ///< 1 to 1000

    // -- the stretch that the strip shows --
    QDateTime from() const;
    QDateTime to() const;
    /// The last so many seconds, sliding on; 0: all there is.
    void showLast(qint64 seconds);
    qint64 shownLast() const { return m_last; }  ///< -1: a stretch of the user's own
    /// Below 1 zooms in; `around` stays where it is.
    void zoom(double factor, const QDateTime& around);
    void scrollBy(qint64 milliseconds);

    const TimelineInfo& timeline() const { return m_timeline; }
    bool hasHistory() const { return m_timeline.first.isValid(); }
    void takeTimeline(const TimelineInfo& timeline);

Q_SIGNALS:
    void moved();   ///< at() or isLive()
    void rested();  ///< it was dragged or played, and is held now
    void playChanged();
    void spanChanged();
    void timelineChanged();

private:
    void advance();
    void setSpan(QDateTime from, QDateTime to);
    QDateTime first() const;

    SteadyClock m_clock;
    TimelineInfo m_timeline;
    qint64 m_timelineElapsed = 0;
    bool m_live = true;
    bool m_dragging = false;
    QDateTime m_at;
    int m_speed = 0;
    QTimer m_player;
    qint64 m_playedElapsed = 0;
    qint64 m_last = 0;
    QDateTime m_from;
    QDateTime m_to;
};

}  // namespace yard::model
