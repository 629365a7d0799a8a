#include "ui/widgets/line_key.h"

#include <QPainter>
#include <cmath>

#include "ui/theme/theme.h"

namespace yard::widgets {

using theme::Color;

constexpr double kStroke = 14;
constexpr double kGap = 12;
constexpr double kMoreWidth = 40;

LineKey::LineKey(QWidget* parent)
    : QWidget(parent)
{
    theme::wear(*this, theme::Type::Caption);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void LineKey::setEntries(const QVector<Entry>& entries)
{
    m_entries = entries;
    QStringList names;
    for (const Entry& entry : entries)
        names << entry.name;
    setToolTip(names.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

double LineKey::widthOf(const Entry& entry) const
{
    return kStroke + 5 + std::ceil(QFontMetricsF(font()).horizontalAdvance(entry.name));
}

QSize LineKey::sizeHint() const
{
    double width = 0;
    for (const Entry& entry : m_entries)
        width += widthOf(entry) + kGap;
    return {int(std::max(0.0, width - kGap)), 18};
}

void LineKey::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font());
    double left = std::max(0.0, double(width() - sizeHint().width()));
    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const double wide = widthOf(entry);
        const bool isLast = i + 1 == m_entries.size();
        if (left + wide + (isLast ? 0 : kMoreWidth) > width()) {
            painter.setPen(theme::color(Color::TextMuted));
            painter.drawText(QRectF(left, 0, width() - left, height()), Qt::AlignVCenter,
                             QStringLiteral("+%1").arg(m_entries.size() - i));
            return;
        }
        QPen pen(entry.color(), entry.dashed ? 1.25 : 2);
        if (entry.dashed)
            pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(left, height() / 2.0), QPointF(left + kStroke, height() / 2.0));
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(QRectF(left + kStroke + 5, 0, wide, height()), Qt::AlignVCenter,
                         entry.name);
        left += wide + kGap;
    }
}

}  // namespace yard::widgets
