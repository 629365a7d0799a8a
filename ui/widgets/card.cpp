#include "ui/widgets/card.h"

#include <QHBoxLayout>
#include <QPainter>

#include "ui/theme/yard_style.h"
#include "ui/widgets/label.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

constexpr int kHeadHeight = 36;

Card::Card(const QString& title, const QString& note, QWidget* parent)
    : QWidget(parent)
{
    const int padding = theme::px(theme::Size::CardPadding);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->setSpacing(0);
    if (!title.isNull()) {
        m_head = new QWidget;
        m_head->setFixedHeight(kHeadHeight - 1);
        m_headLayout = new QHBoxLayout(m_head);
        m_headLayout->setContentsMargins(padding - 1, 0, padding - 1, 0);
        m_headLayout->setSpacing(8);
        m_title = new Label(title, Type::Heading, Color::TextPrimary);
        m_count = new Label(Type::MonoSmall, Color::TextSecondary);
        m_count->hide();
        m_note = new Label(note, Type::Body, Color::TextMuted);
        m_note->setElide(Qt::ElideRight);
        m_headLayout->addWidget(m_title);
        m_headLayout->addWidget(m_count);
        m_headLayout->addWidget(m_note, 1);
        column->addWidget(m_head);
    }
    m_body = new QVBoxLayout;
    m_body->setContentsMargins(padding - 1, title.isNull() ? padding - 1 : 0, padding - 1,
                               padding - 1);
    m_body->setSpacing(8);
    column->addLayout(m_body, 1);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void Card::setTitle(const QString& title)
{
    m_title->setText(title);
}

void Card::setNote(const QString& note)
{
    m_note->setText(note);
}

void Card::setCount(const QString& count)
{
    m_count->setText(count);
    m_count->setVisible(!count.isEmpty());
}

void Card::addToHead(QWidget* widget)
{
    m_headLayout->addWidget(widget);
}

void Card::setBodyMargins(int left, int top, int right, int bottom)
{
    m_body->setContentsMargins(left, top, right, bottom);
}

void Card::setHeadLine(bool shown)
{
    m_headLine = shown;
    update();
}

void Card::setLine(Color line)
{
    m_line = line;
    update();
}

void Card::setWaiting(bool waiting)
{
    m_waiting = waiting;
    update();
}

void Card::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    theme::paintPanel(painter, rect(), theme::color(Color::BgSurface), theme::color(m_line),
                      theme::px(theme::Radius::Card));
    if (m_headLine)
        painter.fillRect(1, kHeadHeight - 1, width() - 2, 1, theme::color(Color::LineSubtle));
    if (m_waiting)
        painter.fillRect(1, kHeadHeight - 2, width() - 2, 2, theme::color(Color::Accent));
}

HairLine::HairLine(Qt::Orientation orientation, QWidget* parent)
    : QWidget(parent)
{
    if (orientation == Qt::Horizontal)
        setFixedHeight(1);
    else
        setFixedSize(1, 20);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void HairLine::paintEvent(QPaintEvent*)
{
    QPainter(this).fillRect(rect(), theme::color(Color::LineSubtle));
}

}  // namespace yard::widgets
