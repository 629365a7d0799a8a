#include "ui/widgets/popup.h"

#include <QEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/theme/theme.h"
#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;

namespace {

/// Falls off from the panel's edge to nothing, 8 px further down than up.
void paintShadow(QPainter& painter, const QRectF& panel, int radius)
{
    constexpr int kSteps = PopupPanel::kShadow;
    const double strength = theme::Theme::instance().isDark() ? 0.45 : 0.14;
    painter.setPen(Qt::NoPen);
    for (int i = kSteps - 8; i >= 0; --i) {
        const double share = 1.0 - double(i) / (kSteps - 8);
        // Layers add up; each carries a thin slice of the whole.
        painter.setBrush(QColor(0, 0, 0, qRound(255 * strength * share * share / 7)));
        painter.drawRoundedRect(panel.adjusted(-i, -i + 8, i, i + 8), radius + i, radius + i);
    }
}

}  // namespace

PopupPanel::PopupPanel(QWidget* parent)
    : QWidget(parent)
    , m_content(new QVBoxLayout(this))
    , m_radius(theme::px(theme::Radius::Card))
{
    const int padding = theme::px(theme::Size::CardPadding) + kShadow;
    m_content->setContentsMargins(padding, padding, padding, padding);
    m_content->setSpacing(8);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void PopupPanel::setRadius(int radius)
{
    m_radius = radius;
    update();
}

void PopupPanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintShadow(painter, panelRect(), m_radius);
    theme::paintPanel(painter, panelRect(), theme::color(Color::BgRaised),
                      theme::color(Color::LineStrong), m_radius);
}

Overlay::Overlay(QWidget* page, PopupPanel* panel, Place place)
    : QWidget(page)
    , m_panel(panel)
    , m_place(place)
{
    panel->setParent(this);
    setFocusPolicy(Qt::StrongFocus);
    page->installEventFilter(this);
    panel->installEventFilter(this);
    setGeometry(page->rect());
    arrange();
    show();
    raise();
    panel->show();
    arrange();
}

void Overlay::arrange()
{
    const QSize hint = m_panel->sizeHint().expandedTo(m_panel->minimumSize());
    const QSize size = hint.boundedTo(this->size() + QSize(2, 2) * PopupPanel::kShadow);
    m_panel->resize(size);
    int x = (width() - size.width()) / 2;
    if (m_place == Place::Left)
        x = 16 - PopupPanel::kShadow;
    else if (m_place == Place::Right)
        x = width() - size.width() - 32 + PopupPanel::kShadow;
    const int y =
        m_place == Place::Top ? 24 - PopupPanel::kShadow : (height() - size.height()) * 2 / 5;
    m_panel->move(x, qMax(-PopupPanel::kShadow, y));
}

void Overlay::closeOverlay()
{
    if (isHidden())
        return;
    hide();
    Q_EMIT closed();
    deleteLater();
}

void Overlay::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), theme::color(Color::Scrim));
}

void Overlay::mousePressEvent(QMouseEvent*)
{
    closeOverlay();
}

void Overlay::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        closeOverlay();
    else
        event->accept();
}

bool Overlay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parent() && event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
        arrange();
    }
    if (watched == m_panel && event->type() == QEvent::LayoutRequest)
        arrange();
    // Plain keys are the dialog's while it is open, not shortcuts of the window behind it.
    if (watched == m_panel && event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (!(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
            event->accept();
            return true;
        }
    }
    // A click on the panel's own ground is not a click on the scrim.
    if (watched == m_panel && event->type() == QEvent::MouseButtonPress) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        return m_panel->panelRect().contains(mouse->pos());
    }
    return QWidget::eventFilter(watched, event);
}

bool Overlay::focusNextPrevChild(bool next)
{
    // Keeps Tab inside the dialog.
    QWidget* at = focusWidget() != nullptr ? focusWidget() : this;
    for (QWidget* widget = next ? at->nextInFocusChain() : at->previousInFocusChain(); widget != at;
         widget = next ? widget->nextInFocusChain() : widget->previousInFocusChain()) {
        if (m_panel->isAncestorOf(widget) && widget->isVisible() && widget->isEnabled() &&
            (widget->focusPolicy() & Qt::TabFocus)) {
            widget->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
            return true;
        }
    }
    return true;
}

}  // namespace yard::widgets
