#include "ui/widgets/label.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "ui/theme/word_cut.h"
#include "ui/theme/wording.h"

namespace yard::widgets {

Label::Label(const QString& text, theme::Type type, theme::Color tone, QWidget* parent)
    : QLabel(text, parent)
    , m_type(type)
    , m_tone(tone)
{
    setTextFormat(Qt::PlainText);
    theme::wear(*this, type);
    applyTone();
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, &Label::applyTone);
}

Label::Label(theme::Type type, theme::Color tone, QWidget* parent)
    : Label({}, type, tone, parent)
{
}

void Label::setTone(theme::Color tone)
{
    if (m_tone == tone)
        return;
    m_tone = tone;
    applyTone();
}

void Label::applyTone()
{
    QPalette mine = palette();
    mine.setColor(QPalette::WindowText, theme::color(m_tone));
    setPalette(mine);
}

void Label::setElide(Qt::TextElideMode mode)
{
    m_elide = mode;
    updateGeometry();
}

void Label::setHostlist(bool hostlist)
{
    m_hostlist = hostlist;
    setElide(Qt::ElideMiddle);
}

QString Label::shown() const
{
    if (m_elide == Qt::ElideNone || wordWrap() || textFormat() == Qt::RichText)
        return text();
    const QString whole = m_hostlist ? theme::fittedHosts(text(), font(), width()) : text();
    return m_elide == Qt::ElideRight ? theme::cutAtWord(whole, QFontMetricsF(font()), width())
                                     : fontMetrics().elidedText(whole, m_elide, width());
}

bool Label::isCut() const
{
    return shown() != text();
}

QSize Label::sizeHint() const
{
    if (wordWrap() || textFormat() == Qt::RichText)
        return QLabel::sizeHint();
    const int width = int(std::ceil(QFontMetricsF(font()).horizontalAdvance(text()))) + 1;
    return {width, theme::lineHeight(m_type)};
}

QSize Label::minimumSizeHint() const
{
    if (wordWrap() || textFormat() == Qt::RichText)
        return QLabel::minimumSizeHint();
    const QSize hint = sizeHint();
    return m_elide == Qt::ElideNone ? hint : QSize(qMin(hint.width(), 24), hint.height());
}

void Label::paintEvent(QPaintEvent* event)
{
    if (wordWrap() || textFormat() == Qt::RichText) {
        QLabel::paintEvent(event);
        return;
    }
    QPainter painter(this);
    painter.setPen(theme::color(isEnabled() ? m_tone : theme::Color::TextDisabled));
    painter.drawText(rect(), int(alignment()) | Qt::TextSingleLine, shown());
}

bool Label::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && toolTip().isEmpty() && isCut()) {
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), text(), this);
        return true;
    }
    return QLabel::event(event);
}

void Label::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()))
        Q_EMIT linkRequested();
    QLabel::mouseReleaseEvent(event);
}

}  // namespace yard::widgets
