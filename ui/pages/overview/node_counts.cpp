#include "ui/pages/overview/node_counts.h"

#include <QMouseEvent>
#include <QPainter>

#include "ui/theme/wording.h"
#include "ui/widgets/glyphs.h"

namespace yard::pages {

using theme::Color;
using theme::Type;

constexpr int kRow = 22;
constexpr int kColumnGap = 14;

NodeCounts::NodeCounts(QWidget* parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setCursor(Qt::PointingHandCursor);
    connect(&theme::Theme::instance(), &theme::Theme::changed, this, qOverload<>(&QWidget::update));
}

void NodeCounts::setCounts(const std::array<int, model::kNodeCategoryCount>& counts)
{
    if (m_counts == counts)
        return;
    m_counts = counts;
    updateGeometry();
    update();
}

QVector<NodeCounts::Place> NodeCounts::places(int width) const
{
    using model::NodeCategory;
    constexpr NodeCategory order[] = {
        NodeCategory::Allocated, NodeCategory::Mixed,      NodeCategory::Completing,
        NodeCategory::Idle,      NodeCategory::Reserved,   NodeCategory::Planned,
        NodeCategory::Draining,  NodeCategory::Drained,    NodeCategory::Maintenance,
        NodeCategory::Rebooting, NodeCategory::PoweredOff, NodeCategory::Down,
        NodeCategory::Fail,      NodeCategory::Invalid,    NodeCategory::Future,
        NodeCategory::Unknown};
    QFont words = theme::font(Type::Label, QFont::Normal);
    QVector<Place> all;
    int x = 0;
    int y = 0;
    for (NodeCategory category : order) {
        const int count = m_counts[size_t(category)];
        if (count == 0)
            continue;
        const int wide =
            18 + QFontMetrics(words).horizontalAdvance(theme::categoryName(category)) + 7 +
            QFontMetrics(theme::font(Type::Mono)).horizontalAdvance(theme::number(qint64(count))) +
            2;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += kRow;
        }
        all.push_back({category, QRect(x, y, wide, kRow)});
        x += wide + kColumnGap;
    }
    return all;
}

int NodeCounts::heightForWidth(int width) const
{
    const QVector<Place> all = places(width);
    return all.isEmpty() ? kRow : all.last().rect.bottom() + 1;
}

QSize NodeCounts::sizeHint() const
{
    return {320, heightForWidth(320)};
}

void NodeCounts::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    QFont words = theme::font(Type::Label, QFont::Normal);
    for (const Place& place : places(width())) {
        widgets::paintNodeGlyph(painter, QRectF(place.rect.left(), place.rect.top() + 5, 12, 12),
                                place.category);
        painter.setFont(words);
        painter.setPen(theme::color(Color::TextSecondary));
        painter.drawText(place.rect.adjusted(18, 0, 0, 0), Qt::AlignVCenter,
                         theme::categoryName(place.category));
        painter.setFont(theme::font(Type::Mono));
        painter.setPen(theme::color(Color::TextPrimary));
        painter.drawText(place.rect, Qt::AlignRight | Qt::AlignVCenter,
                         theme::number(qint64(m_counts[size_t(place.category)])));
    }
}

void NodeCounts::mouseReleaseEvent(QMouseEvent* event)
{
    for (const Place& place : places(width())) {
        if (place.rect.contains(event->pos()))
            Q_EMIT categoryClicked(place.category);
    }
}

}  // namespace yard::pages
