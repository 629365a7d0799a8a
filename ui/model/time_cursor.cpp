#include "ui/model/time_cursor.h"

#include <algorithm>

namespace yard::model {
namespace {

constexpr qint64 kShortestSpanMs = 60'000;
constexpr int kPlayEveryMs = 100;

TimeCursor::SteadyClock realClock()
{
    QElapsedTimer timer;
    timer.start();
    return [timer] { return timer.elapsed(); };
}

}  // namespace

TimeCursor::TimeCursor(QObject* parent, SteadyClock clock)
    : QObject(parent)
    , m_clock(clock ? std::move(clock) : realClock())
{
    m_player.setInterval(kPlayEveryMs);
    connect(&m_player, &QTimer::timeout, this, &TimeCursor::advance);
}

QDateTime TimeCursor::now() const
{
    return m_timeline.now.isValid() ? m_timeline.now.addMSecs(m_clock() - m_timelineElapsed)
                                    : QDateTime::currentDateTimeUtc();
}

QDateTime TimeCursor::first() const
{
    const QDateTime last = now();
    // So that a history of a few seconds is no point.
    return hasHistory() ? std::min(m_timeline.first, last.addMSecs(-kShortestSpanMs))
                        : last.addMSecs(-kShortestSpanMs);
}

void TimeCursor::moveTo(const QDateTime& at)
{
    if (!at.isValid())
        return;
    if (at >= now())
        return goLive();
    const QDateTime place = hasHistory() ? std::max(at, m_timeline.first) : at;
    if (!m_live && m_at == place)
        return;
    m_live = false;
    m_at = place;
    Q_EMIT moved();
}

void TimeCursor::moveBy(qint64 milliseconds)
{
    moveTo(at().addMSecs(milliseconds));
}

void TimeCursor::goLive()
{
    play(0);
    if (m_live)
        return;
    m_live = true;
    m_dragging = false;
    Q_EMIT moved();
}

void TimeCursor::setDragging(bool dragging)
{
    if (m_dragging == dragging)
        return;
    m_dragging = dragging;
    if (isAtRest())
        Q_EMIT rested();
}

const QVector<int>& TimeCursor::speeds()
{
    static const QVector<int> all{1, 10, 60, 100, 300, 1000};
    return all;
}

void TimeCursor::play(int speed)
{
    if (m_speed == speed)
        return;
    m_speed = speed;
    m_playedElapsed = m_clock();
    if (speed == 0) {
        m_player.stop();
    } else {
        if (m_live)
            moveTo(from());
        m_player.start();
    }
    Q_EMIT playChanged();
    if (isAtRest())
        Q_EMIT rested();
}

void TimeCursor::advance()
{
    const qint64 elapsed = m_clock() - m_playedElapsed;
    m_playedElapsed += elapsed;
    if (!m_dragging)
        moveBy(elapsed * m_speed);
}

QDateTime TimeCursor::to() const
{
    return m_last >= 0 ? now() : m_to;
}

QDateTime TimeCursor::from() const
{
    if (m_last < 0)
        return m_from;
    return m_last == 0 ? first() : now().addSecs(-m_last);
}

void TimeCursor::showLast(qint64 seconds)
{
    m_last = seconds;
    Q_EMIT spanChanged();
}

void TimeCursor::zoom(double factor, const QDateTime& around)
{
    const qint64 before = from().msecsTo(to());
    const qint64 whole = first().msecsTo(now());
    const qint64 after = std::clamp(qint64(double(before) * factor), kShortestSpanMs,
                                    std::max(whole, kShortestSpanMs));
    if (after == whole)
        return showLast(0);
    const double place = double(from().msecsTo(around)) / double(std::max<qint64>(before, 1));
    const QDateTime start = around.addMSecs(-qint64(place * double(after)));
    setSpan(start, start.addMSecs(after));
}

void TimeCursor::scrollBy(qint64 milliseconds)
{
    setSpan(from().addMSecs(milliseconds), to().addMSecs(milliseconds));
}

void TimeCursor::setSpan(QDateTime from, QDateTime to)
{
    const qint64 length = from.msecsTo(to);
    if (to > now()) {
        to = now();
        from = to.addMSecs(-length);
    }
    if (from < first()) {
        from = first();
        to = std::min(from.addMSecs(length), now());
    }
    m_last = -1;
    m_from = from;
    m_to = to;
    Q_EMIT spanChanged();
}

void TimeCursor::takeTimeline(const TimelineInfo& timeline)
{
    m_timeline = timeline;
    m_timelineElapsed = m_clock();
    Q_EMIT timelineChanged();
}

}  // namespace yard::model
