#include "ui/top_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/filter_field.h"

namespace yard::ui {

using theme::Color;
using theme::Type;

constexpr int kMargin = 16;
constexpr int kJumpWidth = 380;
constexpr int kLeastJump = 200;
constexpr int kSpace = 12;
constexpr int kPartGap = 6;
constexpr double kAgeingIntervals = 4;
constexpr int kAgeColumns = 6;     // "14 min"
constexpr int kReplyColumns = 6;   // "120 ms"
constexpr int kCallsColumns = 13;  // "120 calls/min"

TopBar::TopBar(const model::ClusterState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
{
    setFixedHeight(theme::px(theme::Size::Topbar));
    setMouseTracking(true);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
    for (auto signal : {&model::ClusterState::readingsChanged, &model::ClusterState::healthChanged,
                        &model::ClusterState::connectionChanged})
        connect(&state, signal, this, qOverload<>(&QWidget::update));
    auto* tick = new QTimer(this);
    connect(tick, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    tick->start(1000);
}

void TopBar::setTitle(const QString& title)
{
    m_title = title;
    update();
}

Color TopBar::connectionTone() const
{
    if (m_state.isPast())
        return Color::Accent;
    switch (m_state.connection()) {
        case model::Connection::Connecting:
            return Color::TextMuted;
        case model::Connection::Disconnected:
            return Color::Warn;
        case model::Connection::Connected:
            break;
    }
    const model::SchedulerInfo& scheduler = m_state.scheduler();
    return scheduler.kind.isEmpty() || scheduler.up ? Color::Good : Color::Warn;
}

QString TopBar::statusWords() const
{
    QStringList words;
    for (const Part& part : connectionParts() + schedulerParts())
        words << part.text;
    return words.join(QLatin1Char(' ')).simplified();
}

QVector<TopBar::Part> TopBar::connectionParts() const
{
    const double age = m_state.age();
    const QString words = theme::age(age);
    if (m_state.isPast() && m_state.connection() == model::Connection::Connected)
        return {{QStringLiteral("As of")},
                {theme::fullTime(m_state.now(), m_state.timeZone()), true}};
    switch (m_state.connection()) {
        case model::Connection::Connecting:
            return {{QStringLiteral("Connecting")}};
        case model::Connection::Disconnected:
            return {{QStringLiteral("Disconnected"), false, true},
                    {words, true, true, kAgeColumns}};
        case model::Connection::Connected:
            break;
    }
    if (!theme::isSchedulerKnown(m_state))
        return {{QStringLiteral("Scheduler not read yet"), false, true}};
    const bool old = age > kAgeingIntervals * std::max(1.0, m_state.readingInterval());
    return {{QStringLiteral("Live")}, {words, true, old, kAgeColumns}};
}

QVector<TopBar::Part> TopBar::schedulerParts() const
{
    const model::SchedulerInfo& scheduler = m_state.scheduler();
    // Cut off, nobody knows how it answers now.
    if (scheduler.kind.isEmpty() || m_state.connection() != model::Connection::Connected)
        return {};
    const QString name =
        scheduler.kind == QLatin1String("slurm") ? QStringLiteral("slurmctld") : scheduler.kind;
    // Just started: it is being asked for the first time.
    if (!theme::isSchedulerKnown(m_state) && scheduler.error.isEmpty())
        return {{name}, {QStringLiteral("is being asked")}};
    if (!scheduler.up)
        return {{name, false, true}, {QStringLiteral("does not answer"), false, true}};
    const double ms = double(scheduler.replySeconds) * 1000;
    const QString reply = ms < 1000
                              ? QStringLiteral("%1 ms").arg(theme::number(ms, ms < 10 ? 1 : 0))
                              : theme::duration(ms / 1000);
    const double calls = double(scheduler.callsPerMinute);
    const bool whole = calls >= 10 || calls == std::round(calls);
    const bool known = calls > 0;
    const QString rate = QStringLiteral("%1 calls/min").arg(theme::number(calls, whole ? 0 : 1));
    return {{name},
            {reply, true, scheduler.backedOff, kReplyColumns, true},
            {known ? QStringLiteral("·") : QStringLiteral(" "), true, false, 1},
            {known ? rate : QString(), true, false, kCallsColumns}};
}

QString TopBar::clock() const
{
    return theme::clockTime(m_state.now(), m_state.timeZone());
}

double TopBar::partWidth(const Part& part)
{
    const QFontMetricsF metrics(part.mono ? theme::font(Type::Mono)
                                          : theme::font(Type::Label, QFont::Normal));
    return std::max(metrics.horizontalAdvance(part.text),
                    part.columns * metrics.horizontalAdvance(QLatin1Char('0')));
}

int TopBar::partsWidth(const QVector<Part>& parts) const
{
    double width = 0;
    for (const Part& part : parts)
        width += partWidth(part) + kPartGap;
    return parts.isEmpty() ? 0 : int(std::ceil(width)) - kPartGap;
}

void TopBar::paintParts(QPainter& painter, int left, const QVector<Part>& parts) const
{
    double x = left;
    for (const Part& part : parts) {
        painter.setFont(part.mono ? theme::font(Type::Mono)
                                  : theme::font(Type::Label, QFont::Normal));
        painter.setPen(theme::color(part.warn   ? Color::WarnText
                                    : part.mono ? Color::TextMuted
                                                : Color::TextSecondary));
        const double width = partWidth(part);
        painter.drawText(
            QRectF(x, 0, width + (part.toRight ? 0 : 2), height() - 1),
            (part.toRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter | Qt::TextSingleLine,
            part.text);
        x += width + kPartGap;
    }
}

QRect TopBar::helpRect() const
{
    const int width = widgets::keyWidth(QStringLiteral("?"));
    return {this->width() - kMargin - width, (height() - 19) / 2, width, 18};
}

QRect TopBar::jumpRect() const
{
    const int clockWidth = QFontMetrics(theme::font(Type::Mono)).horizontalAdvance(clock());
    const QVector<Part> scheduler = schedulerParts();
    const int right = helpRect().left() - kSpace - clockWidth - 2 * kSpace - 1 -
                      partsWidth(scheduler) - (scheduler.isEmpty() ? 0 : kSpace) -
                      partsWidth(connectionParts()) - 14 - 2 * kSpace - 1;
    QFont title = theme::font(Type::Title);
    const int left = kMargin + QFontMetrics(title).horizontalAdvance(m_title) + 2 * kSpace;
    const int width = qBound(kLeastJump, right - left, kJumpWidth);
    return {right - width, (height() - 1 - theme::px(theme::Size::Control)) / 2, width,
            theme::px(theme::Size::Control)};
}

void TopBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(Color::BgWindow));
    painter.fillRect(0, height() - 1, width(), 1, theme::color(Color::LineSubtle));
    painter.setFont(theme::font(Type::Title));
    painter.setPen(theme::color(Color::TextPrimary));
    painter.drawText(QRect(kMargin, 0, width() / 2, height() - 1), Qt::AlignVCenter, m_title);

    const QRect jump = jumpRect();
    const bool hovered = underMouse() && jump.contains(mapFromGlobal(QCursor::pos()));
    theme::paintPanel(painter, jump, theme::color(Color::BgInset),
                      theme::color(hovered ? Color::LineControl : Color::LineStrong),
                      theme::px(theme::Radius::Control));
    theme::paintIcon(painter, QRectF(jump.left() + 9, jump.top() + 7, 14, 14),
                     QStringLiteral("search"), theme::color(Color::TextMuted));
    QFont plain = theme::font(Type::Label, QFont::Normal);
    painter.setFont(plain);
    painter.setPen(theme::color(Color::TextMuted));
    const QString key = QStringLiteral("Ctrl K");
    const int cap = widgets::keyWidth(key);
    const QString invitation = jump.width() > 300
                                   ? QStringLiteral("Jump to node, job, user, hostlist, page")
                                   : QStringLiteral("Jump to…");
    painter.drawText(jump.adjusted(32, 0, -cap - 12, 0), Qt::AlignVCenter, invitation);
    widgets::paintKey(painter, QRect(jump.right() - cap - 5, jump.center().y() - 8, cap, 18), key);

    const auto separator = [&painter, this](int x) {
        painter.fillRect(x, 14, 1, height() - 29, theme::color(Color::LineSubtle));
    };
    int x = jump.right() + 1 + kSpace;
    separator(x);
    x += 1 + kSpace;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(connectionTone()));
    painter.drawEllipse(QRectF(x, height() / 2.0 - 4.5, 8, 8));
    painter.setRenderHint(QPainter::Antialiasing, false);
    x += 14;
    paintParts(painter, x, connectionParts());
    x += partsWidth(connectionParts());
    const QVector<Part> scheduler = schedulerParts();
    if (!scheduler.isEmpty()) {
        paintParts(painter, x + kSpace, scheduler);
        x += kSpace + partsWidth(scheduler);
    }
    x += kSpace;
    separator(x);
    painter.setFont(theme::font(Type::Mono));
    painter.setPen(theme::color(Color::TextSecondary));
    painter.drawText(QRect(x + kSpace + 1, 0, helpRect().left() - x - kSpace, height() - 1),
                     Qt::AlignVCenter, clock());
    widgets::paintKey(painter, helpRect(), QStringLiteral("?"));
}

void TopBar::mouseMoveEvent(QMouseEvent* event)
{
    const bool active = jumpRect().contains(event->pos()) || helpRect().contains(event->pos());
    setCursor(active ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update(jumpRect());
}

void TopBar::mousePressEvent(QMouseEvent* event)
{
    if (jumpRect().contains(event->pos()))
        Q_EMIT jumpRequested();
    else if (helpRect().adjusted(-6, -6, 6, 6).contains(event->pos()))
        Q_EMIT helpRequested();
}

bool TopBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const model::SchedulerInfo& scheduler = m_state.scheduler();
    const int x = help->pos().x();
    QString text;
    if (x > jumpRect().right() && x < helpRect().left() - 200) {
        text = m_state.connection() == model::Connection::Connected
                   ? QStringLiteral("Age of what is shown, and how fast the scheduler answers.")
                   : m_state.connectionError();
        if (!scheduler.kind.isEmpty())
            text += QStringLiteral("\n%1 %2, asked every %3.")
                        .arg(scheduler.kind, scheduler.version,
                             theme::duration(double(scheduler.pollSeconds)));
        if (!scheduler.error.isEmpty())
            text += QLatin1Char('\n') + scheduler.error;
    }
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace yard::ui
