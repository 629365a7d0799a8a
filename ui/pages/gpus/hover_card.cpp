#include "ui/pages/gpus/hover_card.h"

#include <QPainter>
#include <cmath>

#include "ui/model/cluster_state.h"
#include "ui/theme/heat_scale.h"
#include "ui/theme/wording.h"
#include "ui/theme/yard_style.h"
#include "ui/widgets/filter_field.h"
#include "ui/widgets/glyphs.h"

namespace yard::pages {

using model::GpuMetric;
using theme::Color;
using theme::Type;

constexpr int kPadding = 12;
constexpr int kHead = 46;
constexpr int kValueRow = 38;
constexpr int kFactRow = 21;
constexpr int kFoot = 34;
constexpr GpuMetric kShown[] = {
    GpuMetric::SmActivity,      GpuMetric::MemoryUsed,        GpuMetric::Power,
    GpuMetric::CoreTemperature, GpuMetric::MemoryTemperature, GpuMetric::SmClock};

HoverCard::HoverCard(const model::ClusterState& state, QWidget* page)
    : PopupPanel(page)
    , m_state(state)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void HoverCard::collect()
{
    const model::NodeInfo& node = m_state.nodes()[m_node];
    QStringList identity;
    if (!node.gpuModel.isEmpty())
        identity << QString(node.gpuModel).remove(QStringLiteral("NVIDIA "));
    if (!node.gpuUuids.value(m_gpu).isEmpty())
        identity << node.gpuUuids[m_gpu].left(12);
    if (!node.gpuPcis.value(m_gpu).isEmpty())
        identity << QStringLiteral("PCI ") + node.gpuPcis[m_gpu];
    m_identity = identity.join(QStringLiteral(" · "));
    m_fault.clear();
    m_facts.clear();
    for (const model::FaultInfo& fault : m_state.faults()) {
        if (fault.host != node.name || fault.gpuIndex != m_gpu ||
            !m_state.gpuHasFault(m_node, m_gpu))
            continue;
        m_fault = theme::faultMeaning(fault);
        const QString at = theme::shortTime(fault.at, m_state.now(), m_state.timeZone());
        // Driver, device and code are said beside it already, and the process has no room.
        QString told = fault.text.section(QStringLiteral("): "), 1);
        if (told.contains(QStringLiteral("name=")))
            told = told.section(QStringLiteral(", "), -1);
        m_facts.push_back({theme::faultName(fault),
                           QStringLiteral("%1, %2").arg(at, told.isEmpty() ? fault.text : told),
                           false, -1});
        break;
    }
    QString state = theme::categoryName(node.category);
    if (!node.stateText.isEmpty())
        state += QStringLiteral("  ") + node.stateText;
    m_facts.push_back({QStringLiteral("Node"), state, false, int(node.category)});
    if (!node.reason.isEmpty())
        m_facts.push_back({QStringLiteral("Reason"), node.reason, false, -1});
    const int job = m_state.jobOnGpu(m_node, m_gpu);
    if (job >= 0) {
        const model::JobInfo& info = m_state.jobs()[job];
        m_facts.push_back(
            {QStringLiteral("Job"), info.displayId + QLatin1Char(' ') + info.name, true, -1});
        m_facts.push_back(
            {QStringLiteral("User, GPUs"),
             QStringLiteral("%1 · %2").arg(info.user, theme::number(qint64(info.gpus))), true, -1});
    } else {
        m_facts.push_back({QStringLiteral("Job"),
                           m_state.jobsOnNode(m_node).isEmpty()
                               ? QStringLiteral("none")
                               : QStringLiteral("none known on this GPU"),
                           false, -1});
    }
    QStringList place;
    for (const QString& each :
         {node.switchName, node.rack, node.partitions.join(QLatin1Char(','))}) {
        if (!each.isEmpty())
            place << each;
    }
    if (!place.isEmpty())
        m_facts.push_back({QStringLiteral("Place"), place.join(QStringLiteral(" · ")), true, -1});
}

int HoverCard::wantedHeight() const
{
    return kPadding + kHead + 2 * kValueRow + 12 + int(m_facts.size()) * kFactRow + kFoot;
}

void HoverCard::showFor(int node, int gpu, const QRect& cell)
{
    m_node = node;
    m_gpu = gpu;
    collect();
    const QSize size(theme::px(theme::Size::HoverCard), wantedHeight());
    resize(size + QSize(2, 2) * kShadow);
    const QRect page = parentWidget()->rect().adjusted(8, 8, -8, -8);
    int x = cell.right() + 12;
    if (x + size.width() > page.right())
        x = cell.left() - 12 - size.width();
    const int y =
        qBound(page.top(), cell.top() - 24, qMax(page.top(), page.bottom() - size.height()));
    movePanel({qMax(page.left(), x), y});
    show();
    raise();
    update();
}

void HoverCard::paintHead(QPainter& painter, int left, int width, int& top) const
{
    int right = left + width;
    if (!m_fault.isEmpty()) {
        painter.setFont(theme::font(Type::Label));
        const QString words = QFontMetrics(painter.font()).elidedText(m_fault, Qt::ElideRight, 150);
        const int wide = QFontMetrics(painter.font()).horizontalAdvance(words) + 16;
        const QRect chip(right - wide, top - 1, wide, 22);
        theme::paintPanel(painter, chip, theme::color(Color::FaultSoft), Qt::transparent, 3);
        painter.setPen(theme::color(Color::FaultText));
        painter.drawText(chip, Qt::AlignCenter, words);
        right = chip.left() - 8;
    }
    QFont title = theme::font(Type::Mono, QFont::DemiBold);
    title.setPixelSize(13);
    painter.setFont(title);
    painter.setPen(theme::color(Color::TextPrimary));
    const QString name = QStringLiteral("%1 · GPU %2").arg(m_state.nodes()[m_node].name).arg(m_gpu);
    painter.drawText(QRect(left, top, right - left, 20), Qt::AlignVCenter,
                     QFontMetrics(title).elidedText(name, Qt::ElideMiddle, right - left));
    painter.setFont(theme::font(Type::Caption));
    painter.setPen(theme::color(Color::TextMuted));
    painter.drawText(QRect(left, top + 22, width, 16), Qt::AlignVCenter,
                     QFontMetrics(painter.font()).elidedText(m_identity, Qt::ElideRight, width));
    top += kHead;
}

void HoverCard::paintValues(QPainter& painter, int left, int width, int& top) const
{
    const model::Freshness freshness = m_state.freshness(m_node);
    for (int i = 0; i < 6; ++i) {
        const int x = left + i % 3 * (width / 3);
        const int y = top + i / 3 * kValueRow;
        const float value = freshness == model::Freshness::Missing
                                ? model::kNoReading
                                : m_state.gpuValue(kShown[i], m_node, m_gpu);
        painter.setFont(theme::font(Type::Caption));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(x, y, width / 3, 14), Qt::AlignVCenter,
                         theme::metricShortName(kShown[i]));
        const theme::Quantity quantity = theme::quantity(kShown[i], value);
        if (std::isnan(value)) {
            painter.setFont(theme::font(Type::Label));
            painter.drawText(QRect(x, y + 15, width / 3, 18), Qt::AlignVCenter, theme::noReading());
            continue;
        }
        QFont mono = theme::font(Type::Mono);
        mono.setPixelSize(13);
        painter.setFont(mono);
        const auto watch = theme::metricScale(kShown[i]).watch;
        painter.setPen(theme::color(freshness == model::Freshness::Stale ? Color::TextMuted
                                    : watch && value > *watch            ? Color::WarnText
                                                                         : Color::TextPrimary));
        painter.drawText(QRect(x, y + 15, width / 3, 18), Qt::AlignVCenter, quantity.value);
        const int wide = QFontMetrics(mono).horizontalAdvance(quantity.value);
        painter.setFont(theme::font(Type::Caption));
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(x + wide + 3, y + 15, width / 3, 19), Qt::AlignVCenter,
                         quantity.unit);
    }
    top += 2 * kValueRow + 2;
}

void HoverCard::paintFacts(QPainter& painter, int left, int width, int& top) const
{
    painter.fillRect(left, top, width, 1, theme::color(Color::LineSubtle));
    top += 6;
    constexpr int kKey = 82;
    for (const Fact& fact : m_facts) {
        QFont key = theme::font(Type::Label, QFont::Normal);
        painter.setFont(key);
        painter.setPen(theme::color(Color::TextMuted));
        painter.drawText(QRect(left, top, kKey, kFactRow), Qt::AlignVCenter, fact.key);
        int x = left + kKey;
        if (fact.category >= 0) {
            widgets::paintNodeGlyph(painter, QRectF(x, top + 5, 12, 12),
                                    model::NodeCategory(fact.category));
            x += 18;
        }
        painter.setFont(theme::font(fact.mono ? Type::Mono : Type::Body));
        painter.setPen(theme::color(Color::TextSecondary));
        const int room = left + width - x;
        painter.drawText(QRect(x, top, room, kFactRow), Qt::AlignVCenter,
                         QFontMetrics(painter.font()).elidedText(fact.words, Qt::ElideRight, room));
        top += kFactRow;
    }
}

void HoverCard::paintFoot(QPainter& painter, int left, int width, int top) const
{
    const double age = m_state.readingAge(m_node);
    painter.setFont(theme::font(Type::Caption));
    const bool old = m_state.freshness(m_node) != model::Freshness::Live;
    painter.setPen(theme::color(old ? Color::WarnText : Color::TextMuted));
    painter.drawText(QRect(left, top + 8, width, 18), Qt::AlignVCenter,
                     age < 0 ? QStringLiteral("never read")
                             : QStringLiteral("reading %1 old").arg(theme::age(age)));
    int right = left + width;
    for (const auto& [key, words] : {std::pair(QStringLiteral("J"), QStringLiteral("job")),
                                     std::pair(QStringLiteral("Enter"), QStringLiteral("node"))}) {
        painter.setFont(theme::font(Type::Caption));
        painter.setPen(theme::color(Color::TextMuted));
        const int wide = QFontMetrics(painter.font()).horizontalAdvance(words);
        painter.drawText(QRect(right - wide, top + 8, wide, 18), Qt::AlignVCenter, words);
        const int cap = widgets::keyWidth(key);
        widgets::paintKey(painter, QRect(right - wide - 5 - cap, top + 8, cap, 18), key);
        right -= wide + 5 + cap + 10;
    }
}

void HoverCard::paintEvent(QPaintEvent* event)
{
    PopupPanel::paintEvent(event);
    if (m_node < 0 || m_node >= m_state.nodes().size())
        return;
    QPainter painter(this);
    const QRect panel = panelRect().adjusted(kPadding, kPadding, -kPadding, 0);
    int top = panel.top();
    paintHead(painter, panel.left(), panel.width(), top);
    paintValues(painter, panel.left(), panel.width(), top);
    paintFacts(painter, panel.left(), panel.width(), top);
    paintFoot(painter, panel.left(), panel.width(), top);
}

}  // namespace yard::pages
