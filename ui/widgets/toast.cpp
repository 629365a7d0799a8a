#include "ui/widgets/toast.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/widgets/button.h"
#include "ui/widgets/glyphs.h"
#include "ui/widgets/label.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kLifeMs = 8000;
constexpr int kMostToasts = 3;
constexpr int kToastGap = 8;
constexpr int kMargin = 16;

Toast::Toast(const ToastText& text, QWidget* parent)
    : PopupPanel(parent)
    , m_stays(text.error)
{
    setFixedWidth(theme::px(theme::Size::Toast) + 2 * kShadow);
    setAccessibleName(text.title);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    content()->setContentsMargins(12 + kShadow, 9 + kShadow, 6 + kShadow, 9 + kShadow);
    content()->addLayout(row);
    row->addWidget(text.error ? Glyph::severity(Severity::Fault)
                              : Glyph::icon(QStringLiteral("check"), Color::GoodText),
                   0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    row->addLayout(words, 1);
    const auto add = [words](const QString& line, Type type, Color tone) {
        if (line.isEmpty())
            return;
        auto* label = new Label(line, type, tone);
        label->setWordWrap(true);
        words->addWidget(label);
    };
    add(text.title, Type::Body, Color::TextPrimary);
    add(text.verbatim, Type::Mono, Color::TextSecondary);
    add(text.detail, Type::Caption, Color::TextMuted);
    if (!text.undoLabel.isEmpty()) {
        auto* undo = new Button(text.undoLabel, Button::Kind::Plain);
        undo->setIconName(QStringLiteral("undo"));
        undo->setSmall(true);
        connect(undo, &Button::clicked, this, [this, act = text.undo] {
            Q_EMIT closed();
            act();
        });
        row->addWidget(undo, 0, Qt::AlignTop);
    }
    auto* close = Button::iconOnly(QStringLiteral("close"), QStringLiteral("Close"));
    close->setSmall(true);
    connect(close, &Button::clicked, this, &Toast::closed);
    row->addWidget(close, 0, Qt::AlignTop);
    m_life.setSingleShot(true);
    m_life.setInterval(kLifeMs);
    connect(&m_life, &QTimer::timeout, this, &Toast::closed);
    if (!m_stays)
        m_life.start();
}

void Toast::enterEvent(QEnterEvent* event)
{
    m_life.stop();
    PopupPanel::enterEvent(event);
}

void Toast::leaveEvent(QEvent* event)
{
    if (!m_stays)
        m_life.start();
    PopupPanel::leaveEvent(event);
}

ToastHost::ToastHost(QWidget* parent)
    : QObject(parent)
    , m_parent(parent)
{
    parent->installEventFilter(this);
}

void ToastHost::show(const ToastText& text)
{
    auto* toast = new Toast(text, m_parent);
    connect(toast, &Toast::closed, this, [this, toast] { drop(toast); });
    m_toasts.push_back(toast);
    if (m_toasts.size() > kMostToasts)
        drop(m_toasts.front());
    toast->show();
    toast->raise();
    arrange();
}

void ToastHost::drop(Toast* toast)
{
    if (!m_toasts.removeOne(toast))
        return;
    toast->hide();
    toast->deleteLater();
    arrange();
}

bool ToastHost::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move)
        arrange();
    return QObject::eventFilter(watched, event);
}

void ToastHost::setLane(QWidget* lane)
{
    m_lane = lane;
    m_lane->setFixedHeight(0);
    m_lane->installEventFilter(this);
}

void ToastHost::arrange()
{
    for (Toast* toast : std::as_const(m_toasts)) {
        const int width = toast->width();
        toast->resize(width, toast->hasHeightForWidth() ? toast->heightForWidth(width)
                                                        : toast->sizeHint().height());
    }
    if (m_lane == nullptr) {
        place(m_parent->rect(), 1);
        return;
    }
    const int wide = theme::px(theme::Size::Toast);
    const int room = m_lane->width() - 2 * kMargin;
    const int inRow = std::max(1, (room + kToastGap) / (wide + kToastGap));
    const QRect lane(m_lane->mapTo(m_parent, QPoint()), m_lane->size());
    const int needed = place(lane, inRow);
    if (needed == m_lane->height())
        return;
    // Laid out when the event loop comes to it, for this may be in the middle of a layout already;
    // the lane's own events put the toasts into it then.
    m_lane->setFixedHeight(needed);
}

/// At the lower right, the newest first, so many in a row; returns the height that they take.
int ToastHost::place(const QRect& room, int inRow)
{
    const int wide = theme::px(theme::Size::Toast);
    const int count = int(m_toasts.size());
    int bottom = room.bottom() + 1 - kMargin;
    for (int first = 0; first < count; first += inRow) {
        int tallest = 0;
        for (int i = first; i < std::min(count, first + inRow); ++i) {
            Toast* toast = m_toasts[count - 1 - i];
            const int panel = toast->height() - 2 * PopupPanel::kShadow;
            const int right = room.right() + 1 - kMargin - (i - first) * (wide + kToastGap);
            toast->movePanel({right - wide, bottom - panel});
            tallest = std::max(tallest, panel);
        }
        bottom -= tallest + kToastGap;
    }
    return count == 0 ? 0 : room.bottom() + 1 - bottom - kToastGap;
}

}  // namespace yard::widgets
