#include "ui/rail.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/model/cluster_state.h"
#include "ui/theme/unknown.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/glyphs.h"

namespace yard::ui {

using theme::Color;
using theme::Type;

constexpr int kSide = 8;
constexpr int kBrand = 48;
constexpr int kCluster = 40;
constexpr int kEntry = 32;
constexpr int kFoot = 52;

const QVector<PageEntry>& pageEntries()
{
    static const QVector<PageEntry> entries = {
        {model::Page::Overview, QStringLiteral("Overview"), QStringLiteral("overview"),
         QStringLiteral("headline figures, map, what needs attention")},
        {model::Page::Gpus, QStringLiteral("GPUs"), QStringLiteral("gpus"),
         QStringLiteral("every GPU by metric")},
        {model::Page::Nodes, QStringLiteral("Nodes"), QStringLiteral("nodes"),
         QStringLiteral("states, reasons, actions")},
        {model::Page::Jobs, QStringLiteral("Jobs"), QStringLiteral("jobs"),
         QStringLiteral("running, waiting, ended")},
        {model::Page::Analytics, QStringLiteral("Analytics"), QStringLiteral("analytics"),
         QStringLiteral("where the GPU time goes, beside the paper's")},
        {model::Page::Audit, QStringLiteral("Audit"), QStringLiteral("audit"),
         QStringLiteral("who did what, and why")},
    };
    return entries;
}

Rail::Rail(const model::ClusterState& state, QWidget* parent)
    : QWidget(parent)
    , m_state(state)
{
    setMouseTracking(true);
    setFixedWidth(theme::px(theme::Size::Rail));
    setAccessibleName(QStringLiteral("Pages"));
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
    for (auto signal : {&model::ClusterState::topologyChanged, &model::ClusterState::healthChanged,
                        &model::ClusterState::connectionChanged})
        connect(&state, signal, this, &Rail::refresh);
}

void Rail::setFolded(bool folded)
{
    m_folded = folded;
    setFixedWidth(theme::px(folded ? theme::Size::RailFolded : theme::Size::Rail));
    update();
}

void Rail::setCurrent(model::Page page)
{
    m_current = page;
    update();
}

void Rail::refresh()
{
    update();
}

QRect Rail::entryRect(int index) const
{
    return {kSide, kBrand + kCluster + 10 + index * (kEntry + 1), width() - 2 * kSide - 1, kEntry};
}

QRect Rail::footRect() const
{
    return {kSide, height() - kFoot - 8, width() - 2 * kSide - 1, kFoot};
}

int Rail::entryAt(const QPoint& at) const
{
    for (int i = 0; i < pageEntries().size(); ++i) {
        if (entryRect(i).contains(at))
            return i;
    }
    return -1;
}

QString Rail::sourcesText(bool* bad) const
{
    // Of telemetry, as the GPUs page counts them; the scheduler stands in the top bar.
    int up = 0;
    for (const model::TargetInfo& target : m_state.targets())
        up += target.up ? 1 : 0;
    const int total = int(m_state.targets().size());
    *bad = up < total;
    if (m_state.connection() != model::Connection::Connected) {
        *bad = true;
        return QStringLiteral("sources not known");
    }
    // How the sources were doing is not kept.
    if (m_state.isPast())
        return QStringLiteral("as of then");
    if (total == 0)
        return QStringLiteral("no telemetry");
    return up == total ? theme::counted(total, QStringLiteral("source"), QStringLiteral("sources"))
                       : QStringLiteral("%1 of %2 sources")
                             .arg(theme::number(qint64(up)), theme::number(qint64(total)));
}

void Rail::paintBrand(QPainter& painter) const
{
    const int left = m_folded ? (width() - 21) / 2 : 14;
    theme::paintIcon(painter, QRectF(left, 14, 20, 20), QStringLiteral("yardmaster"),
                     theme::color(Color::TextSecondary));
    if (m_folded)
        return;
    QFont font = theme::font(Type::Title);
    font.setPixelSize(15);
    painter.setFont(font);
    painter.setPen(theme::color(Color::TextPrimary));
    painter.drawText(QRect(43, 0, width() - 50, kBrand), Qt::AlignVCenter,
                     QStringLiteral("Yardmaster"));
}

void Rail::paintCluster(QPainter& painter) const
{
    const QRect box(kSide, kBrand, width() - 2 * kSide - 1, kCluster);
    theme::paintPanel(painter, box, theme::color(Color::BgSurface), theme::color(Color::LineSubtle),
                      theme::px(theme::Radius::Control));
    const bool connected = m_state.connection() == model::Connection::Connected;
    const bool known = theme::isSchedulerKnown(m_state);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme::color(connected && known ? Color::Good
                                  : m_state.connection() == model::Connection::Connecting
                                      ? Color::TextMuted
                                      : Color::Warn));
    painter.drawEllipse(
        QRectF(m_folded ? box.center().x() - 3.5 : box.left() + 9, box.center().y() - 3.5, 8, 8));
    if (m_folded)
        return;
    const QRect words = box.adjusted(26, 0, -8, 0);
    painter.setFont(theme::font(Type::Label));
    painter.setPen(theme::color(Color::TextPrimary));
    const QString name =
        m_state.cluster().isEmpty() ? QStringLiteral("no cluster yet") : m_state.cluster();
    painter.drawText(words.adjusted(0, 4, 0, -19), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(name, Qt::ElideRight, words.width()));
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(Color::TextMuted));
    QString nodes =
        theme::counted(m_state.nodes().size(), QStringLiteral("node"), QStringLiteral("nodes"));
    if (!known)
        nodes = QStringLiteral("nodes not known");
    if (m_state.isDemo())
        nodes += QStringLiteral(" · demo");
    if (!connected)
        nodes = m_state.connection() == model::Connection::Connecting
                    ? QStringLiteral("connecting")
                    : QStringLiteral("disconnected");
    painter.drawText(words.adjusted(0, 20, 0, -5), Qt::AlignVCenter, nodes);
}

void Rail::paintEntries(QPainter& painter) const
{
    for (int i = 0; i < pageEntries().size(); ++i) {
        const PageEntry& entry = pageEntries()[i];
        const QRect box = entryRect(i);
        const bool on = entry.page == m_current;
        if (on || i == m_hovered)
            theme::paintPanel(painter, box, theme::color(on ? Color::AccentSoft : Color::BgHover),
                              Qt::transparent, theme::px(theme::Radius::Control));
        if (on)
            painter.fillRect(0, box.top() + 6, 2, box.height() - 12, theme::color(Color::Accent));
        const QRectF mark(m_folded ? box.center().x() - 7.5 : box.left() + 8, box.top() + 8, 16,
                          16);
        theme::paintIcon(painter, mark, entry.icon,
                         theme::color(on ? Color::AccentText : Color::TextSecondary));
        if (m_folded)
            continue;
        QFont font = theme::font(Type::Body, QFont::Medium);
        painter.setFont(font);
        painter.setPen(theme::color(on ? Color::TextPrimary : Color::TextSecondary));
        painter.drawText(box.adjusted(34, 0, -4, 0), Qt::AlignVCenter, entry.title);
    }
}

void Rail::paintFoot(QPainter& painter) const
{
    if (!m_state.hasSnapshot())
        return;
    const QRect box = footRect();
    bool bad = false;
    const QString sources = sourcesText(&bad);
    const QRectF first(m_folded ? box.center().x() - 6 : box.left() + 8, box.top() + 6, 13, 13);
    if (bad)
        widgets::paintSeverity(painter, first, widgets::Severity::Warning);
    else if (m_state.targets().isEmpty())
        widgets::paintSeverity(painter, first, widgets::Severity::Note);
    else
        theme::paintIcon(painter, first, QStringLiteral("check"), theme::color(Color::GoodText));
    const QRectF second(first.left(), box.top() + 29, 13, 13);
    theme::paintIcon(painter, second, QStringLiteral("user"), theme::color(Color::TextMuted));
    if (m_folded)
        return;
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(bad ? Color::TextSecondary : Color::TextMuted));
    const int room = box.width() - 34;
    const auto elided = [&painter, room](const QString& text) {
        return painter.fontMetrics().elidedText(text, Qt::ElideRight, room);
    };
    painter.drawText(QRect(box.left() + 28, box.top() + 3, room, 20), Qt::AlignVCenter,
                     elided(sources));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(
        QRect(box.left() + 28, box.top() + 26, room, 20), Qt::AlignVCenter,
        elided(QStringLiteral("%1 · %2").arg(m_state.user(), theme::roleName(m_state.role()))));
}

void Rail::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme::color(Color::BgRail));
    painter.fillRect(width() - 1, 0, 1, height(), theme::color(Color::LineSubtle));
    paintBrand(painter);
    paintCluster(painter);
    paintEntries(painter);
    paintFoot(painter);
}

void Rail::mouseMoveEvent(QMouseEvent* event)
{
    m_hovered = entryAt(event->pos());
    setCursor(m_hovered >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void Rail::mousePressEvent(QMouseEvent* event)
{
    const int entry = entryAt(event->pos());
    if (event->button() == Qt::LeftButton && entry >= 0)
        Q_EMIT pageRequested(pageEntries()[entry].page);
}

void Rail::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

bool Rail::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    const int entry = entryAt(help->pos());
    bool bad = false;
    if (entry >= 0)
        text = QStringLiteral("%1  (%2)").arg(pageEntries()[entry].title).arg(entry + 1);
    else if (footRect().contains(help->pos()))
        text = QStringLiteral("%1\n%2 · %3")
                   .arg(m_state.targets().isEmpty()
                            ? QStringLiteral("No source of telemetry is configured.")
                            : QStringLiteral("Telemetry: ") + sourcesText(&bad),
                        m_state.user(), theme::roleName(m_state.role()));
    else if (help->pos().y() > kBrand && help->pos().y() < kBrand + kCluster)
        text = m_state.cluster();
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace yard::ui
