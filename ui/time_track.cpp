#include "ui/time_track.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/model/time_cursor.h"
#include "ui/theme/theme.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/hatch.h"

namespace yard::ui {
namespace {

using theme::Color;
using theme::Type;

constexpr double kFoldBelow = 6;
constexpr double kHandle = 9;
constexpr int kTopRoom = 10;
constexpr int kBottomRoom = 18;
constexpr int kLeastWidth = 200;
constexpr int kMostTicks = 12;
constexpr double kZoomStep = 1.25;

// The round distance between labels that leaves room for their words.
qint64 tickSeconds(qint64 spanSeconds, int most)
{
    static constexpr qint64 kRound[] = {10,        30,        60,         300,        600,
                                        1800,      3600,      3 * 3600,   6 * 3600,   12 * 3600,
                                        24 * 3600, 7 * 86400, 30 * 86400, 90 * 86400, 365 * 86400};
    for (const qint64 round : kRound)
        if (spanSeconds / round <= most)
            return round;
    return spanSeconds / std::max(most, 1) + 1;
}

void paintCount(QPainter& painter, double x, double y, int count, const QColor& color)
{
    if (count < 2)
        return;
    painter.setFont(theme::font(Type::MonoSmall));
    painter.setPen(color);
    painter.drawText(QRectF(x + 5, y - 8, 40, 16), Qt::AlignVCenter | Qt::TextSingleLine,
                     count > 999 ? QStringLiteral("999+") : QString::number(count));
}

}  // namespace

TimeTrack::TimeTrack(const model::ClusterState& state, model::TimeCursor& cursor, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
    , m_cursor(cursor)
{
    setObjectName(QStringLiteral("timeTrack"));
    setAccessibleName(QStringLiteral("Time"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    for (const auto signal : {&model::TimeCursor::moved, &model::TimeCursor::spanChanged,
                              &model::TimeCursor::timelineChanged})
        connect(&cursor, signal, this, qOverload<>(&QWidget::update));
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
    auto* tick = new QTimer(this);
    connect(tick, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    tick->start(1000);
}

QSize TimeTrack::minimumSizeHint() const
{
    return {kLeastWidth, kTopRoom + kBottomRoom + 16};
}

QRectF TimeTrack::line() const
{
    return QRectF(rect()).adjusted(kHandle / 2 + 1, kTopRoom, -kHandle / 2 - 1, -kBottomRoom);
}

double TimeTrack::xOf(const QDateTime& at) const
{
    const double span = std::max<double>(1, double(m_cursor.from().msecsTo(m_cursor.to())));
    return line().left() + line().width() * double(m_cursor.from().msecsTo(at)) / span;
}

QDateTime TimeTrack::timeAt(double x) const
{
    const double share = (x - line().left()) / std::max(1.0, line().width());
    const auto span = double(m_cursor.from().msecsTo(m_cursor.to()));
    return m_cursor.from().addMSecs(qint64(span * share));
}

// Those nearer than six pixels become one.
QVector<TimeTrack::Mark> TimeTrack::marks(const QVector<int>& counts) const
{
    const model::TimelineInfo& timeline = m_cursor.timeline();
    const auto length = double(timeline.from.msecsTo(timeline.to));
    QVector<Mark> marks;
    for (int i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0)
            continue;
        const QDateTime at =
            timeline.from.addMSecs(qint64(length * (i + 0.5) / double(counts.size())));
        const double x = xOf(at);
        if (x < line().left() - 1 || x > line().right() + 1)
            continue;
        if (!marks.isEmpty() && x - marks.constLast().x < kFoldBelow)
            marks.last().count += counts[i];
        else
            marks.append({x, counts[i]});
    }
    return marks;
}

void TimeTrack::paintKnown(QPainter& painter) const
{
    const QRectF all = line();
    widgets::paintMissing(painter, all.toAlignedRect());
    for (const auto& [from, to] : m_cursor.timeline().known) {
        // The newest goes on until the next answer.
        const bool isNewest = to >= m_cursor.timeline().known.constLast().second;
        const QDateTime end =
            isNewest && to.secsTo(m_cursor.timeline().now) < 60 ? m_cursor.now() : to;
        const double left = std::max(all.left(), xOf(from));
        const double right = std::min(all.right(), xOf(end));
        if (right > left)
            painter.fillRect(QRectF(left, all.top(), std::max(1.0, right - left), all.height()),
                             theme::color(Color::BgInset));
    }
    painter.setPen(theme::color(Color::LineSubtle));
    painter.drawRect(all.toAlignedRect().adjusted(0, 0, -1, -1));
}

void TimeTrack::paintTicks(QPainter& painter) const
{
    const qint64 span = std::max<qint64>(1, m_cursor.from().secsTo(m_cursor.to()));
    const int room = std::clamp(int(line().width() / 90), 1, kMostTicks);
    const qint64 every = tickSeconds(span, room);
    const QTimeZone zone = m_state.timeZone();
    const QDateTime begin = m_cursor.from().toTimeZone(zone);
    const qint64 offset = zone.offsetFromUtc(begin);
    qint64 seconds = (begin.toSecsSinceEpoch() + offset) / every * every - offset;
    painter.setFont(theme::font(Type::MonoSmall));
    for (; seconds <= m_cursor.to().toSecsSinceEpoch(); seconds += every) {
        const QDateTime at = QDateTime::fromSecsSinceEpoch(seconds, zone);
        const double x = std::round(xOf(at));
        if (x < line().left() || x > line().right() - 20)
            continue;
        painter.fillRect(QRectF(x, line().bottom(), 1, 3), theme::color(Color::LineStrong));
        painter.setPen(theme::color(Color::TextMuted));
        const bool isMidnight = at.time().msecsSinceStartOfDay() == 0;
        const QString words = every >= 86400 || isMidnight ? at.toString(QStringLiteral("MM-dd"))
                              : every >= 60                ? at.toString(QStringLiteral("HH:mm"))
                                            : at.toString(QStringLiteral("HH:mm:ss"));
        // A time that is cut off reads as another.
        if (x + 3 + painter.fontMetrics().horizontalAdvance(words) > width())
            continue;
        painter.drawText(QRectF(x + 3, line().bottom() + 1, 80, kBottomRoom - 2),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
    }
}

void TimeTrack::paintFailedJobs(QPainter& painter) const
{
    const QVector<Mark> all = marks(m_cursor.timeline().failedJobs);
    int most = 1;
    for (const Mark& mark : all)
        most = std::max(most, mark.count);
    for (const Mark& mark : all) {
        const double height = 3 + (line().height() - 6) * std::sqrt(double(mark.count) / most) / 2;
        painter.fillRect(QRectF(std::round(mark.x) - 1, line().bottom() - height, 2, height),
                         theme::color(Color::TextMuted));
    }
}

void TimeTrack::paintOperations(QPainter& painter) const
{
    for (const Mark& mark : marks(m_cursor.timeline().operations)) {
        const double y = line().center().y() + 4;
        painter.setPen(QPen(theme::color(Color::Accent), 1, Qt::DotLine));
        painter.drawLine(QPointF(mark.x, line().top()), QPointF(mark.x, line().bottom()));
        QPainterPath diamond(QPointF(mark.x, y - 4));
        diamond.lineTo(mark.x + 4, y);
        diamond.lineTo(mark.x, y + 4);
        diamond.lineTo(mark.x - 4, y);
        diamond.closeSubpath();
        painter.fillPath(diamond, theme::color(Color::Accent));
        paintCount(painter, mark.x, y, mark.count, theme::color(Color::AccentText));
    }
}

void TimeTrack::paintFaults(QPainter& painter) const
{
    for (const Mark& mark : marks(m_cursor.timeline().faults)) {
        painter.setPen(QPen(theme::color(Color::Fault), 1));
        painter.drawLine(QPointF(mark.x, line().top()), QPointF(mark.x, line().bottom()));
        QPainterPath triangle(QPointF(mark.x, line().top() + 1));
        triangle.lineTo(mark.x + 4, line().top() + 8);
        triangle.lineTo(mark.x - 4, line().top() + 8);
        triangle.closeSubpath();
        painter.fillPath(triangle, theme::color(Color::Fault));
        paintCount(painter, mark.x, line().top() + 6, mark.count, theme::color(Color::FaultText));
    }
}

void TimeTrack::paintCursor(QPainter& painter) const
{
    const double x = xOf(m_cursor.at());
    if (x < line().left() - 1 || x > line().right() + 1)
        return;
    painter.setPen(QPen(theme::color(Color::Accent), 1.5));
    painter.drawLine(QPointF(x, 2), QPointF(x, line().bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(Color::Accent));
    painter.drawEllipse(QPointF(x, 2 + kHandle / 2), kHandle / 2, kHandle / 2);
}

void TimeTrack::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_cursor.hasHistory()) {
        painter.setFont(theme::font(Type::Label));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(rect(), Qt::AlignCenter,
                         QStringLiteral("No history yet. It begins with the daemon's first look at "
                                        "the scheduler."));
        return;
    }
    paintKnown(painter);
    paintTicks(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFailedJobs(painter);
    paintOperations(painter);
    paintFaults(painter);
    paintCursor(painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme::color(Color::Accent), 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void TimeTrack::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_cursor.hasHistory())
        return;
    m_cursor.setDragging(true);
    m_cursor.moveTo(timeAt(event->position().x()));
}

void TimeTrack::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        m_cursor.moveTo(timeAt(event->position().x()));
}

void TimeTrack::mouseReleaseEvent(QMouseEvent*)
{
    m_cursor.setDragging(false);
}

void TimeTrack::mouseDoubleClickEvent(QMouseEvent*)
{
    m_cursor.goLive();
}

void TimeTrack::wheelEvent(QWheelEvent* event)
{
    const QPoint turned = event->angleDelta();
    const int along = turned.x() != 0 ? turned.x() : turned.y();
    if (turned.x() != 0 || event->modifiers() & Qt::ShiftModifier)
        m_cursor.scrollBy(-m_cursor.from().msecsTo(m_cursor.to()) * along / 1200);
    else
        m_cursor.zoom(std::pow(kZoomStep, -turned.y() / 120.0), timeAt(event->position().x()));
    event->accept();
}

void TimeTrack::keyPressEvent(QKeyEvent* event)
{
    const qint64 span = m_cursor.from().msecsTo(m_cursor.to());
    const bool isLarge = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
        case Qt::Key_Left:
            return m_cursor.moveBy(-span / (isLarge ? 20 : 200));
        case Qt::Key_Right:
            return m_cursor.moveBy(span / (isLarge ? 20 : 200));
        case Qt::Key_Home:
            return m_cursor.moveTo(m_cursor.from());
        case Qt::Key_End:
            return m_cursor.goLive();
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            return m_cursor.zoom(1 / kZoomStep, m_cursor.at());
        case Qt::Key_Minus:
            return m_cursor.zoom(kZoomStep, m_cursor.at());
        default:
            QWidget::keyPressEvent(event);
    }
}

QString TimeTrack::tip(double x) const
{
    const QDateTime at = timeAt(x);
    QStringList lines{theme::fullTime(at, m_state.timeZone())};
    const model::TimelineInfo& timeline = m_cursor.timeline();
    const auto near = [&](const QVector<int>& counts) {
        int count = 0;
        for (const Mark& mark : marks(counts))
            if (std::abs(mark.x - x) <= kFoldBelow)
                count += mark.count;
        return count;
    };
    const auto add = [&](const QVector<int>& counts, const char* one, const char* many) {
        if (const int count = near(counts); count > 0)
            lines << theme::counted(count, QString::fromLatin1(one), QString::fromLatin1(many));
    };
    add(timeline.faults, "fault", "faults");
    add(timeline.failedJobs, "failed job", "failed jobs");
    add(timeline.operations, "operation", "operations");
    const bool isKnown = std::any_of(
        timeline.known.begin(), timeline.known.end(),
        [&](const auto& span) { return span.first <= at && at <= span.second.addSecs(60); });
    if (!isKnown)
        lines << QStringLiteral("The daemon did not look at the scheduler then.");
    return lines.join(QLatin1Char('\n'));
}

bool TimeTrack::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_cursor.hasHistory())
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tip(help->pos().x()), this);
    return true;
}

}  // namespace yard::ui
