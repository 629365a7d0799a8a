#include "ui/jump_palette.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/filter_field.h"

namespace yard::ui {

using theme::Color;
using theme::Type;

constexpr int kWidth = 560;
constexpr int kRow = 34;
constexpr int kEdit = 36;
constexpr int kPadding = 12;

namespace {

QString iconOf(JumpTarget::Kind kind)
{
    switch (kind) {
        case JumpTarget::Kind::Page:
            return QStringLiteral("right");
        case JumpTarget::Kind::Node:
        case JumpTarget::Kind::Hostlist:
            return QStringLiteral("nodes");
        case JumpTarget::Kind::Job:
            return QStringLiteral("jobs");
        case JumpTarget::Kind::User:
            return QStringLiteral("user");
    }
    Q_UNREACHABLE();
}

struct KeyLine {
    const char* keys;
    const char* words;
};
constexpr KeyLine kKeys[] = {
    {"1 … 6, Ctrl 1 … 6", "Pages, from the top of the rail"},
    {"Ctrl K", "Jump to a node, job, user, hostlist, page"},
    {"/, Ctrl F", "Filter of the page"},
    {"Esc", "Clear the selection, close what is open"},
    {"F5", "Connect again now"},
    {"Ctrl C", "Copy the selected rows or names"},
    {"Ctrl T", "Dark or light"},
    {"?", "These keys"},
    {"Arrows", "Move in a table or over the map"},
    {"Space", "Map: card of the GPU. Table: mark the row"},
    {"Enter", "Open the node or the job"},
    {"J", "Map: the job on that GPU"},
    {"Menu, Shift F10", "Actions on what is selected"},
    {"← → Home End + −", "Time line: move, begin, Live, zoom; Shift moves further"},
    {"Ctrl L", "Live: the present"},
};

}  // namespace

JumpPalette::JumpPalette(const model::ClusterState& state, QWidget* parent)
    : PopupPanel(parent)
    , m_state(state)
    , m_edit(new QLineEdit(this))
{
    setRadius(theme::px(theme::Radius::Dialog));
    m_edit->setPlaceholderText(QStringLiteral("Node, job, user, hostlist or page"));
    m_edit->setAccessibleName(QStringLiteral("Jump to"));
    m_edit->setFont(theme::font(Type::Body));
    m_edit->setGeometry(kShadow + kPadding, kShadow + kPadding, kWidth - 2 * kPadding, 28);
    m_edit->installEventFilter(this);
    connect(m_edit, &QLineEdit::textChanged, this, &JumpPalette::search);
    search();
    m_edit->setFocus();
    setFocusProxy(m_edit);
}

void JumpPalette::setText(const QString& text)
{
    m_edit->setText(text);
}

QSize JumpPalette::sizeHint() const
{
    const int rows = qMax<int>(1, int(m_hits.size()));
    return QSize(kWidth, kPadding + kEdit + rows * kRow + kPadding) + QSize(2, 2) * kShadow;
}

void JumpPalette::search()
{
    m_hits = searchJump(m_state, m_edit->text());
    m_current = 0;
    updateGeometry();
    resize(sizeHint());
    update();
}

QRect JumpPalette::rowRect(int row) const
{
    return {kShadow + 6, kShadow + kPadding + kEdit + row * kRow, kWidth - 12, kRow};
}

void JumpPalette::paintEvent(QPaintEvent* event)
{
    PopupPanel::paintEvent(event);
    QPainter painter(this);
    if (m_hits.isEmpty()) {
        painter.setFont(theme::font(Type::Body));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(
            rowRect(0).adjusted(10, 0, 0, 0), Qt::AlignVCenter,
            QStringLiteral("Nothing is called that. Type a node, a hostlist, a job id, "
                           "a user or a page."));
    }
    for (int row = 0; row < m_hits.size(); ++row) {
        const JumpTarget& hit = m_hits[row];
        const QRect rect = rowRect(row);
        if (row == m_current)
            theme::paintPanel(painter, rect, theme::color(Color::AccentSoft), Qt::transparent,
                              theme::px(theme::Radius::Control));
        theme::paintIcon(painter, QRectF(rect.left() + 10, rect.center().y() - 7, 15, 15),
                         iconOf(hit.kind),
                         theme::color(row == m_current ? Color::AccentText : Color::TextMuted));
        painter.setFont(theme::font(hit.kind == JumpTarget::Kind::Page ? Type::Body : Type::Mono));
        painter.setPen(theme::color(Color::TextPrimary));
        const QRect words = rect.adjusted(36, 0, -12, 0);
        const QString title =
            painter.fontMetrics().elidedText(hit.title, Qt::ElideMiddle, words.width() * 3 / 5);
        painter.drawText(words, Qt::AlignVCenter, title);
        QFont detail = theme::font(Type::Label, QFont::Normal);
        painter.setFont(detail);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(
            words, Qt::AlignRight | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(hit.detail, Qt::ElideRight, words.width() / 2));
    }
}

void JumpPalette::mousePressEvent(QMouseEvent* event)
{
    for (int row = 0; row < m_hits.size(); ++row) {
        if (rowRect(row).contains(event->pos())) {
            Q_EMIT chosen(JumpTarget(m_hits[row]));
            return;
        }
    }
}

bool JumpPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_edit || event->type() != QEvent::KeyPress)
        return PopupPanel::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
        const int count = int(m_hits.size());
        if (count > 0)
            m_current = (m_current + (key == Qt::Key_Down ? 1 : count - 1)) % count;
        update();
        return true;
    }
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && m_current < m_hits.size()) {
        Q_EMIT chosen(JumpTarget(m_hits[m_current]));
        return true;
    }
    if (key == Qt::Key_Escape) {
        Q_EMIT dismissed();
        return true;
    }
    return false;
}

KeySheet::KeySheet(QWidget* parent)
    : PopupPanel(parent)
{
    setRadius(theme::px(theme::Radius::Dialog));
    setFocusPolicy(Qt::NoFocus);
}

QSize KeySheet::sizeHint() const
{
    return QSize(kWidth, 52 + int(std::size(kKeys)) * 28 + 14) + QSize(2, 2) * kShadow;
}

void KeySheet::paintEvent(QPaintEvent* event)
{
    PopupPanel::paintEvent(event);
    QPainter painter(this);
    const QRect panel = panelRect();
    painter.setFont(theme::font(Type::Title));
    painter.setPen(theme::color(Color::TextPrimary));
    painter.drawText(QRect(panel.left() + 16, panel.top() + 10, panel.width(), 28),
                     Qt::AlignVCenter, QStringLiteral("Keys"));
    int top = panel.top() + 46;
    for (const KeyLine& line : kKeys) {
        int x = panel.left() + 16;
        for (const QString& key : QString::fromUtf8(line.keys).split(QStringLiteral(", "))) {
            const int width = widgets::keyWidth(key);
            widgets::paintKey(painter, QRect(x, top + 4, width, 19), key);
            x += width + 6;
        }
        painter.setFont(theme::font(Type::Body));
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(QRect(panel.left() + 200, top, panel.width() - 216, 28), Qt::AlignVCenter,
                         QString::fromUtf8(line.words));
        top += 28;
    }
}

}  // namespace yard::ui
