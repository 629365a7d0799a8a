#include "ui/widgets/facts/fact_sheet.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "ui/theme/yard_style.h"

namespace yard::widgets {

using theme::Color;
using theme::Type;

namespace {

constexpr int kLabelWidth = 92;
constexpr int kLine = 22;
constexpr int kHeading = 34;
constexpr int kPad = 12;

QFont valueFont(const Fact& fact)
{
    const bool mono = fact.mono || fact.kind == Fact::Kind::Cells || fact.kind == Fact::Kind::Mono;
    return theme::font(mono ? Type::Mono : Type::Body);
}

int wrappedHeight(const QFont& font, const QString& text, int width)
{
    const QRect room(0, 0, qMax(40, width), 4000);
    return QFontMetrics(font)
        .boundingRect(room, Qt::TextWordWrap | Qt::TextWrapAnywhere, text)
        .height();
}

}  // namespace

Fact Fact::heading(const QString& title, const QString& note)
{
    Fact fact;
    fact.kind = Kind::Heading;
    fact.label = title;
    fact.value = note;
    return fact;
}

Fact Fact::pair(const QString& label, const QString& value, bool mono, Color tone)
{
    Fact fact;
    fact.label = label;
    fact.value = value;
    fact.mono = mono;
    fact.tone = tone;
    return fact;
}

Fact Fact::linkTo(const QString& label, const QString& value, const QString& link)
{
    Fact fact = pair(label, value, true, Color::AccentText);
    fact.link = link;
    return fact;
}

Fact Fact::row(const QStringList& cells, const QVector<int>& widths, const QString& link)
{
    Fact fact;
    fact.kind = Kind::Cells;
    fact.cells = cells;
    fact.widths = widths;
    fact.link = link;
    return fact;
}

Fact Fact::headRow(const QStringList& cells, const QVector<int>& widths)
{
    Fact fact = row(cells, widths);
    fact.head = true;
    return fact;
}

Fact Fact::sentence(const QString& text, Color tone)
{
    Fact fact;
    fact.kind = Kind::Sentence;
    fact.value = text;
    fact.tone = tone;
    return fact;
}

Fact Fact::code(const QString& text)
{
    Fact fact;
    fact.kind = Kind::Mono;
    fact.value = text;
    return fact;
}

class FactSheet::Body final : public QWidget {
public:
    explicit Body(FactSheet& sheet)
        : m_sheet(sheet)
    {
        setMouseTracking(true);
        setFocusPolicy(Qt::TabFocus);
        connect(&theme::Theme::instance(), &theme::Theme::changed, this,
                qOverload<>(&QWidget::update));
    }

    void setFacts(const QVector<Fact>& facts)
    {
        if (m_facts == facts)
            return;
        m_facts = facts;
        arrange();
        update();
    }

    const QVector<Fact>& facts() const { return m_facts; }

    void arrange()
    {
        m_tops = {0};
        for (const Fact& fact : qAsConst(m_facts))
            m_tops.append(m_tops.constLast() + heightOf(fact));
        setFixedHeight(m_tops.constLast() + kPad);
    }

protected:
    void paintEvent(QPaintEvent* event) override
    {
        QPainter painter(this);
        for (int i = 0; i < m_facts.size(); ++i) {
            const QRect room(kPad, m_tops[i], width() - 2 * kPad, m_tops[i + 1] - m_tops[i]);
            if (event->rect().intersects(room))
                paintFact(painter, m_facts[i], room, i);
        }
    }

    void mouseMoveEvent(QMouseEvent* event) override
    {
        const int at = linkAt(event->pos());
        setCursor(at >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        if (m_hovered != at) {
            m_hovered = at;
            update();
        }
    }
    void leaveEvent(QEvent*) override
    {
        m_hovered = -1;
        update();
    }
    void mouseReleaseEvent(QMouseEvent* event) override
    {
        const int at = linkAt(event->pos());
        if (at >= 0 && event->button() == Qt::LeftButton)
            Q_EMIT m_sheet.linkActivated(m_facts[at].link);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Down || event->key() == Qt::Key_Up) {
            moveFocusedLink(event->key() == Qt::Key_Down ? 1 : -1);
        } else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
                   m_hovered >= 0 && m_hovered < m_facts.size()) {
            Q_EMIT m_sheet.linkActivated(m_facts[m_hovered].link);
        } else {
            QWidget::keyPressEvent(event);
        }
    }
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ToolTip) {
            const auto* help = static_cast<QHelpEvent*>(event);
            const int at = factAt(help->pos());
            if (at >= 0 && m_facts[at].kind != Fact::Kind::Heading) {
                const Fact& fact = m_facts[at];
                const QString whole = fact.kind == Fact::Kind::Cells
                                          ? fact.cells.join(QStringLiteral("  "))
                                          : fact.value;
                QToolTip::showText(help->globalPos(), whole, this);
            }
            return true;
        }
        return QWidget::event(event);
    }

private:
    int heightOf(const Fact& fact) const
    {
        const int room = width() - 2 * kPad;
        switch (fact.kind) {
            case Fact::Kind::Heading:
                return kHeading;
            case Fact::Kind::Pair:
                return qMax(kLine,
                            wrappedHeight(valueFont(fact), fact.value, room - kLabelWidth) + 4);
            case Fact::Kind::Cells:
                return kLine;
            case Fact::Kind::Sentence:
                return wrappedHeight(valueFont(fact), fact.value, room) + 6;
            case Fact::Kind::Mono:
                return wrappedHeight(valueFont(fact), fact.value, room - 16) + 18;
        }
        Q_UNREACHABLE();
    }

    void paintFact(QPainter& painter, const Fact& fact, const QRect& room, int index) const
    {
        const int wrap = Qt::TextWordWrap | Qt::TextWrapAnywhere;
        switch (fact.kind) {
            case Fact::Kind::Heading:
                paintHeading(painter, fact, room, index);
                return;
            case Fact::Kind::Pair:
                painter.setFont(theme::font(Type::Label));
                painter.setPen(theme::color(Color::TextMuted));
                painter.drawText(room.adjusted(0, 3, 0, 0), Qt::AlignLeft | Qt::AlignTop,
                                 fact.label);
                paintValue(painter, fact, room.adjusted(kLabelWidth, 2, 0, 0), index);
                return;
            case Fact::Kind::Cells:
                paintCells(painter, fact, room, index);
                return;
            case Fact::Kind::Sentence:
                paintValue(painter, fact, room.adjusted(0, 2, 0, 0), index);
                return;
            case Fact::Kind::Mono:
                theme::paintPanel(painter, room.adjusted(0, 2, 0, -4), theme::color(Color::BgInset),
                                  theme::color(Color::LineSubtle),
                                  theme::px(theme::Radius::Control));
                painter.setFont(valueFont(fact));
                painter.setPen(theme::color(Color::TextPrimary));
                painter.drawText(room.adjusted(8, 8, -8, 0), wrap, fact.value);
                return;
        }
    }

    void paintHeading(QPainter& painter, const Fact& fact, const QRect& room, int index) const
    {
        if (index > 0)
            painter.fillRect(0, room.top() + 5, width(), 1, theme::color(Color::LineSubtle));
        const QFont font = theme::font(Type::Heading);
        painter.setFont(font);
        painter.setPen(theme::color(Color::TextPrimary));
        const QRect line = room.adjusted(0, 9, 0, 0);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, fact.label);
        const int used = QFontMetrics(font).horizontalAdvance(fact.label) + 8;
        const QFont small = theme::font(Type::Caption);
        painter.setFont(small);
        painter.setPen(
            theme::color(fact.tone == Color::TextPrimary ? Color::TextMuted : fact.tone));
        const QRect rest = line.adjusted(used, 1, 0, 0);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetrics(small).elidedText(fact.value, Qt::ElideRight, rest.width()));
    }

    void paintValue(QPainter& painter, const Fact& fact, const QRect& room, int index) const
    {
        QFont font = valueFont(fact);
        font.setUnderline(!fact.link.isEmpty() && index == m_hovered);
        painter.setFont(font);
        painter.setPen(theme::color(fact.tone));
        painter.drawText(room, Qt::TextWordWrap | Qt::TextWrapAnywhere, fact.value);
    }

    void paintCells(QPainter& painter, const Fact& fact, const QRect& room, int index) const
    {
        int fixed = 0;
        for (const int width : fact.widths)
            fixed += std::abs(width);
        int left = room.left();
        for (int i = 0; i < fact.cells.size(); ++i) {
            const int wanted = fact.widths.value(i);
            const int width = wanted == 0 ? qMax(0, room.width() - fixed) : std::abs(wanted);
            QFont font = fact.head ? theme::font(Type::Caption) : theme::font(Type::Mono);
            const bool link = i == 0 && !fact.link.isEmpty();
            font.setUnderline(link && index == m_hovered);
            painter.setFont(font);
            painter.setPen(theme::color(fact.head ? Color::TextMuted
                                        : link    ? Color::AccentText
                                                  : fact.tone));
            const QRect cell(left, room.top(), width - 8, room.height());
            const QString text =
                QFontMetrics(font).elidedText(fact.cells[i], Qt::ElideRight, cell.width() + 1);
            painter.drawText(cell, (wanted < 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                             text);
            left += width;
        }
    }

    int factAt(const QPoint& at) const
    {
        for (int i = 0; i < m_facts.size(); ++i) {
            if (at.y() >= m_tops[i] && at.y() < m_tops[i + 1])
                return i;
        }
        return -1;
    }
    int linkAt(const QPoint& at) const
    {
        const int index = factAt(at);
        return index >= 0 && !m_facts[index].link.isEmpty() ? index : -1;
    }
    void moveFocusedLink(int step)
    {
        for (int i = m_hovered + step; i >= 0 && i < m_facts.size(); i += step) {
            if (m_facts[i].link.isEmpty())
                continue;
            m_hovered = i;
            m_sheet.ensureVisible(0, m_tops[i] + kLine);
            update();
            return;
        }
    }

    FactSheet& m_sheet;
    QVector<Fact> m_facts;
    QVector<int> m_tops{0};
    int m_hovered = -1;
};

FactSheet::FactSheet(QWidget* parent)
    : QScrollArea(parent)
    , m_body(new Body(*this))
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setFocusPolicy(Qt::NoFocus);
    viewport()->setAutoFillBackground(false);
    m_body->setAutoFillBackground(false);
    setWidget(m_body);
    m_body->setAutoFillBackground(false);
}

void FactSheet::setFacts(const QVector<Fact>& facts)
{
    m_body->setFacts(facts);
}

const QVector<Fact>& FactSheet::facts() const
{
    return m_body->facts();
}

QString FactSheet::toText() const
{
    QStringList lines;
    for (const Fact& fact : facts())
        lines
            << (QStringList{fact.label, fact.value} + fact.cells).join(QLatin1Char(' ')).trimmed();
    return lines.join(QLatin1Char('\n'));
}

void FactSheet::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    m_body->arrange();
}

}  // namespace yard::widgets
