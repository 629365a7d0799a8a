#include "ui/top_bar.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/theme.h"
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
constexpr double kAgeingIntervals = 4;

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

QVector<TopBar::Part> TopBar::connectionParts() const
{
    const double age = m_state.age();
    const QString words = theme::age(age);
    switch (m_state.connection()) {
        case model::Connection::Connecting:
            return {{QStringLiteral("Connecting"), false, false, false}};
        case model::Connection::Disconnected:
            return {{QStringLiteral("Disconnected"), false, true, false},
                    {words, true, true, false}};
        case model::Connection::Connected:
            break;
    }
    const bool old = age > kAgeingIntervals * std::max(1.0, m_state.readingInterval());
    return {{QStringLiteral("Live"), false, false, false}, {words, true, old, false}};
}

QVector<TopBar::Part> TopBar::schedulerParts() const
{
    const model::SchedulerInfo& scheduler = m_state.scheduler();
    if (scheduler.kind.isEmpty())
        return {};
    const QString name =
        scheduler.kind == QLatin1String("slurm") ? QStringLiteral("slurmctld") : scheduler.kind;
    if (!scheduler.up)
        return {{name, false, true, false},
                {QStringLiteral("does not answer"), false, true, false}};
    const double ms = double(scheduler.replySeconds) * 1000;
    const QString reply = ms < 1000
                              ? QStringLiteral("%1 ms").arg(theme::number(ms, ms < 10 ? 1 : 0))
                              : theme::duration(ms / 1000);
    return {{name, false, false, false},
            {reply, true, scheduler.backedOff, false},
            {QStringLiteral("·"), false, false, false},
            {QStringLiteral("%1 calls/min")
                 .arg(theme::number(
                     double(scheduler.callsPerMinute),
                     scheduler.callsPerMinute < 10 &&
                             scheduler.callsPerMinute != std::round(scheduler.callsPerMinute)
                         ? 1
                         : 0)),
             true, false, false}};
}

QString TopBar::clock() const
{
    return theme::clockTime(m_state.now(), m_state.timeZone());
}

int TopBar::partsWidth(const QVector<Part>& parts) const
{
    QFont plain = theme::font(Type::Label, QFont::Normal);
    double width = 0;
    for (const Part& part : parts)
        width += QFontMetricsF(part.mono ? theme::font(Type::Mono) : plain)
                     .horizontalAdvance(part.text) +
                 6;
    return parts.isEmpty() ? 0 : int(std::ceil(width)) - 6;
}

void TopBar::paintParts(QPainter& painter, int left, const QVector<Part>& parts) const
{
    QFont plain = theme::font(Type::Label, QFont::Normal);
    double x = left;
    for (const Part& part : parts) {
        painter.setFont(part.mono ? theme::font(Type::Mono) : plain);
        painter.setPen(theme::color(part.warn   ? Color::WarnText
                                    : part.mono ? Color::TextMuted
                                                : Color::TextSecondary));
        const double width = QFontMetricsF(painter.font()).horizontalAdvance(part.text);
        painter.drawText(QRectF(x, 0, width + 2, height() - 1),
                         Qt::AlignVCenter | Qt::TextSingleLine, part.text);
        x += width + 6;
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
    painter.setBrush(theme::color(m_state.connection() == model::Connection::Connected ? Color::Good
                                  : m_state.connection() == model::Connection::Connecting
                                      ? Color::TextMuted
                                      : Color::Warn));
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
